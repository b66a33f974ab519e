import Foundation

/// A decoded, mutable leaf: the values of one column for the slots of a cluster, or a chunk of a list.
///
/// A setter beyond `count` grows the buffer; slots in between become null (optional columns) or zero. Setters and getters
/// trap on a type that is not the column's own and on slots outside of the capacity or, for getters, of `0..<count`.
/// Reading the value of a null slot gives an arbitrary value. Not thread-safe; fields skip dynamic exclusivity checks, which
/// would cost more than the sets themselves. A set costs about 2 ns, of a string about 8 ns.
final class ColumnBuffer {
  package let type: ColumnType
  /// True if slots that were never set are null.
  package let isOptional: Bool
  package let capacity: Int
  @exclusivity(unchecked) package internal(set) var count = 0

  let codec: LeafCodec
  /// Bytes per slot in `values`; zero for bits.
  let stride: Int
  /// The values; of strings and data an `Extent` each; of bits, 64-bit words. Bits beyond `count` are zero.
  let values: UnsafeMutableRawPointer
  /// Null bits, then as many words of scratch for encoding. Bits beyond `count` are zero.
  let nulls: UnsafeMutablePointer<UInt64>
  let wordCount: Int
  /// False only while all null bits are zero.
  @exclusivity(unchecked) var mayHaveNulls = false
  /// Dates: allocated with the first fraction of a second.
  @exclusivity(unchecked) var nanoseconds: UnsafeMutablePointer<UInt32>?
  /// Strings and data: marks of values that live outside, allocated with the first.
  @exclusivity(unchecked) var large: UnsafeMutablePointer<UInt64>?
  @exclusivity(unchecked) var arena = ByteArena()

  /// An empty column. Traps on a capacity outside of `1...65535`.
  package init(type: ColumnType, capacity: Int, isOptional: Bool = false) {
    precondition(capacity > 0 && capacity <= LeafFormat.maximumCount, "a leaf has 1 to 65,535 slots")
    let codec = type.codec
    self.type = type
    self.isOptional = isOptional
    self.capacity = capacity
    self.codec = codec
    stride = type.stride
    wordCount = Bitmap.wordCount(capacity)
    let size = codec == .bits ? wordCount << 3 : LeafFormat.padded(stride * capacity)
    values = .allocate(byteCount: size, alignment: 16)
    values.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    nulls = .allocate(capacity: 2 * wordCount)
    nulls.initialize(repeating: 0, count: 2 * wordCount)
  }

  deinit {
    values.deallocate()
    nulls.deallocate()
    nanoseconds?.deallocate()
    large?.deallocate()
    arena.deallocate()
  }

  // MARK: - Slots

  @inline(__always) package func isNull(_ slot: Int) -> Bool {
    check(slot)
    return ColumnBuffer.test(nulls, slot)
  }

  /// Number of null slots. O(count / 64).
  package var nullCount: Int {
    guard mayHaveNulls else { return 0 }
    return (0..<wordCount).reduce(0) { $0 + nulls[$1].nonzeroBitCount }
  }

  /// Makes a slot null, growing the buffer up to it.
  package func setNull(_ slot: Int) {
    claim(slot)
    if codec == .bytes { release(slot) }
    clearValue(slot)
    ColumnBuffer.set(nulls, slot)
    mayHaveNulls = true
  }

  /// Makes a slot the type's zero (not null), growing the buffer up to it.
  package func setZero(_ slot: Int) {
    claim(slot)
    if codec == .bytes { release(slot) }
    clearValue(slot)
    if type == .decimal128 { setDecimalZero(slot) }
  }

  /// Zeros in all bytes would be a zero with the smallest exponent there is (`0E-6176`).
  private func setDecimalZero(_ slot: Int) {
    let zero = Decimal128Bits.zero
    values.storeBytes(of: zero.low, toByteOffset: slot &* 16, as: UInt64.self)
    values.storeBytes(of: zero.high, toByteOffset: slot &* 16 &+ 8, as: UInt64.self)
  }

  @inline(__always) func check(_ slot: Int) {
    precondition(slot >= 0 && slot < count, "slot outside of the column")
  }

  /// Makes sure that the slot exists and is not null, before its value is stored.
  @inline(__always) func claim(_ slot: Int) {
    if slot >= count {
      precondition(slot < capacity, "slot outside of the column's capacity")
      if slot > count { fill(count..<slot) }
      count = slot &+ 1
    } else {
      precondition(slot >= 0, "negative slot")
      if mayHaveNulls { ColumnBuffer.clear(nulls, slot) }
    }
  }

  /// Gives slots at the end their default: null or zero.
  @inline(never) func fill(_ slots: Range<Int>) {
    for slot in slots {
      clearValue(slot)
      if isOptional { ColumnBuffer.set(nulls, slot) } else if type == .decimal128 { setDecimalZero(slot) }
    }
    if isOptional { mayHaveNulls = true }
  }

  /// Zeroes a value; does not free the bytes of a string.
  func clearValue(_ slot: Int) {
    if codec == .bits {
      ColumnBuffer.clear(words, slot)
    } else {
      (values + slot * stride).initializeMemory(as: UInt8.self, repeating: 0, count: stride)
    }
    nanoseconds?[slot] = 0
  }

  // MARK: - Bits

  /// The words of a column of bits.
  @inline(__always) var words: UnsafeMutablePointer<UInt64> { values.assumingMemoryBound(to: UInt64.self) }
  @inline(__always) var integers: UnsafeMutablePointer<Int64> { values.assumingMemoryBound(to: Int64.self) }

  @inline(__always) static func test(_ words: UnsafeMutablePointer<UInt64>, _ slot: Int) -> Bool {
    words[slot &>> 6] &>> UInt64(slot & 63) & 1 != 0
  }
  @inline(__always) static func set(_ words: UnsafeMutablePointer<UInt64>, _ slot: Int) {
    words[slot &>> 6] |= 1 &<< UInt64(slot & 63)
  }
  @inline(__always) static func clear(_ words: UnsafeMutablePointer<UInt64>, _ slot: Int) {
    words[slot &>> 6] &= ~(1 &<< UInt64(slot & 63))
  }
}
