/// Reads what `ByteWriter` makes, and nothing else: every value has one form, and what is said to come is checked against the bytes that are left.
public struct ByteReader: Sendable {
  /// The limits of what the bytes may ask for.
  public let limits: DecodingLimits
  /// The offset of the next byte.
  public private(set) var position: Int
  private let bytes: [UInt8]
  private let end: Int
  private var itemsLeft: Int
  private var runNamesLeft: Int

  /// A reader of bytes.
  public init(_ bytes: [UInt8], limits: DecodingLimits = .standard) {
    self.init(bytes, from: 0, to: bytes.count, limits: limits)
  }

  /// A reader of a stretch of bytes, which must be within them.
  init(_ bytes: [UInt8], from start: Int, to end: Int, limits: DecodingLimits) {
    precondition(start >= 0 && start <= end && end <= bytes.count, "a stretch within the bytes")
    self.bytes = bytes
    self.limits = limits
    self.end = end
    position = start
    itemsLeft = limits.items
    runNamesLeft = limits.runNames
  }

  /// The number of bytes that are left.
  public var left: Int { end - position }

  /// An error at the next byte.
  public func error(_ reason: SyncDecodingError.Reason) -> SyncDecodingError { SyncDecodingError(reason, at: position) }

  /// One byte.
  public mutating func byte() throws(SyncDecodingError) -> UInt8 {
    guard position < end else { throw error(.truncated(needed: 1)) }
    let value = bytes[position]
    position += 1
    return value
  }

  /// A number in groups of seven bits, in the fewest bytes.
  public mutating func varint() throws(SyncDecodingError) -> UInt64 {
    let first = try byte()
    if first < 0x80 { return UInt64(first) }
    let start = position - 1
    var value = UInt64(first & 0x7F)
    var shift: UInt64 = 7
    while true {
      let next = try byte()
      guard shift < 63 || next <= 1 else { throw SyncDecodingError(.overflow, at: start) }
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 {
        guard next > 0 else { throw SyncDecodingError(.notMinimal, at: start) }
        return value
      }
      shift += 7
    }
  }

  /// A `varint` of at most 32 bits.
  public mutating func varint32() throws(SyncDecodingError) -> UInt32 {
    let start = position
    guard let value = UInt32(exactly: try varint()) else { throw SyncDecodingError(.overflow, at: start) }
    return value
  }

  /// A signed number.
  public mutating func signed() throws(SyncDecodingError) -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// Four bytes, the highest first.
  public mutating func fixed32() throws(SyncDecodingError) -> UInt32 {
    try need(4)
    var value: UInt32 = 0
    for index in position..<position + 4 { value = value << 8 | UInt32(bytes[index]) }
    position += 4
    return value
  }

  /// Eight bytes, the highest first.
  public mutating func fixed64() throws(SyncDecodingError) -> UInt64 {
    try need(8)
    var value: UInt64 = 0
    for index in position..<position + 8 { value = value << 8 | UInt64(bytes[index]) }
    position += 8
    return value
  }

  /// A number of things that take at least so many bytes each (at least 1), counted among the items of the message.
  public mutating func count(eachAtLeast minimum: Int = 1) throws(SyncDecodingError) -> Int {
    let start = position
    let value = try varint()
    guard value <= UInt64(left / minimum) else { throw SyncDecodingError(.countTooLarge(value), at: start) }
    guard Int(value) <= itemsLeft else { throw SyncDecodingError(.overLimit("items", limits.items), at: start) }
    itemsLeft -= Int(value)
    return Int(value)
  }

  /// The length of a run of names, which take no bytes of their own.
  mutating func runLength() throws(SyncDecodingError) -> UInt32 {
    let start = position
    let value = try varint32()
    guard Int(value) <= runNamesLeft else {
      throw SyncDecodingError(.overLimit("names in runs", limits.runNames), at: start)
    }
    runNamesLeft -= Int(value)
    return value
  }

  /// So many bytes.
  public mutating func raw(_ count: Int) throws(SyncDecodingError) -> [UInt8] {
    try need(count)
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  /// Bytes with their number before them.
  public mutating func data() throws(SyncDecodingError) -> [UInt8] {
    try raw(try length())
  }

  /// A text with the number of its bytes before it.
  public mutating func text() throws(SyncDecodingError) -> SyncText {
    try text(count: try length())
  }

  /// A text of so many bytes.
  mutating func text(count: Int) throws(SyncDecodingError) -> SyncText {
    try need(count)
    guard let string = String(validating: bytes[position..<position + count], as: UTF8.self) else {
      throw error(.notUTF8)
    }
    position += count
    return SyncText(string)
  }

  /// A reader of the next bytes, with limits of its own, which this one skips.
  mutating func stretch(_ count: Int) throws(SyncDecodingError) -> ByteReader {
    try need(count)
    defer { position += count }
    return ByteReader(bytes, from: position, to: position + count, limits: limits)
  }

  /// Checks that nothing is left.
  public func finish() throws(SyncDecodingError) {
    guard left == 0 else { throw error(.trailing(left)) }
  }

  private mutating func length() throws(SyncDecodingError) -> Int {
    let start = position
    let value = try varint()
    guard value <= UInt64(left) else { throw SyncDecodingError(.countTooLarge(value), at: start) }
    return Int(value)
  }

  private func need(_ count: Int) throws(SyncDecodingError) {
    guard count <= left else { throw error(.truncated(needed: count - left)) }
  }
}
