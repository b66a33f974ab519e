import LarderQuery
import LarderStorage
import LarderSyncProtocol

/// Looks whether new objects are in a subscription: others would be reverted by the server (Y-25, Y-26).
struct WriteGuard {
  let writer: StoreWriter
  let subscriptions: [SubscriptionRecord]
  /// Returns true if the server does not have a class: its objects wait until it has (Y-49).
  let isUnknown: (SyncText) -> Bool

  /// - Throws: `Realm.Error.noSubscriptionForWrite` for the first object that is in none.
  func verify() throws {
    for (classID, keys) in CreatedObjects(writer).classes {
      guard let entry = writer.schema[classID] else { continue }
      let name = SyncText(entry.name)
      if isUnknown(name) { continue }
      let own = subscriptions.filter { $0.className == name }
      guard !own.isEmpty else { throw missing(entry, keys) }
      if let outside = try first(of: keys, in: classID, outside: own) { throw self.outside(entry, outside, own) }
    }
  }

  private func first(of keys: [ObjectKey], in classID: ClassID, outside own: [SubscriptionRecord]) throws -> ObjectKey?
  {
    if own.contains(where: { $0.predicate == "TRUEPREDICATE" }) { return nil }
    var left = keys
    for subscription in own where !left.isEmpty {
      let arguments = subscription.arguments.map { PredicateArgument.value(StoredValue(plain: $0) ?? .null) }
      let bound = try Binder.bind(subscription.predicate.string, arguments, to: classID, in: writer.schema)
      let inside = Set(try ResultsQuery(.keys(classID, left), predicate: bound).keys(in: writer))
      left.removeAll { inside.contains($0) }
    }
    return left.first
  }

  private func missing(_ entry: ClassDescriptor, _ keys: [ObjectKey]) -> Realm.Error {
    .make(
      .noSubscriptionForWrite,
      "No subscription has objects of '\(entry.name)', so that new ones (such as \(key(entry, keys[0]))) cannot be sent. Before writing: "
        + "try await realm.subscriptions.update { realm.subscriptions.append(QuerySubscription<\(entry.name)>()) }.",
      className: entry.name, path: writer.store.path)
  }

  private func outside(_ entry: ClassDescriptor, _ object: ObjectKey, _ own: [SubscriptionRecord]) -> Realm.Error {
    let queries = own.map { "'\($0.queryText)'" }.joined(separator: ", ")
    return .make(
      .noSubscriptionForWrite,
      "The new \(entry.name) \(key(entry, object)) is in none of the subscriptions to '\(entry.name)' (\(queries)): the server would revert "
        + "it. Subscribe to it before, or set outsideWrites of the configuration to .sendAnyway.",
      className: entry.name, path: writer.store.path)
  }

  private func key(_ entry: ClassDescriptor, _ object: ObjectKey) -> String {
    guard let column = entry.primaryKey, let value = try? writer.value(entry.id, column.id, object) else {
      return "without a key"
    }
    return "with \(column.name) \(value.shortDescription)"
  }
}
