import Foundation
import LarderStorage

extension Realm {
  /// Writes what this Realm shows to a new file without free space: its version, with the uncommitted changes of an open write
  /// transaction. Others may read and write meanwhile. The copy keeps the schema version.
  ///
  /// Throws `Realm.Error.fileExists` rather than replace anything, `.fileNotFound` for a missing folder, `.outOfDiskSpace`; then nothing
  /// is left behind. Costs a read of the whole store.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    if let encryptionKey {
      guard encryptionKey.count == 64 else {
        throw Realm.Error.make(.invalidInput, "Encryption key must be 64 bytes, got \(encryptionKey.count).")
      }
      throw Realm.Error.encryptionUnsupported(fileURL.path)
    }
    try core.verifyThread()
    let path = fileURL.standardizedFileURL.path
    try orRealmError(path: path) {
      if let writer = core.writer { try writer.copy(to: path) } else { try core.currentSnapshot().copy(to: path) }
    }
  }

  /// The same, to the file of a configuration.
  public func writeCopy(configuration: Realm.Configuration) throws {
    guard let fileURL = configuration.fileURL else {
      throw Realm.Error.make(.fail, "A copy needs a file: the configuration has no fileURL.")
    }
    try writeCopy(toFile: fileURL, encryptionKey: configuration.encryptionKey)
  }
}
