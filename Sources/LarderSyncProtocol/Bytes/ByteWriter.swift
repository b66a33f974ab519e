/// Makes bytes of numbers and texts: the one form that `ByteReader` accepts of each.
public struct ByteWriter: Sendable {
  /// The bytes that were written.
  public private(set) var bytes: [UInt8] = []

  /// A writer with room for a number of bytes, which grows as needed.
  public init(capacity: Int = 64) {
    bytes.reserveCapacity(capacity)
  }

  /// One byte.
  public mutating func byte(_ value: UInt8) {
    bytes.append(value)
  }

  /// A number in groups of seven bits, the lowest first, of which all but the last have the high bit set: 1 to 10 bytes.
  public mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// A number of things.
  public mutating func count(_ value: Int) {
    varint(UInt64(value))
  }

  /// A signed number as a `varint` in which small numbers of either sign are short: 0, -1, 1, -2 are 0, 1, 2, 3.
  public mutating func signed(_ value: Int64) {
    varint(UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  /// Four bytes, the highest first.
  public mutating func fixed32(_ value: UInt32) {
    for shift in stride(from: 24, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(shift)))
    }
  }

  /// Eight bytes, the highest first.
  public mutating func fixed64(_ value: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }

  /// Bytes without their number.
  public mutating func raw(_ value: some Collection<UInt8>) {
    bytes.append(contentsOf: value)
  }

  /// Bytes with their number before them.
  public mutating func data(_ value: some Collection<UInt8>) {
    count(value.count)
    bytes.append(contentsOf: value)
  }

  /// A text as the bytes of its UTF-8 with their number before them.
  public mutating func text(_ value: SyncText) {
    data(value.string.utf8)
  }
}
