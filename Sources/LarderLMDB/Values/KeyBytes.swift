/// A key under construction: up to 32 bytes inline, longer ones in an array.
///
/// Integers are appended big-endian, so that byte order is value order. Pad to a multiple of eight
/// (`pad()`): then every key and value in the tables stays 8-byte aligned.
@frozen
public struct KeyBytes: Hashable, Sendable {
  @usableFromInline var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  @usableFromInline var spill: [UInt8]?
  public var count = 0

  public init() {}

  /// A key of one big-endian word.
  @inlinable @inline(__always)
  public init(_ word: UInt64) {
    words.0 = word.bigEndian
    count = 8
  }

  /// A key of two big-endian words.
  @inlinable @inline(__always)
  public init(_ first: UInt64, _ second: UInt64) {
    words.0 = first.bigEndian
    words.1 = second.bigEndian
    count = 16
  }

  /// A key of three big-endian words.
  @inlinable @inline(__always)
  public init(_ first: UInt64, _ second: UInt64, _ third: UInt64) {
    words.0 = first.bigEndian
    words.1 = second.bigEndian
    words.2 = third.bigEndian
    count = 24
  }

  /// A key of the given bytes.
  public init(bytes: some Sequence<UInt8>) {
    append(contentsOf: bytes)
  }

  /// Appends an integer, big-endian.
  @inlinable @inline(__always)
  public mutating func append<T: FixedWidthInteger>(_ value: T) {
    withUnsafeBytes(of: value.bigEndian) { append(bytes: $0) }
  }

  /// Appends bytes; in one piece while they fit inline.
  public mutating func append(bytes: UnsafeRawBufferPointer) {
    if spill == nil && count + bytes.count <= 32 {
      let position = count
      withUnsafeMutableBytes(of: &words) {
        UnsafeMutableRawBufferPointer(rebasing: $0[position..<position + bytes.count]).copyMemory(from: bytes)
      }
      count += bytes.count
    } else {
      for byte in bytes { append(byte: byte) }
    }
  }

  public mutating func append(byte: UInt8) {
    if spill != nil {
      spill!.append(byte)
    } else if count < 32 {
      let position = count
      withUnsafeMutableBytes(of: &words) { $0[position] = byte }
    } else {
      var bytes = withUnsafeBytes(of: words) { Array($0) }
      bytes.append(byte)
      spill = bytes
    }
    count += 1
  }

  public mutating func append(contentsOf bytes: some Sequence<UInt8>) {
    if bytes.withContiguousStorageIfAvailable({ append(bytes: UnsafeRawBufferPointer($0)) }) != nil { return }
    for byte in bytes { append(byte: byte) }
  }

  /// Pads with zero bytes to a multiple of eight.
  public mutating func pad() {
    while count & 7 != 0 { append(byte: 0) }
  }

  /// Calls `body` with the key's bytes.
  @inlinable @inline(__always)
  public func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    if let spill { return try spill.withUnsafeBytes(body) }
    return try withUnsafeBytes(of: words) { try body(UnsafeRawBufferPointer(rebasing: $0[0..<count])) }
  }

  public var bytes: [UInt8] { withBytes { Array($0) } }

  public static func == (lhs: KeyBytes, rhs: KeyBytes) -> Bool {
    lhs.withBytes { left in rhs.withBytes { left.elementsEqual($0) } }
  }

  public func hash(into hasher: inout Hasher) {
    withBytes { hasher.combine(bytes: $0) }
  }
}
