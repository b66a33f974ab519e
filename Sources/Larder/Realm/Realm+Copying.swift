import Foundation
import LarderStorage

extension EncryptionKey {
  /// Throws `.invalidInput` for another length than 64 bytes (E-22).
  init(checking bytes: Data) throws {
    guard let key = EncryptionKey(bytes) else {
      throw Realm.Error.make(.invalidInput, "Encryption key must be 64 bytes, got \(bytes.count).")
    }
    self = key
  }
}

extension Realm {
  /// Writes what this Realm shows to a new file without free space: its version, with the uncommitted changes of an open write
  /// transaction. Others may read and write meanwhile. The copy keeps the schema version.
  ///
  /// Throws `Realm.Error.fileExists` rather than replace anything, `.fileNotFound` for a missing folder, `.outOfDiskSpace`; then nothing
  /// is left behind. Costs a read of the whole store.
  ///
  /// ```swift
  /// try realm.writeCopy(toFile: copyURL)
  /// ```
  ///
  /// From the Realm's thread; other threads and processes go on meanwhile. Costs a read of everything there is and a write of what is in use.
  ///
  /// - Parameters:
  ///   - fileURL: The file to make, which must not exist.
  ///   - encryptionKey: 64 bytes with which the copy is encrypted, whatever this Realm is; nil makes a plain copy. Throws
  ///     `.invalidInput` for another length (E-22). With another key than this Realm's, indexes are rebuilt.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    let key = CopyKey.key(try encryptionKey.map { try EncryptionKey(checking: $0) })
    try core.verifyThread()
    let path = fileURL.standardizedFileURL.path
    try orRealmError(path: path) {
      if let writer = core.writer {
        try writer.copy(to: path, key: key)
      } else {
        try core.currentSnapshot().copy(to: path, key: key)
      }
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
