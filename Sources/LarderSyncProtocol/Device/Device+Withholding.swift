// Changes of classes that the server does not have (Y-49).
extension Device {
  /// Takes what was done to objects of some classes out of the commits after one, none of which may have been sent. The objects stay as they are, and
  /// are as if they had never been synchronised; other operations of the commits stay as well. Costs time in the size of these commits.
  public mutating func withhold(_ classes: Set<SyncText>, after siteVersion: UInt64) {
    for object in replica.withhold(classes, after: siteVersion, site: site) where !isWaiting(object) {
      leaveView(object)
      outside?.remove(object)
    }
  }
}

extension Replica {
  /// Takes operations out, and returns the objects that they were on.
  fileprivate mutating func withhold(
    _ classes: Set<SyncText>, after siteVersion: UInt64, site: SiteID
  ) -> [ObjectName] {
    let named = Set(
      pending.commits.filter { $0.siteVersion > siteVersion }.flatMap { $0.operations.map(\.object) })
    let known = named.map { ($0, shadow(of: $0)) }
    guard let change = pending.withhold(classes, after: siteVersion, site: site) else { return [] }
    for (object, shadow) in known where shadow != nil {
      setShadow(object, classes.contains(object.className) ? nil : shadow.map { change.renamed($0) })
    }
    return named.filter { classes.contains($0.className) }
  }
}

extension PendingOperations {
  /// Takes operations on objects of some classes out of the commits after one, all of whose operations wait. What turns names that were given by the
  /// others into their new ones; nil when there are no such operations.
  fileprivate mutating func withhold(
    _ classes: Set<SyncText>, after siteVersion: UInt64, site: SiteID
  ) -> SiteFork? {
    var change = SiteFork(old: site, new: site, common: 0)
    for commit in commits where commit.siteVersion > siteVersion {
      let kept = commit.operations.indices.filter { !classes.contains(commit.operations[$0].object.className) }
      guard kept.count < commit.operations.count else { continue }
      change.moved[commit.siteVersion] = Dictionary(
        uniqueKeysWithValues: kept.enumerated().map { (UInt32($1), UInt32($0)) })
    }
    guard !change.moved.isEmpty else { return nil }
    rewrite(after: siteVersion) { commit in
      change.renamed(
        SyncCommit(
          siteVersion: commit.siteVersion, time: commit.time, nonce: commit.nonce,
          operations: commit.operations.filter { !classes.contains($0.object.className) }))
    }
    return change
  }
}
