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

  /// A store takes itself out as it goes.
  private let entries = Lock<[FileIdentity: UncountedReference<Store>]>([:])
  /// Held while a store is opened, and not by one that goes: opening waits for the file of that one to be closed.
  private let opening = Lock(())

  func store(path: String, options: StoreOptions) throws -> Store {
    let store = try opening.withLock { _ in
      // What is found is released outside of this lock, which a store that goes waits for.
      let open = entries.withLock { entries in Self.identity(of: path).flatMap { entries[$0]?.retained } }
      if let open { return open }
      let store = try Store(openingAt: path, options: options)
      if let identity = Self.identity(of: path) { entries.withLock { $0[identity] = UncountedReference(store) } }
      return store
    }
    try verify(store, path, options)
    return store
  }

  /// Throws when a store was opened with other options.
  private func verify(_ open: Store, _ path: String, _ options: StoreOptions) throws {
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
  }

  /// Called when a store goes.
  func forget(_ store: Store) {
    entries.withLock { entries in
      if let place = entries.firstIndex(where: { $0.value.refers(to: store) }) { entries.remove(at: place) }
    }
  }

  /// The store of a file that is open in this process.
  func openStore(_ path: String) -> Store? {
    entries.withLock { entries in Self.identity(of: path).flatMap { entries[$0]?.retained } }
  }

  private static func identity(of path: String) -> FileIdentity? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: canonicalPath(path)) else { return nil }
    guard let device = attributes[.systemNumber] as? NSNumber,
      let inode = attributes[.systemFileNumber] as? NSNumber
    else { return nil }
    return FileIdentity(device: device.intValue, inode: inode.intValue)
  }
}
