import LarderStorage
import LarderSyncProtocol

/// Classes that the server does not have: what is done to their objects waits on this device (Y-49).
extension Exchange {
  /// At most so many objects are sent in one commit when a class is sent as it is.
  private static let objectsOfCommit = 500

  /// Takes the server's classes. They are kept for what checks queries without a connection too (Y-18).
  func keep(_ schema: SyncSchema) throws {
    session?.awaitsSchema = false
    let bytes = schema.encoded()
    let sent = session?.sentThrough ?? 0
    if try keeper.store.snapshot().syncState(ServerSchema.stateName) != bytes {
      try keeper.write { transaction in
        try transaction.state.setState(ServerSchema.stateName, bytes)
        let former = transaction.withheld.schema
        try transaction.refreshWithheld()
        transaction.device.withhold(
          transaction.withheld.names, unknownTo: transaction.withheld.filter,
          after: max(sent, transaction.device.acknowledged))
        guard let former else { return }
        try transaction.release(schema.additions(to: former), by: Self.objectsOfCommit)
        try transaction.askAgain()
      }
    }
    try pump()
  }

  /// Sends the objects of classes that the server has by now. Those that are subscribed to wait for a subscription, without which the server would
  /// refuse them (Y-26).
  func releaseClasses() throws {
    let withheld = keeper.withheld
    guard let known = withheld.known, !withheld.names.isDisjoint(with: known) else { return }
    let catalog = try keeper.currentCatalog()
    var wanted = catalog.sentOnly
    if let record = try SubscriptionSetRecord.newest(in: keeper.store.snapshot()) {
      if case .error = record.state {} else { wanted.formUnion(record.subscriptions.map(\.className)) }
    }
    let ready = withheld.names.intersection(known).intersection(wanted)
    guard !ready.isEmpty else { return }
    var commits: UInt64 = 0
    for name in ready {
      guard let entry = catalog[name] else { continue }
      commits += UInt64(try keeper.store.snapshot().count(of: entry.descriptor.id) / Self.objectsOfCommit) + 1
    }
    let newest = keeper.device?.newestTime.rawValue ?? 0
    // The store's own commits come after these.
    try keeper.write(after: SyncTime(rawValue: newest + commits)) {
      try $0.release(ready, by: Self.objectsOfCommit, after: newest)
    }
  }
}

extension DeviceTransaction {
  fileprivate func refreshWithheld() throws {
    guard let replica = device.store.transaction else { return }
    try withheld.refresh(state, replica.catalog)
  }

  /// Has a set that the server has refused sent once more, as a new version: what it does not have, it may have now.
  fileprivate func askAgain() throws {
    guard let record = try SubscriptionSetRecord.newest(in: state, path: path),
      case .error = record.state
    else { return }
    try record.changed(to: record.subscriptions).write(to: state)
  }

  /// Makes commits of properties that the server did not have until now, by class, for the objects that have them.
  fileprivate func release(_ properties: [SyncText: Set<SyncText>], by count: Int) throws {
    guard let replica = device.store.transaction else { return }
    let released = properties.filter { replica.catalog[$0.key] != nil && !withheld.names.contains($0.key) }
    try send(Set(released.keys), only: released, by: count, after: 0)
  }

  /// Makes commits of all objects of classes, as they are.
  fileprivate func release(_ classes: Set<SyncText>, by count: Int, after time: UInt64) throws {
    try withheld.release(classes, state)
    try send(classes, only: [:], by: count, after: time)
  }

  private func send(
    _ classes: Set<SyncText>, only properties: [SyncText: Set<SyncText>], by count: Int, after time: UInt64
  ) throws {
    guard let replica = device.store.transaction else { return }
    var random = SystemRandomNumberGenerator()
    var time = max(time, device.newestTime.rawValue)
    for name in classes.sorted() {
      guard let entry = replica.catalog[name] else { continue }
      var edits = try LoggedCommits(replica, filter: withheld.filter).everything(in: entry, only: properties[name])[...]
      // Elements that have names already were sent once.
      edits.removeAll { edit in
        guard case .listInsert(let path, _, _, _) = edit.change else { return false }
        return device.knowsElements(of: path.property, edit.object)
      }
      while !edits.isEmpty {
        var objects = 0
        let end = edits.firstIndex { edit in
          if case .create = edit.change { objects += 1 }
          return objects > count
        }
        time += 1
        let commit = LocalCommit(
          time: SyncTime(rawValue: time), nonce: random.next(), edits: Array(edits[..<(end ?? edits.endIndex)]))
        for part in commit.parts(nonce: { random.next() }) {
          time = max(time, part.time.rawValue)
          try device.replay(part)
        }
        edits = edits[(end ?? edits.endIndex)...]
      }
    }
  }
}

extension SyncSchema {
  /// The properties that this schema has and an earlier one lacks, by class, of classes that both have.
  fileprivate func additions(to earlier: SyncSchema) -> [SyncText: Set<SyncText>] {
    var result: [SyncText: Set<SyncText>] = [:]
    for former in earlier.classes {
      guard let own = classes.first(where: { $0.name == former.name }) else { continue }
      let new = own.properties.map(\.name).filter { former.property($0) == nil }
      if !new.isEmpty { result[own.name] = Set(new) }
    }
    return result
  }
}
