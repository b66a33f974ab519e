import LarderStorage

/// The transactions of an import, one after another, each of so much that it fits into memory.
///
/// Nothing has the store's name before the last one is committed, so that no part of an import can be seen.
final class ImportTransactions {
  private let store: Store
  private(set) var writer: StoreWriter
  private var objects = 0
  private var bytes = 0

  private let objectLimit: Int
  private static let byteLimit = 64 << 20

  /// - Parameter objectLimit: A transaction ends after so many objects, or some megabytes of texts, data and collections.
  init(_ store: Store, objectLimit: Int) throws {
    self.store = store
    self.objectLimit = objectLimit
    writer = try store.beginWrite()
  }

  /// Counts what was written.
  func count(objects: Int = 0, bytes: Int = 0) {
    self.objects += objects
    self.bytes += bytes
  }

  /// Ends the transaction and begins the next one when enough was written. What belongs to the writer is to be asked for again then.
  func splitIfFull() throws {
    guard objects >= objectLimit || bytes >= Self.byteLimit else { return }
    (objects, bytes) = (0, 0)
    try writer.commit()
    writer = try store.beginWrite()
  }

  func commit() throws { try writer.commit() }
  func cancel() { writer.cancel() }
}
