import Foundation

/// The pieces of one encoded leaf, ready for reading a slot without looking at the header again.
///
/// This is what property accessors and vectorised kernels keep and read; `LeafView` makes it, after it checked that all the
/// pieces are within the leaf. No reader checks its slot against `count`: callers do. Reading the value of a null slot gives
/// an arbitrary value, never a trap.
///
/// - Important: It does not keep the bytes alive. It is valid as long as the view it was made from.
@frozen
public struct LeafPointers: @unchecked Sendable {
  // Unchecked: the bytes are immutable while the transaction that produced the leaf is alive.

  /// First value, bit word, or entry of the offset table.
  public let payload: UnsafeRawPointer
  /// Strings and data: the first byte. Dates: the nanoseconds, or nil when all are zero.
  public let extra: UnsafeRawPointer?
  /// Bits of the null slots (1 = null) in 64-bit words; nil when no slot is null.
  public let nulls: UnsafeRawPointer?
  /// Bits of the slots whose bytes live outside of the leaf; nil when there are none.
  public let large: UnsafeRawPointer?
  /// Integers and dates: what the differences are added to (width 0: the value in slot 0). Strings and data: number of bytes.
  public let base: Int64
  /// Integers of width 0: the difference between neighbours. Dictionaries: bytes from the codes to `payload`, and above 32 bits the
  /// number of values.
  public let step: Int64
  public let count: Int32
  /// Bytes per value, or per entry of the offset table (1 = eight entries in ten bytes); bits per code of a dictionary.
  public let width: UInt8
  /// Raw value of the codec.
  public let codec: UInt8
  public let flags: UInt8
  /// Raw value of the column type; 0 for presence bits.
  public let type: UInt8

  package init(
    payload: UnsafeRawPointer, extra: UnsafeRawPointer?, nulls: UnsafeRawPointer?, large: UnsafeRawPointer?,
    base: Int64,
    step: Int64, count: Int, width: UInt8, codec: UInt8, flags: UInt8, type: UInt8
  ) {
    self.payload = payload
    self.extra = extra
    self.nulls = nulls
    self.large = large
    self.base = base
    self.step = step
    self.count = Int32(truncatingIfNeeded: count)
    self.width = width
    self.codec = codec
    self.flags = flags
    self.type = type
  }

  @inlinable @inline(__always)
  public func isNull(_ slot: Int) -> Bool {
    guard let nulls else { return false }
    return LeafPointers.bit(nulls, slot)
  }

  /// Returns true if the slot holds only a stub and its bytes are stored outside of the leaf.
  @inlinable @inline(__always)
  public func isLarge(_ slot: Int) -> Bool {
    guard let large else { return false }
    return LeafPointers.bit(large, slot)
  }

  /// 64 bits of the null bitmap; zero when there is none.
  @inlinable @inline(__always)
  public func nullWord(_ index: Int) -> UInt64 {
    nulls?.loadUnaligned(fromByteOffset: index &<< 3, as: UInt64.self) ?? 0
  }

  /// 64 slots of a bits leaf.
  @inlinable @inline(__always)
  public func bitWord(_ index: Int) -> UInt64 { payload.loadUnaligned(fromByteOffset: index &<< 3, as: UInt64.self) }

  @inlinable @inline(__always)
  public func bool(_ slot: Int) -> Bool { LeafPointers.bit(payload, slot) }

  /// An integer, a link's key, or the seconds of a date.
  @inlinable @inline(__always)
  public func int(_ slot: Int) -> Int64 {
    switch width {
    case 1: base &+ Int64(payload.load(fromByteOffset: slot, as: UInt8.self))
    case 2: base &+ Int64(payload.loadUnaligned(fromByteOffset: slot &<< 1, as: UInt16.self))
    case 4: base &+ Int64(payload.loadUnaligned(fromByteOffset: slot &<< 2, as: UInt32.self))
    case 8: payload.loadUnaligned(fromByteOffset: slot &<< 3, as: Int64.self)
    default: base &+ step &* Int64(slot)
    }
  }

  @inlinable @inline(__always)
  public func float(_ slot: Int) -> Float { payload.loadUnaligned(fromByteOffset: slot &<< 2, as: Float.self) }

  @inlinable @inline(__always)
  public func double(_ slot: Int) -> Double { payload.loadUnaligned(fromByteOffset: slot &<< 3, as: Double.self) }

  @inlinable @inline(__always)
  public func timestamp(_ slot: Int) -> Timestamp {
    let nanoseconds = extra?.loadUnaligned(fromByteOffset: slot &<< 2, as: UInt32.self) ?? 0
    return Timestamp(seconds: int(slot), nanoseconds: nanoseconds)
  }

  @inlinable @inline(__always)
  public func uuid(_ slot: Int) -> UUID {
    UUID(uuid: payload.loadUnaligned(fromByteOffset: slot &<< 4, as: uuid_t.self))
  }

  @inlinable @inline(__always)
  public func objectId(_ slot: Int) -> ObjectIdBytes {
    let high = payload.loadUnaligned(fromByteOffset: slot &* 12, as: UInt64.self)
    let low = payload.loadUnaligned(fromByteOffset: slot &* 12 &+ 8, as: UInt32.self)
    return ObjectIdBytes(high: UInt64(bigEndian: high), low: UInt32(bigEndian: low))
  }

