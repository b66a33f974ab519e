import ArgumentParser
import Foundation
import LarderExchange
import LarderInspection
import LarderRealmImport
import LarderStorage

/// Makes a store of a `.realm` file: what `import` does with one.
struct RealmFileLoad {
  let file: String
  let into: String
  let newKeyFile: String?
  let isPlain: Bool
  let isRehearsal: Bool
  let reportFile: String?
  let json: Bool
  let quiet: Bool

  func run() throws {
    guard newKeyFile == nil || !isPlain else {
      throw ValidationError("--plain and --new-key-file exclude each other")
    }
    guard let reportFile else { return try tell(load()) }
    Self.removeLeftover(reportFile)
    let report = try TemporaryFiles.shared.making(reportFile) {
      // Before the import: a report that cannot be written is no reason to import twice.
      var output = try Output(creating: reportFile)
      let report = try load()
      let (text, form) = (RealmImportText(report), RealmFileFlags.form(ofReport: reportFile))
      output.write(
        form == .json ? text.json(isRehearsal: isRehearsal) : text.page(of: file, as: form, isRehearsal: isRehearsal))
      do { try output.finish() } catch {
        if !isRehearsal { Terminal.note("larder: '\(into)' is complete; only its report is missing") }
        throw error
      }
      return report
    }
    try tell(report)
  }

  /// Removes an empty report, which an import that was killed leaves.
  private static func removeLeftover(_ path: String) {
    guard let found = try? FileManager.default.attributesOfItem(atPath: path),
      found[.type] as? FileAttributeType == .typeRegular, found[.size] as? Int == 0
    else { return }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Makes the store, or rehearses that.
  private func load() throws -> RealmImportReport {
    let bar = ProgressBar()
    defer { bar.end() }
    let fileKey = try fileKey()
    let storeKey = isPlain ? nil : try newKey.key() ?? fileKey.flatMap { EncryptionKey($0) }
    let importer = RealmImporter(file, key: fileKey, storeKey: storeKey) {
      bar.show(
        $0.className.isEmpty ? $0.step.rawValue : "\($0.step.rawValue) of \($0.className)", $0.done, of: $0.total)
    }
    guard isRehearsal else { return try TemporaryFiles.shared.copying(into) { try importer.makeStore(at: into) } }
    let scratch = "\(FileManager.default.temporaryDirectory.path)/larder-import"
    return try TemporaryFiles.shared.copying(scratch) { try importer.rehearse(into, beside: scratch) }
  }

  /// The key of the file: a plain one has no use for what is in the environment.
  private func fileKey() throws -> Data? {
    let source = StoreAccess.keySource
    if case .environment = source, RealmFileKind(path: file) == .plain { return nil }
    return try source.bytes().map { Data($0) }
  }

  /// The source of the store's key, if it has one of its own.
  private var newKey: KeySource {
    newKeyFile.map { .file($0) } ?? KeySource(environment: ProcessInfo.processInfo.environment)
  }

  private func tell(_ report: RealmImportReport) throws {
    let text = RealmImportText(report)
    if json {
      Terminal.write(text.json(isRehearsal: isRehearsal))
    } else if !quiet {
      Terminal.write(
        text.text(width: Terminal.tableWidth, isRehearsal: isRehearsal))
    }
    if report.omissionCount > 0 { throw Failure.found }
  }
}
