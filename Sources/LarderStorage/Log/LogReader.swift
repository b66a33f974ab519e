import LarderLMDB

/// Reads what `LogWriter` wrote. Every step checks its bounds and throws `corrupted`; no input can trap it.
struct LogReader {
  private let view: ByteView
  private(set) var position = 0

  init(_ view: ByteView) { self.view = view }

  var remaining: Int { view.count - position }
  var isAtEnd: Bool { position == view.count }

  private func require(_ count: Int) throws {
    guard count >= 0, count <= remaining else { throw LogReader.damage("it ends too early") }
  }

  mutating func byte() throws -> UInt8 {
    try require(1)
    defer { position += 1 }
    return view.load(position)
  }

  /// The next byte, which stays to be read.
  func peek() throws -> UInt8 {
    try require(1)
    return view.load(position)
  }

  mutating func fixed<T: FixedWidthInteger>(_ type: T.Type = T.self) throws -> T {
    try require(MemoryLayout<T>.size)
    defer { position += MemoryLayout<T>.size }
    return view.load(position)
  }

  mutating func varint() throws -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try byte()
      guard shift < 63 || (shift == 63 && next <= 1) else { throw LogReader.damage("a number is too long") }
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return value }
      shift += 7
    }
  }

  /// A varint that must fit a smaller integer.
  mutating func varint<T: FixedWidthInteger>(as type: T.Type) throws -> T {
    guard let value = T(exactly: try varint()) else { throw LogReader.damage("a number is out of range") }
    return value
  }

  /// A number of things that take at least one byte each, so that a damaged count cannot ask for gigabytes.
  mutating func count() throws -> Int {
    let value = try varint(as: Int.self)
    guard value <= remaining else { throw LogReader.damage("a count is out of range") }
    return value
  }

  mutating func raw(_ count: Int) throws -> ByteView {
    try require(count)
    defer { position += count }
    return view.slice(position, count)
  }

  /// A length followed by UTF-8 bytes.
  mutating func text() throws -> String {
    let length = try count()
    guard let text = String(validating: try raw(length).buffer, as: UTF8.self) else {
      throw LogReader.damage("a text is not UTF-8")
    }
    return text
  }

  /// A reader limited to the length-prefixed bytes that follow.
  mutating func block() throws -> LogReader {
    let length = try count()
    return LogReader(try raw(length))
  }

  static func damage(_ reason: String) -> StorageError {
    StorageError(
      .corrupted,
      "A change log entry cannot be decoded: \(reason). The objects are not affected; run a check of the store.")
  }
}
