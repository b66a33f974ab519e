import Foundation
import LarderRealmFile
import LarderStorage

/// Makes stores of `.realm` files: all classes with all objects, values, links, indexes and the schema version.
///
/// A store appears under its name when it is complete, was checked against the file, and is on the disk. The file is only read. An importer
/// may be used by any thread.
package struct RealmImporter {
  private let path: String
  private let key: Data?
  private let storeKey: EncryptionKey?
  private let progress: (RealmImportProgress) -> Void
  /// After how many objects a transaction ends.
  package var objectsPerTransaction = 200_000

  /// - Parameters:
  ///   - path: The `.realm` file.
  ///   - key: What the file is encrypted with; nil for a plain one.
  ///   - storeKey: What the store is to be encrypted with; nil for a plain one.
  ///   - progress: Called often, on the thread that imports.
  package init(
    _ path: String, key: Data? = nil, storeKey: EncryptionKey? = nil,
    progress: @escaping (RealmImportProgress) -> Void = { _ in }
  ) {
    self.path = path
    self.key = key
    self.storeKey = storeKey
    self.progress = progress
  }

  /// Makes a store where nothing is yet.
  ///
  /// - Throws: `StorageError`: `.notFound` for no file, `.fileExists` for a store that is there, `.wrongKey`, `.notADatabase`, `.truncated`,
  ///   `.corrupted` and `.unsupportedFormat` for the file, and what writing throws. Then no file is left.
  package func makeStore(at target: String) throws -> RealmImportReport {
    try requireNothing(at: target)
    let file = try open()
    return try Store.make(at: target) { try fill($0, file) }
  }

  /// Throws `StorageError` with code `fileExists` where something is already.
  private func requireNothing(at target: String) throws {
    guard (try? FileManager.default.attributesOfItem(atPath: target)) == nil else {
      throw StorageError(
        .fileExists, "'\(target)' is there already: a .realm file becomes a new store. Nothing was changed.",
        path: target)
    }
  }

  /// Makes the store as `makeStore(at:)` does, in one process at a time; nil, with nothing done, where the store is there.
  package func makeStoreOnce(at target: String) throws -> RealmImportReport? {
    try Store.makeOnce(at: target, from: path) { try fill($0, open()) }
  }

  /// Does all that `makeStore(at:)` does with a store that is dropped at the end.
  ///
  /// - Parameters:
  ///   - target: Where a store would be made.
  ///   - scratch: Beside which this one is made; nothing has that name afterwards.
  /// - Throws: As `makeStore(at:)`.
  package func rehearse(_ target: String, beside scratch: String) throws -> RealmImportReport {
    try requireNothing(at: target)
    let file = try open()
    return try Store.makeAndDrop(beside: scratch) { try fill($0, file) }
  }

  private func open() throws -> RealmFile {
    guard FileManager.default.fileExists(atPath: path) else {
      throw StorageError(.notFound, "There is no file '\(path)'.", path: path)
    }
    return try reading { try RealmFile(fileURL: URL(fileURLWithPath: path), encryptionKey: key) }
  }

  /// Runs `body` and gives the errors of the file the form of the store's.
  private func reading<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as RealmFileError { throw StorageError(error, path: path) }
  }

  private func fill(_ temporary: String, _ file: RealmFile) throws -> RealmImportReport {
    var options = StoreOptions()
    // All of it is flushed before it gets its name.
    options.durability = .none
    options.encryptionKey = storeKey
    let store = try Store.open(path: temporary, options: options)
    return try reading {
      try FileImport(file, into: store, objectLimit: objectsPerTransaction, progress: progress).run()
    }
  }
}