  @inlinable @inline(__always)
  public func decimal128(_ slot: Int) -> Decimal128Bits {
    let low = payload.loadUnaligned(fromByteOffset: slot &<< 4, as: UInt64.self)
    let high = payload.loadUnaligned(fromByteOffset: slot &<< 4 &+ 8, as: UInt64.self)
    return Decimal128Bits(high: high, low: low)
  }

  /// Entry of the offset table as stored: where the slot's bytes begin, counted from `extra`.
  @inlinable @inline(__always)
  public func offset(_ slot: Int) -> Int {
    switch width {
    case 1:
      let group = (slot &>> 3) &* 10
      return Int(payload.loadUnaligned(fromByteOffset: group, as: UInt16.self))
        &+ Int(payload.load(fromByteOffset: group &+ 2 &+ (slot & 7), as: UInt8.self))
    case 2: return Int(payload.loadUnaligned(fromByteOffset: slot &<< 1, as: UInt16.self))
    default: return Int(payload.loadUnaligned(fromByteOffset: slot &<< 2, as: UInt32.self))
    }
  }

  /// True if slots hold codes of the values of a dictionary.
  @inlinable @inline(__always)
  public var isDictionary: Bool { codec == 6 }

  /// The number of values of a dictionary; at least one.
  @inlinable @inline(__always)
  public var entryCount: Int { Int(truncatingIfNeeded: step &>> 32) }

  /// Returns the number of the dictionary's value that a slot holds; a code that a damaged leaf makes up is clamped. Arbitrary in a null slot.
  @inlinable @inline(__always)
  public func code(_ slot: Int) -> Int { Swift.min(storedCode(slot), entryCount &- 1) }

  /// A code as it is stored: a damaged leaf may have one that its dictionary does not.
  @inlinable @inline(__always)
  public func storedCode(_ slot: Int) -> Int {
    let position = slot &* Int(width)
    let place = (position &>> 3) &- Int(UInt32(truncatingIfNeeded: step))
    let byte = Int(payload.load(fromByteOffset: place, as: UInt8.self))
    return (byte &>> (position & 7)) & ((1 &<< Int(width)) &- 1)
  }

  /// One of the values of a dictionary. Offsets of a damaged leaf are clamped to the leaf.
  @inlinable @inline(__always)
  public func entry(_ code: Int) -> UnsafeRawBufferPointer {
    let limit = Int(truncatingIfNeeded: base)
    let start = Swift.min(Int(payload.loadUnaligned(fromByteOffset: code &<< 1, as: UInt16.self)), limit)
    let next = Int(payload.loadUnaligned(fromByteOffset: code &<< 1 &+ 2, as: UInt16.self))
    return UnsafeRawBufferPointer(
      start: extra.unsafelyUnwrapped + start, count: Swift.min(Swift.max(next, start), limit) &- start)
  }

  /// The bytes of a string or data (of a large slot: its stub). Offsets of a damaged leaf are clamped to the leaf.
  @inlinable @inline(__always)
  public func bytes(_ slot: Int) -> UnsafeRawBufferPointer {
    if isDictionary { return entry(code(slot)) }
    let limit = Int(truncatingIfNeeded: base)
    let start = Swift.min(offset(slot), limit)
    let end = Swift.min(Swift.max(offset(slot &+ 1), start), limit)
    return UnsafeRawBufferPointer(start: extra.unsafelyUnwrapped + start, count: end &- start)
  }

  /// A copy of a string; a slot that is not large holds valid UTF-8 unless the leaf is damaged, which is then repaired.
  @inlinable @inline(__always)
  public func string(_ slot: Int) -> String {
    let bytes = bytes(slot)
    #if _pointerBitWidth(_64) && _endian(little)
      // Sixteen bytes are read, whatever the length: near the end of the leaf the general way is taken.
      if bytes.count <= 15, let start = bytes.baseAddress, start + 16 <= extra.unsafelyUnwrapped + Int(base) {
        let shift = UInt64(truncatingIfNeeded: bytes.count) &<< 3
        var low = start.loadUnaligned(as: UInt64.self)
        var high = start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        if bytes.count <= 8 {
          low &= shift == 64 ? .max : (1 &<< shift) &- 1
          high = 0
        } else {
          high &= (1 &<< (shift &- 64)) &- 1
        }
        if (low | high) & 0x8080_8080_8080_8080 == 0 {
          return LeafPointers.smallString(low, high, bytes.count)
        }
      }
    #endif
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A string of at most 15 ASCII bytes, as strings keep them in place of a pointer: the bytes, then a mark with their number.
  @inlinable @inline(__always)
  static func smallString(_ low: UInt64, _ high: UInt64, _ count: Int) -> String {
    unsafeBitCast((low, high | (0xE0 | UInt64(truncatingIfNeeded: count)) &<< 56), to: String.self)
  }

  @inline(__always)
  static func setBit(_ words: UnsafeMutableRawPointer, _ slot: Int) {
    let byte = words.load(fromByteOffset: slot &>> 3, as: UInt8.self)
    words.storeBytes(of: byte | 1 &<< UInt8(slot & 7), toByteOffset: slot &>> 3, as: UInt8.self)
  }

  @inlinable @inline(__always)
  static func bit(_ words: UnsafeRawPointer, _ slot: Int) -> Bool {
    words.load(fromByteOffset: slot &>> 3, as: UInt8.self) &>> UInt8(truncatingIfNeeded: slot & 7) & 1 != 0
  }
}
