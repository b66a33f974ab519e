// Objects that are only sent (Y-46): nothing of them comes from the server but markers, and they are not kept.
extension Device {
  /// Returns true if a commit after one, up to the last that is confirmed, has operations on objects of some classes.
  public func hasConfirmed(_ classes: Set<SyncText>, after siteVersion: UInt64) -> Bool {
    confirmed(after: siteVersion).contains { $0.operations.contains { classes.contains($0.object.className) } }
  }

  /// Deletes objects of classes that are only sent as soon as everything that was done to them is confirmed. Their markers then change nothing.
  ///
  /// - Parameter siteVersion: Only objects of commits after this one are looked at; nil for all that are in the store.
  public mutating func removeSent(_ classes: Set<SyncText>, after siteVersion: UInt64? = nil) {
    var objects: Set<ObjectName> = []
    if let siteVersion {
      for commit in confirmed(after: siteVersion) { objects.formUnion(commit.operations.map(\.object)) }
      objects = objects.filter { classes.contains($0.className) }
    } else {
      for name in classes { objects.formUnion(store.objects(of: name, after: nil, through: nil)) }
    }
    for object in objects {
      replica.pending.take(through: acknowledged, object)
      guard !isWaiting(object) else { continue }
      leaveView(object)
      outside?.remove(object)
      guard store.contains(object) else { continue }
      replica.setShadow(object, nil)
      store.replace(object, with: nil)
    }
  }

  private func confirmed(after siteVersion: UInt64) -> ArraySlice<SyncCommit> {
    let commits = replica.pending.commits
    let start = commits.firstIndex { $0.siteVersion > siteVersion } ?? commits.endIndex
    let end = commits.firstIndex { $0.siteVersion > acknowledged } ?? commits.endIndex
    return commits[start..<max(start, end)]
  }
}
