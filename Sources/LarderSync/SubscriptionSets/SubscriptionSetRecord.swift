import LarderStorage
import LarderSyncProtocol

/// The set of a store's subscriptions as the store keeps it, in the state of synchronisation.
///
/// A store has one set, the newest (Y-1). Older versions are known by their number only: they are complete, or superseded.
package struct SubscriptionSetRecord: Hashable, Sendable {
  /// The version, which rises by one with each change; 0 in a store that never had a subscription.
  package var version: UInt64 = 0
  /// The subscriptions in the order in which they were made.
  package var subscriptions: [SubscriptionRecord] = []
  /// The state of this version. A store that never had a subscription has nothing to wait for.
  package var state = SubscriptionSetState.complete
  /// The newest version that was complete; 0 without one.
  package var completedVersion: UInt64 = 0
  /// The set that is in force: the newest one that became complete, which stays when a version is refused (Y-5). Nil before the first one.
  package var inForce: Subscribe?

  package init() {}

  /// The set as the server receives it.
  package var subscribe: Subscribe { Subscribe(version: version, queries: subscriptions.map(\.query)) }

  /// The set with other subscriptions, as the next version.
  package func changed(to subscriptions: [SubscriptionRecord]) -> SubscriptionSetRecord {
    var next = self
    next.version += 1
    next.subscriptions = subscriptions
    next.state = .pending
    return next
  }

  /// The set when the server has accepted it and its objects are here. A set of another version is unchanged: a newer one has been committed.
  package func completed(version: UInt64) -> SubscriptionSetRecord {
    guard version == self.version else { return self }
    var next = self
    next.state = .complete
    next.completedVersion = version
    next.inForce = subscribe
    return next
  }

  /// The set when the server has refused it. A set of another version is unchanged.
  package func refused(version: UInt64, _ failure: SyncFailure) -> SubscriptionSetRecord {
    guard version == self.version else { return self }
    var next = self
    next.state = .error(failure)
    return next
  }
}

extension SubscriptionSetRecord: SyncCodable {
  /// The form of the record; a store of a newer one is not read.
  private static let form: UInt64 = 1

  package func encode(into encoder: inout SyncEncoder) {
    encoder.writer.varint(Self.form)
    encoder.writer.varint(version)
    encoder.writer.count(subscriptions.count)
    for subscription in subscriptions { subscription.encode(into: &encoder) }
    state.encode(into: &encoder)
    encoder.writer.varint(completedVersion)
    encoder.writer.byte(inForce == nil ? 0 : 1)
    inForce?.encode(into: &encoder)
  }

  package init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let form = try decoder.reader.varint()
    guard form == Self.form else { throw SyncDecodingError(.unknownTag(form, of: "sets of subscriptions"), at: start) }
    version = try decoder.reader.varint()
    let count = try decoder.reader.count(eachAtLeast: 6)
    subscriptions.reserveCapacity(count)
    for _ in 0..<count { subscriptions.append(try SubscriptionRecord(from: &decoder)) }
    state = try SubscriptionSetState(from: &decoder)
    completedVersion = try decoder.reader.varint()
    let presence = decoder.reader.position
    switch try decoder.reader.byte() {
    case 0: break
    case 1: inForce = try Subscribe(from: &decoder)
    case let tag: throw SyncDecodingError(.unknownTag(UInt64(tag), of: "flags"), at: presence)
    }
  }
}

extension SubscriptionSetRecord {
  /// The name in the state of synchronisation.
  package static let stateName = "subscriptions"

  /// The newest set of a version of a store; nil where there was none.
  ///
  /// - Throws: `StorageError`, `.corrupted` for a record that cannot be read.
  package static func newest(in snapshot: Snapshot) throws -> SubscriptionSetRecord? {
    try snapshot.syncState(stateName).map { try read($0, path: snapshot.store.path) }
  }

  /// The newest set, with the changes of a transaction; nil where there was none.
  package static func newest(in writing: SyncWriting, path: String) throws -> SubscriptionSetRecord? {
    try writing.state(stateName).map { try read($0, path: path) }
  }

  /// Keeps the set in the transaction.
  package func write(to writing: SyncWriting) throws { try writing.setState(Self.stateName, encoded()) }

  private static func read(_ bytes: [UInt8], path: String) throws -> SubscriptionSetRecord {
    do {
      return try SubscriptionSetRecord(decoding: bytes)
    } catch {
      throw StorageError(
        .corrupted, "The subscriptions of '\(path)' cannot be read (\(error)): check the store.", path: path)
    }
  }
}
