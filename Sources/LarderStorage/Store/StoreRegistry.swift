import Foundation
import LarderLMDB
import LarderLocks

/// The stores open in this process, by device and inode: a file is opened once.
final class StoreRegistry: Sendable {
  static let shared = StoreRegistry()

  private struct FileIdentity: Hashable {
    var device: Int
    var inode: Int
  }

  private struct Entry {
    weak var store: Store?
  }

  private let entries = Lock<[FileIdentity: Entry]>([:])

  func store(path: String, options: StoreOptions) throws -> Store {
    try entries.withLock { entries in
      if let identity = Self.identity(of: path), let open = entries[identity]?.store {
        guard open.options.readOnly == options.readOnly else {
          throw StorageError(
            .alreadyOpen,
            "'\(path)' is already open \(open.options.readOnly ? "read-only" : "for writing"); close it first.",
            path: path)
        }
        guard open.options.durability == options.durability else {
          throw StorageError(
            .alreadyOpen,
            "'\(path)' is already open with a different durability (\(open.options.durability)); close it first.",
            path: path)
        }
        guard open.options.encryptionKey == options.encryptionKey else {
          throw StorageError(
            .alreadyOpen, "'\(path)' is already open with a different encryption key; close it first.", path: path)
        }
        return open
      }
      let store = try Store(openingAt: path, options: options)
      if let identity = Self.identity(of: path) { entries[identity] = Entry(store: store) }
      entries = entries.filter { $0.value.store != nil }
      return store
    }
  }

  /// The store of a file that is open in this process.
  func openStore(_ path: String) -> Store? {
    entries.withLock { entries in Self.identity(of: path).flatMap { entries[$0]?.store } }
  }

  private static func identity(of path: String) -> FileIdentity? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: canonicalPath(path)) else { return nil }
    guard let device = attributes[.systemNumber] as? NSNumber,
      let inode = attributes[.systemFileNumber] as? NSNumber
    else { return nil }
    return FileIdentity(device: device.intValue, inode: inode.intValue)
  }
}
