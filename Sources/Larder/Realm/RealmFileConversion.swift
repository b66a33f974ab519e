import Foundation
import LarderRealmImport
import LarderStorage

/// Makes the store of a configuration from its `.realm` file, where there is no store yet (U-40).
struct RealmFileConversion {
  let path: String
  let source: RealmFileImport
  let storeKey: EncryptionKey?

  /// So many omissions have a line each in the log.
  private static let loggedOmissions = 20

  func run() throws {
    guard !FileManager.default.fileExists(atPath: path) else { return }
    let file = source.fileURL.standardizedFileURL.path
    guard FileManager.default.fileExists(atPath: file) else {
      throw Realm.Error.make(
        .fileNotFound, "There is no .realm file '\(file)' to import, and no store at '\(path)'.", path: file)
    }
    let importer = RealmImporter(file, key: source.encryptionKey, storeKey: storeKey) { [progress = source.progress] in
      progress?(RealmFileImport.Progress(className: $0.className, done: $0.done, total: $0.total))
    }
    guard let report = try importer.makeStoreOnce(at: path) else { return }
    log(report, file)
    source.completion?(RealmFileImport.Report(report))
  }

  private func log(_ report: RealmImportReport, _ file: String) {
    Logger.shared.log(.info, "'\(path)' was made of '\(file)': \(report.objects) objects.")
    for omission in report.omissions.prefix(Self.loggedOmissions) {
      Logger.shared.log(.warn, "Not imported from '\(file)': \(omission).")
    }
    let others = report.omissionCount - Self.loggedOmissions
    if others > 0 { Logger.shared.log(.warn, "Not imported from '\(file)': \(others) more.") }
  }
}

extension RealmFileImport.Report {
  init(_ report: RealmImportReport) {
    self.init(
      objectCounts: Dictionary(report.classes.map { ($0.name, $0.carried) }) { first, _ in first },
      schemaVersion: report.schemaVersion, skippedTables: report.skippedTables.map(\.name),
      notices: report.notices.map { "'\($0.className).\($0.property)' \($0.why)" },
      omissions: report.omissions.map {
        RealmFileImport.Omission(
          className: $0.className, objectKey: $0.key, propertyName: $0.property, message: $0.detail)
      }, omissionCount: report.omissionCount)
  }
}
