// Changes of classes that the server does not have (Y-49).
extension Device {
  /// Takes what was done to objects of some classes out of the commits after one, none of which may have been sent. The objects stay as they are, and
  /// are as if they had never been synchronised; other operations of the commits stay as well, without what a schema does not have of their objects.
  /// Costs time in the size of these commits.
  public mutating func withhold(
    _ classes: Set<SyncText>, unknownTo filter: SchemaFilter? = nil, after siteVersion: UInt64
  ) {
    for object in replica.withhold(classes, filter, after: siteVersion, site: site) where !isWaiting(object) {
      leaveView(object)
      outside?.remove(object)
    }
  }
}

// Commits that cannot be sent.
extension Device {
  /// Takes everything out of a commit that no server takes. It stays as one that does nothing, so that those after it keep their numbers; the objects
  /// become what they are at the server, for which everything is needed again.
  public mutating func setAside(_ siteVersion: UInt64) {
    replica.pending.empty(siteVersion)
    needEverything()
  }
}

extension Replica {
  /// Takes operations out, and returns the objects that they were on.
  fileprivate mutating func withhold(
    _ classes: Set<SyncText>, _ filter: SchemaFilter?, after siteVersion: UInt64, site: SiteID
  ) -> [ObjectName] {
    let named = Set(
      pending.commits.filter { $0.siteVersion > siteVersion }.flatMap { $0.operations.map(\.object) })
    let known = named.map { ($0, shadow(of: $0)) }
    guard let change = pending.withhold(classes, filter, after: siteVersion, site: site) else { return [] }
    for case (let object, var shadow?) in known {
      if let filter { shadow.forget { !filter.knows($0, of: object.className) } }
      setShadow(object, classes.contains(object.className) ? nil : change.renamed(shadow))
    }
    return named.filter { classes.contains($0.className) }
  }
}

extension PendingOperations {
  /// Takes operations on objects of some classes out of the commits after one, all of whose operations wait. What turns names that were given by the
  /// others into their new ones; nil when there are no such operations.
  fileprivate mutating func withhold(
    _ classes: Set<SyncText>, _ filter: SchemaFilter?, after siteVersion: UInt64, site: SiteID
  ) -> SiteFork? {
    func kept(_ operation: SyncOperation) -> SyncOperation? {
      if classes.contains(operation.object.className) { return nil }
      return filter.map { $0.kept(operation) } ?? operation
    }
    var change = SiteFork(old: site, new: site, common: 0)
    var isOther = false
    for commit in commits where commit.siteVersion > siteVersion {
      let operations = commit.operations.map { kept($0) }
      isOther = isOther || operations != commit.operations
      let left = operations.indices.filter { operations[$0] != nil }
      guard left.count < operations.count else { continue }
      change.moved[commit.siteVersion] = Dictionary(
        uniqueKeysWithValues: left.enumerated().map { (UInt32($1), UInt32($0)) })
    }
    guard isOther else { return nil }
    rewrite(after: siteVersion) { commit in
      change.renamed(
        SyncCommit(
          siteVersion: commit.siteVersion, time: commit.time, nonce: commit.nonce,
          operations: commit.operations.compactMap { kept($0) }))
    }
    return change
  }
}

extension Shadow {
  /// Forgets what is known of some properties of the object.
  fileprivate mutating func forget(_ isForgotten: (SyncText) -> Bool) {
    for slot in children.keys {
      if case .name(let property) = slot, isForgotten(property) { children[slot] = nil }
    }
  }
}
