/// Additions of pairs of byte strings that can be found by the strings, before they are sorted.
///
/// A table of numbers of pairs, with 32 bits of each string's hash: the strings themselves are among the changes. A value type for one
/// thread; 8 to 22 bytes a pair beside the changes.
struct AddedPairs {
  /// The pairs that were added.
  private(set) var changes = PairChanges(codec: .bytes)
  /// Bits of the hash above, one more than the pair's number below; zero where there is none.
  private var slots: [UInt64] = []
  private var used = 0

  /// Number of additions.
  @inline(__always)
  var count: Int { changes.count }

  /// The key of the pair that was added last of those with this value. Mutating so that nothing is copied.
  mutating func key(of value: StoredValue, _ type: ColumnType) -> ObjectKey? {
    guard used > 0 else { return nil }
    return IndexValue.withBytes(of: value, type) { bytes in
      let found = slots[place(of: bytes, Self.tag(bytes))]
      return found == 0 ? nil : ObjectKey(rawValue: changes.values[Self.number(found)].key)
    } ?? nil
  }

  /// Adds the pair of a value and a key; false, with nothing done, for a value that is not indexed as bytes, or by its head only.
  mutating func add(_ value: StoredValue, _ type: ColumnType, _ key: ObjectKey) -> Bool {
    let isAdded: Bool? = IndexValue.withBytes(of: value, type) { bytes in
      if 4 * (used + 1) > 3 * slots.count { grow() }
      let tag = Self.tag(bytes)
      let place = place(of: bytes, tag)
      if slots[place] == 0 { used += 1 }
      changes.add(bytes, key, 1)
      slots[place] = tag << 32 | UInt64(changes.values.count)
      return true
    }
    return isAdded == true
  }

  /// Returns the position of the bytes in the table, or the free place where they are to be.
  private func place(of bytes: UnsafeRawBufferPointer, _ tag: UInt64) -> Int {
    let mask = slots.count - 1
    var place = Int(tag) & mask
    while slots[place] != 0 {
      if slots[place] >> 32 == tag, changes.has(bytes, at: Self.number(slots[place])) { return place }
      place = (place + 1) & mask
    }
    return place
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: max(64, 2 * old.count))
    let mask = slots.count - 1
    for slot in old where slot != 0 {
      var place = Int(slot >> 32) & mask
      while slots[place] != 0 { place = (place + 1) & mask }
      slots[place] = slot
    }
  }

  private static func number(_ slot: UInt64) -> Int { Int(slot & 0xFFFF_FFFF) - 1 }

  /// Half of the bits of Swift's hash, which differ from process to process: no one can choose values that collide.
  private static func tag(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(bytes: bytes)
    return UInt64(truncatingIfNeeded: hasher.finalize()) >> 32
  }
}
