extension ColumnBuffer {
  /// Opens a gap of zero (not null) slots before `position`, for elements of a list. Traps beyond the capacity. O(count).
  package func insertSlots(at position: Int, count inserted: Int = 1) {
    precondition(position >= 0 && position <= count, "position outside of the column")
    precondition(inserted >= 0 && count + inserted <= capacity, "more slots than the column's capacity")
    let moved = count - position
    if codec == .bits {
      ColumnBuffer.shiftUp(words, from: position, by: inserted, end: count)
    } else {
      let source = values + position * stride
      (source + inserted * stride).copyMemory(from: source, byteCount: moved * stride)
      source.initializeMemory(as: UInt8.self, repeating: 0, count: inserted * stride)
    }
    if mayHaveNulls { ColumnBuffer.shiftUp(nulls, from: position, by: inserted, end: count) }
    if let large { ColumnBuffer.shiftUp(large, from: position, by: inserted, end: count) }
    if let nanoseconds {
      (nanoseconds + position + inserted).update(from: nanoseconds + position, count: moved)
      (nanoseconds + position).update(repeating: 0, count: inserted)
    }
    count += inserted
  }

  /// Inserts a value before `position`; later elements move up.
  package func insert(at position: Int, _ value: StoredValue) {
    insertSlots(at: position)
    set(position, value)
  }

  package func append(_ value: StoredValue) { set(count, value) }

  /// Removes slots; later elements move down. O(count).
  package func remove(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside of the column")
    if range.isEmpty { return }
    if codec == .bytes { for slot in range { release(slot) } }
    let moved = count - range.upperBound
    let end = count - range.count
    if codec == .bits {
      ColumnBuffer.shiftDown(words, to: range.lowerBound, by: range.count, end: count)
    } else {
      let target = values + range.lowerBound * stride
      target.copyMemory(from: values + range.upperBound * stride, byteCount: moved * stride)
      (values + end * stride).initializeMemory(as: UInt8.self, repeating: 0, count: range.count * stride)
    }
    if mayHaveNulls { ColumnBuffer.shiftDown(nulls, to: range.lowerBound, by: range.count, end: count) }
    if let large { ColumnBuffer.shiftDown(large, to: range.lowerBound, by: range.count, end: count) }
    if let nanoseconds {
      (nanoseconds + range.lowerBound).update(from: nanoseconds + range.upperBound, count: moved)
      (nanoseconds + end).update(repeating: 0, count: range.count)
    }
    count = end
  }

  /// Appends slots of another column of the same type. Large slots stay large.
  package func append(_ slots: Range<Int>, of other: ColumnBuffer) {
    precondition(type == other.type, "columns of different types")
    if !other.mayHaveNulls, codec == .integers || codec == .fixed { return appendPlain(slots, of: other) }
    for slot in slots {
      if other.isNull(slot) {
        setNull(count)
      } else if let stub = other.large == nil ? nil : other.largeStub(slot) {
        setLarge(count, length: stub.length, hash: stub.hash)
      } else if codec == .bytes {
        setBytes(count, other.bytes(slot))
      } else {
        set(count, other.value(slot))
      }
    }
  }

  /// Appends values of a fixed size, none of them null, as they are.
  private func appendPlain(_ slots: Range<Int>, of other: ColumnBuffer) {
    guard !slots.isEmpty else { return }
    other.check(slots.lowerBound)
    other.check(slots.upperBound - 1)
    precondition(count + slots.count <= capacity, "more slots than the column's capacity")
    (values + count * stride).copyMemory(
      from: other.values + slots.lowerBound * stride, byteCount: slots.count * stride)
    count += slots.count
  }

  /// Moves the bits `from..<end` up and clears the gap.
  private static func shiftUp(_ words: UnsafeMutablePointer<UInt64>, from: Int, by distance: Int, end: Int) {
    var slot = end
    while slot > from {
      slot -= 1
      assign(words, slot + distance, test(words, slot))
    }
    for slot in from..<from + distance { clear(words, slot) }
  }

  /// Moves the bits from `to + distance` to `end` down and clears the tail.
  private static func shiftDown(_ words: UnsafeMutablePointer<UInt64>, to: Int, by distance: Int, end: Int) {
    var slot = to
    while slot + distance < end {
      assign(words, slot, test(words, slot + distance))
      slot += 1
    }
    for slot in end - distance..<end { clear(words, slot) }
  }

  @inline(__always)
  private static func assign(_ words: UnsafeMutablePointer<UInt64>, _ slot: Int, _ bit: Bool) {
    if bit { set(words, slot) } else { clear(words, slot) }
  }
}
