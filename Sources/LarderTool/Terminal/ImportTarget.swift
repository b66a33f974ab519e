import Foundation
import LarderExchange
import LarderInspection
import LarderStorage

/// The store that an import goes into, or for a trial one in its place.
struct ImportTarget {
  let path: String
  let isTrial: Bool

  /// Calls `body` with the store; a new one gets its name when `body` is done. For a trial, what is given is a copy in the folder of
  /// temporary files, or a new store there, and is removed.
  func open<Result>(_ body: (Store) throws -> Result) throws -> Result {
    guard isTrial else { return try TemporaryFiles.shared.makingStore(path, body) }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("larder-trial-\(UUID().uuidString)").path
    return try TemporaryFiles.shared.making(folder) {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let copy = "\(folder)/store.larder"
      if FileManager.default.fileExists(atPath: path) { _ = try StoreCopying.copy(path, to: copy) }
      return try body(StoreAccess.open(writing: copy))
    }
  }
}
