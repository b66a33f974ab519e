import Foundation
import LarderExchange
import LarderStorage

/// Copies and compacts stores.
package enum StoreCopying {
  /// The sizes before and after.
  package struct Result: Sendable {
    package var path: String
    package var bytesBefore: Int
    package var bytesAfter: Int

    /// The store that was copied; nil where it was rewritten in its place.
    package var source: String?

    package func text() -> String {
      let (before, after) = (StoreReport.bytes(bytesBefore), StoreReport.bytes(bytesAfter))
      return source.map { "\(path): \(after); \($0) has \(before)" } ?? "\(path): \(before) before, \(after) now"
    }

    package func json() -> String {
      let value: JSONValue = [
        "path": .init(path), "bytesBefore": .init(bytesBefore), "bytesAfter": .init(bytesAfter),
      ]
      return value.line
    }
  }

  /// Copies the newest version to a new file, without free space, while the store is in use.
  ///
  /// - Throws: `StorageError`, with the path and what to do in its message; then nothing is left behind.
  package static func copy(_ path: String, to target: String) throws -> Result {
    let store = try StoreAccess.open(reading: path)
    try store.snapshot().copy(to: target)
    return Result(path: target, bytesBefore: size(path), bytesAfter: size(target), source: path)
  }

  /// Rewrites the file in its place. No program may have it open.
  ///
  /// - Throws: `StorageError`, with the path and what to do in its message; then the file is as it was.
  package static func compact(_ path: String) throws -> Result {
    let key = try key(of: path)
    let before = size(path)
    do {
      try Store.compact(path, key: key)
    } catch let error as StorageError where error.code == .alreadyOpen {
      throw StorageError(
        .alreadyOpen, "'\(path)' is in use. Close it everywhere, or compact into a new file with --into.", path: path)
    }
    return Result(path: path, bytesBefore: before, bytesAfter: size(path))
  }

  /// Returns the key of a store. Opens the store for that, so that a file that is no store is refused, and closes it again.
  private static func key(of path: String) throws -> EncryptionKey? {
    let store = try StoreAccess.open(reading: path)
    _ = try store.snapshot().version
    return store.options.encryptionKey
  }

  /// The part of a file that compacting would give back.
  package struct Room: Sendable {
    package var path: String
    package var bytes: Int
    /// Bytes of pages that hold nothing.
    package var freeBytes: Int

    package func text() -> String {
      "\(path): \(StoreReport.bytes(bytes)), of which \(StoreReport.bytes(freeBytes)) are free; compacting would give at least these back"
    }

    package func json() -> String {
      let value: JSONValue = [
        "path": .init(path), "bytesBefore": .init(bytes), "freeBytes": .init(freeBytes), "written": .init(false),
      ]
      return value.line
    }
  }

  /// Looks what compacting would do, and changes nothing.
  ///
  /// - Throws: `StorageError` when the store cannot be read.
  package static func room(of path: String) throws -> Room {
    let statistics = try StoreStatistics(try StoreAccess.open(reading: path).snapshot())
    return Room(path: path, bytes: statistics.fileSize, freeBytes: statistics.freeBytes)
  }

  static func size(_ path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }
}
