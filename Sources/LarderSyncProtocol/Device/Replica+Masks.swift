// What waiting operations hide of what the server says (MR-4).
extension Replica {
  /// Returns true if a waiting operation decides a slot of an object.
  func masks(_ slot: SyncPath, _ object: ObjectName) -> Bool {
    pending.edits(object).contains { $0.decides(slot) }
  }

  /// Returns true if a waiting operation decides whether a value is in a set.
  func masks(_ value: SyncValue, _ set: SyncCollectionPath, _ object: ObjectName) -> Bool {
    pending.edits(object).contains { edit in
      switch edit {
      case .delete: true
      case .setInsert(let path, let other), .setRemove(let path, let other): path == set && other == value
      case .setClear(let path): path == set
      default: false
      }
    }
  }

  /// Returns true if the object's removal waits.
  func isDeleted(_ object: ObjectName) -> Bool { pending.edits(object).contains(.delete) }

  /// The value of a slot with what waiting operations add to it, in their order.
  func adding(to value: SyncValue, at slot: SyncPath, _ object: ObjectName) -> SyncValue {
    pending.edits(object).reduce(value) { sum, edit in
      if case .add(slot, let delta) = edit { sum.adding(delta) ?? sum } else { sum }
    }
  }
}

extension SyncEdit {
  /// Returns true if the edit's change of a slot replaces what the server says of it.
  func decides(_ slot: SyncPath) -> Bool {
    switch self {
    case .delete: return true
    case .create(let properties):
      return slot.steps.isEmpty && properties.contains { $0.rank == .explicit && $0.name == slot.property }
    case .set(let path, _): return path == slot
    case .mapPut(let path, let key, _), .mapRemove(let path, let key):
      return slot == path.slot.appending(.key(key, in: path.incarnation))
    case .mapClear(let path):
      guard case .key(_, path.incarnation) = slot.steps.last, slot.property == path.slot.property else { return false }
      return slot.steps.dropLast().elementsEqual(path.slot.steps)
    default: return false
    }
  }
}
