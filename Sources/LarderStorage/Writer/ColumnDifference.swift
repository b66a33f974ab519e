/// The values of one column of a cluster that came and went between what is stored and what a transaction made of it.
struct ColumnDifference {
  let descriptor: ColumnDescriptor
  let stored: LeafView?
  let storedPresence: Bitmap
  /// Nil when the column itself did not change.
  let current: DirtyColumn?
  let presence: Bitmap
  /// The slots where there may be a difference.
  let slots: Range<Int>
  /// Object key of slot 0.
  let firstKey: UInt64
  /// Finds a value that is too large for the leaf.
  let largeValue: (ObjectKey) throws -> StoredValue

  /// Calls `body` with (value, key, -1) for each that went and (value, key, 1) for each that came.
  func forEach(_ body: (IndexValue, ObjectKey, Int) throws -> Void) throws {
    try forEachValue { value, key, delta in
      if let indexed = IndexValue(value, type: descriptor.type) { try body(indexed, key, delta) }
    }
  }

  /// Calls `body` as `forEach` does, with the values themselves.
  func forEachValue(_ body: (StoredValue, ObjectKey, Int) throws -> Void) throws {
    for slot in slots {
      let was = storedPresence[slot]
      let isThere = presence[slot]
      if !was && !isThere { continue }
      if was && isThere {
        guard let current, current.isDirty, !isEqual(current, slot) else { continue }
      }
      let key = ObjectKey(rawValue: firstKey + UInt64(slot))
      if was { try body(try storedValue(slot, key), key, -1) }
      if isThere { try body(try currentValue(slot, key), key, 1) }
    }
  }

  /// Returns true if a slot that was and is present holds the same value for certain.
  func isUnchanged(_ slot: Int) -> Bool {
    guard let current, current.isDirty else { return true }
    return isEqual(current, slot)
  }

  /// Returns true if a slot holds the same small value before and after; false when unsure.
  private func isEqual(_ current: DirtyColumn, _ slot: Int) -> Bool {
    guard let stored, slot < stored.count, slot < current.count else { return false }
    if let isEqual = current.undecodedIsEqual(slot, to: stored) { return isEqual }
    let wasNull = stored.isNull(slot)
    guard wasNull == current.buffer.isNull(slot) else { return false }
    if wasNull { return true }
    switch descriptor.type {
    case .int: return stored.int(slot) == current.buffer.int(slot)
    case .link: return stored.link(slot) == current.buffer.link(slot)
    case .string, .data, .mixed:
      guard !stored.isLarge(slot), !current.buffer.isLarge(slot) else { return false }
      return stored.bytes(slot).elementsEqual(current.buffer.bytes(slot))
    default: return (try? stored.value(slot)) == current.buffer.value(slot)
    }
  }

  func storedValue(_ slot: Int, _ key: ObjectKey) throws -> StoredValue {
    guard let stored, slot < stored.count else { return StoredValue.initial(descriptor) }
    if stored.isNull(slot) { return .null }
    if stored.isLarge(slot) { return try largeValue(key) }
    return try stored.value(slot)
  }

  func currentValue(_ slot: Int, _ key: ObjectKey) throws -> StoredValue {
    guard let current else { return try storedValue(slot, key) }
    guard slot < current.count else { return StoredValue.initial(descriptor) }
    return try current.value(slot) ?? largeValue(key)
  }
}
