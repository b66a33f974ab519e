/// The objects that are there or wait and are not in a device's view.
///
/// Nearly all of them are objects that the device has created and that wait. So only the exceptions from that are kept.
struct ViewExceptions: Sendable {
  private(set) var objects: Set<ObjectName>
  private(set) var changed: Set<ObjectName> = []
  /// Objects that wait, and are outside though their first waiting operation is no creation, or the other way round.
  private(set) var exceptions: Set<ObjectName>

  /// Restores the objects from the exceptions that were kept.
  init(exceptions: Set<ObjectName>, pending: PendingOperations) {
    self.exceptions = exceptions
    objects = Set(
      pending.objects.filter { pending.startsWithCreation($0) != exceptions.contains($0) })
  }

  func contains(_ object: ObjectName) -> Bool { objects.contains(object) }

  mutating func insert(_ object: ObjectName) {
    if objects.insert(object).inserted { changed.insert(object) }
  }

  mutating func remove(_ object: ObjectName) {
    if objects.remove(object) != nil { changed.insert(object) }
  }

  /// The objects that a transaction of the store makes: a store says of none that was there before it that it was created, unless it was
  /// deleted at first.
  func newObjects(of commit: LocalCommit, isWaiting: (ObjectName) -> Bool) -> [ObjectName] {
    var deleted: Set<ObjectName> = []
    var result: [ObjectName] = []
    for edit in commit.edits {
      switch edit.change {
      case .delete: deleted.insert(edit.object)
      case .create where !deleted.contains(edit.object) && !isWaiting(edit.object): result.append(edit.object)
      default: break
      }
    }
    return result
  }

  /// Brings the exceptions up to date; false when they stay what they were.
  mutating func update(_ pending: PendingOperations) -> Bool {
    let before = exceptions
    for object in changed.union(pending.changes.objects) {
      let isException = pending.isWaiting(object) && pending.startsWithCreation(object) != objects.contains(object)
      if isException { exceptions.insert(object) } else { exceptions.remove(object) }
    }
    changed = []
    return exceptions != before
  }
}

extension PendingOperations {
  /// Returns true if the first operation on an object that waits creates it.
  func startsWithCreation(_ object: ObjectName) -> Bool {
    guard let key = keys(object).first, case .create = operation(key)?.edit else { return false }
    return true
  }
}
