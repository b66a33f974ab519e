import Foundation
import Larder

/// A folder of its own for stores that are opened several times; removed with the last reference.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("larder-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func configuration(_ types: [ObjectBase.Type], version: UInt64 = 0) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: url.appendingPathComponent("a.larder"), schemaVersion: version, objectTypes: types)
  }
}
