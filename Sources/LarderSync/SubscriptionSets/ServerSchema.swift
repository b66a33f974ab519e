import LarderStorage
import LarderSyncProtocol

/// What the server said of its classes last, which the store keeps (Y-18).
package enum ServerSchema {
  /// The name in the state of synchronisation.
  private static let stateName = "server schema"

  /// - Throws: `StorageError`, `.corrupted` for a record that cannot be read.
  package static func known(in snapshot: Snapshot) throws -> SyncSchema? {
    guard let bytes = try snapshot.syncState(stateName) else { return nil }
    do {
      return try SyncSchema(decoding: bytes)
    } catch {
      throw StorageError(
        .corrupted, "What the server said of its classes cannot be read (\(error)): check the store.",
        path: snapshot.store.path)
    }
  }

  /// Keeps what a welcome says, with the transaction's commit.
  package static func keep(_ schema: SyncSchema, in writer: StoreWriter) throws {
    try SyncWriting(writer).setState(stateName, schema.encoded())
  }
}
