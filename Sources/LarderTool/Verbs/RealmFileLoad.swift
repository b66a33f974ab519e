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
    if let reportFile, (try? FileManager.default.attributesOfItem(atPath: reportFile)) != nil {
      throw InputFileError(path: reportFile, message: "it is there already; nothing was written")
    }
    let bar = ProgressBar()
    defer { bar.end() }
    guard newKeyFile == nil || !isPlain else {
      throw ValidationError("--plain and --new-key-file exclude each other")
    }
    let fileKey = try fileKey()
    let storeKey = isPlain ? nil : try newKey.key() ?? fileKey.flatMap { EncryptionKey($0) }
    let importer = RealmImporter(file, key: fileKey, storeKey: storeKey) {
      bar.show(
        $0.className.isEmpty ? $0.step.rawValue : "\($0.step.rawValue) of \($0.className)", $0.done, of: $0.total)
    }
    let report: RealmImportReport
    if isRehearsal {
      let scratch = "\(FileManager.default.temporaryDirectory.path)/larder-import"
      report = try TemporaryFiles.shared.copying(scratch) { try importer.rehearse(into, beside: scratch) }
    } else {
      report = try TemporaryFiles.shared.copying(into) { try importer.makeStore(at: into) }
    }
    bar.end()
    try tell(report)
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
    if let reportFile {
      try TemporaryFiles.shared.making(reportFile) {
        var output = try Output(creating: reportFile)
        let form = RealmFileFlags.form(ofReport: reportFile)
        output.write(
          form == .json
            ? text.json(isRehearsal: isRehearsal) : text.page(of: file, as: form, isRehearsal: isRehearsal))
        try output.finish()
      }
    }
    if json {
      Terminal.write(text.json(isRehearsal: isRehearsal))
    } else if !quiet {
      Terminal.write(
        text.text(width: Terminal.tableWidth, isRehearsal: isRehearsal))
    }
    if report.omissionCount > 0 { throw Failure.found }
  }
}
