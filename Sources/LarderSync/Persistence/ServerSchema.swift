import LarderStorage
import LarderSyncProtocol

/// The classes that the server has said last that it knows, as the store keeps them: checks of queries need them without a connection (Y-18).
package enum ServerSchema {
  package static let stateName = "server.schema"

  /// The classes; nil before the server has named any.
  ///
  /// - Throws: `StorageError`, `.corrupted` for a record that cannot be read.
  package static func newest(in snapshot: Snapshot) throws -> SyncSchema? {
    try snapshot.syncState(stateName).map { bytes in
      do { return try SyncSchema(decoding: bytes) } catch {
        throw StorageError(
          .corrupted, "The server's schema in '\(snapshot.store.path)' cannot be read (\(error)): check the store.",
          path: snapshot.store.path)
      }
    }
  }

  /// Returns a test for the classes that the server is known not to have: their objects cannot be subscribed to, and what is done to them waits
  /// (Y-49).
  ///
  /// - Throws: as `newest`.
  package static func lacks(in snapshot: Snapshot) throws -> (SyncText) -> Bool {
    guard let names = try newest(in: snapshot).map({ Set($0.classes.map(\.name)) }) else { return { _ in false } }
    return { !names.contains($0) }
  }
}
