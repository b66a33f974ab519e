import LarderStorage

/// A fresh store in a directory of its own, removed with it.
///
/// Commits are not synced to the disk unless asked: tests of durability say so.
///
/// - Important: the helper may be shared between threads as a `Store` may.
package final class TemporaryStore: Sendable {
  package let directory: TemporaryDirectory
  package let store: Store

  /// Makes a store.
  ///
  /// - Parameter clusterSize: objects per cluster; 8 makes a test of a few dozen objects cross many borders.
  /// - Throws: what opening a store throws.
  package init(
    clusterSize: Int = HostileSettings.current.clusterSize(StoreLayout.defaultClusterSize),
    durability: StoreOptions.Durability = .none,
    key: EncryptionKey? = nil
  ) throws {
    directory = try TemporaryDirectory("store")
    var options = StoreOptions()
    options.clusterSize = clusterSize
    options.durability = durability
    options.encryptionKey = key
    // Small enough for the thread sanitizer beside other stores.
    options.mapSize = 1 << 32
    store = try Store.open(path: directory.file("test.larder"), options: options)
  }

  /// The path of the store's file.
  package var path: String { store.path }

  /// Runs one write transaction: commits it, or cancels it when `body` throws.
  ///
  /// - Throws: what `body` or the commit throws.
  @discardableResult
  package func write<Result>(_ body: (StoreWriter) throws -> Result) throws -> Result {
    let writer = try store.beginWrite()
    do {
      let result = try body(writer)
      try writer.commit()
      return result
    } catch {
      writer.cancel()
      throw error
    }
  }

  /// The newest committed version.
  package var snapshot: Snapshot {
    get throws { try store.snapshot() }
  }
}
