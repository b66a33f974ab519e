import LarderStorage
import LarderSyncProtocol

/// The set of data that a store is of, from its first session on (Y-54). Another tenant's log would be taken for this one's.
enum StoreTenant {
  private static let stateName = "tenant"

  /// The tenant; nil before the first session.
  ///
  /// - Throws: `StorageError`.
  static func known(in snapshot: Snapshot) throws -> String? {
    try snapshot.syncState(stateName).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Notes the tenant of a session.
  ///
  /// - Throws: `StorageError`.
  static func set(_ tenant: String, in transaction: DeviceTransaction) throws {
    let bytes = Array(tenant.utf8)
    if try transaction.state.state(stateName) != bytes { try transaction.state.setState(stateName, bytes) }
  }

  /// The failure of a token that is for another tenant than the store's; nothing is sent then (Y-54).
  ///
  /// - Throws: `StorageError`.
  static func mismatch(_ tenant: String?, _ store: Store) throws -> SyncFailure? {
    guard let known = try known(in: store.snapshot()), let tenant, known != tenant else { return nil }
    return SyncFailure(
      .token, action: .refreshToken,
      message: SyncText(
        "The token is for the tenant '\(tenant)', and '\(store.path)' belongs to '\(known)': get a token for that, or open another store."
      ))
  }
}
