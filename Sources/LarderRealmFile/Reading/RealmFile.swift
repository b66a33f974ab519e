import Foundation

/// A `.realm` file, opened for reading.
///
/// It reads what the file held when it was opened; another process must not write to it meanwhile. Safe for any number of threads.
public struct RealmFile: Sendable {
  /// The file format: 10 to 24.
  public let format: Int
  /// The schema version of the program that wrote the file; `UInt64.max` when none was ever set.
  public let schemaVersion: UInt64
  /// The classes, in the file's order.
  public let classes: [RealmFileClass]
  /// Names of tables that hold no objects of the program, such as `metadata`: they are not read.
  public let skippedTables: [String]

  /// Opens a file and reads its schema.
  ///
  /// - Parameter encryptionKey: The 64 bytes with which the file was encrypted; nil for a file that is not encrypted.
  /// - Throws: `RealmFileError`.
  public init(fileURL: URL, encryptionKey: Data? = nil) throws {
    throw RealmFileError(.unreadable, "\(fileURL.path) cannot be read yet")
  }

  /// The number of objects of a class, without reading them.
  public func objectCount(of objectClass: RealmFileClass) throws -> Int { 0 }

  /// Calls with each group of neighbouring objects of a class (up to 256), ascending by key.
  public func forEachCluster(of objectClass: RealmFileClass, _ body: (RealmFileCluster) throws -> Void) throws {}

  /// The object with a key; nil when there is none. Fast where keys are near those of the calls before.
  public func object(of objectClass: RealmFileClass, key: Int64) throws -> RealmFileObject? { nil }

  /// Follows every link and compares with what the file says of where links come from.
  public func verifyLinks() throws -> RealmFileLinkReport { RealmFileLinkReport() }
}
