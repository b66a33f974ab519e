import LarderStorage

/// Text that is made byte by byte and handed on in pieces.
final class ByteOutput {
  // Unchecked: each byte uses them, and no call that is made meanwhile comes back to the output.
  @exclusivity(unchecked) private var base: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var capacity: Int
  @exclusivity(unchecked) private(set) var count = 0
  /// From so many bytes on a piece is worth handing on.
  static let pieceSize = 1 << 16

  init() {
    capacity = 2 * Self.pieceSize
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  /// The bytes so far, which are forgotten.
  func take() -> [UInt8] {
    defer { count = 0 }
    return Array(UnsafeBufferPointer(start: base, count: count))
  }

  /// Returns the place where so many bytes can be written.
  @inline(__always)
  private func room(_ size: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity &- count < size { grow(size) }
    return base + count
  }

  @inline(never)
  private func grow(_ size: Int) {
    let larger = max(capacity * 2, count + size)
    let fresh = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    fresh.update(from: base, count: count)
    base.deallocate()
    (base, capacity) = (fresh, larger)
  }

  @inline(__always)
  func append(_ byte: UInt8) {
    room(1).pointee = byte
    count &+= 1
  }

  @inline(__always)
  func append(_ bytes: ContiguousArray<UInt8>) {
    let place = room(bytes.count)
    bytes.withUnsafeBufferPointer { if let start = $0.baseAddress { place.update(from: start, count: $0.count) } }
    count &+= bytes.count
  }

  func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  @inline(__always)
  func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    UnsafeMutableRawPointer(room(bytes.count)).copyMemory(from: start, byteCount: bytes.count)
    count &+= bytes.count
  }

  // MARK: - Parts of others

  /// Appends a part of another output in so many places of a line, wider ones whole; false, with nothing appended, where it holds anything
  /// but printed ASCII, or has to be cut.
  func append(_ other: ByteOutput, _ part: Range<Int>, width: Int, onRight: Bool, isCut: Bool) -> Bool {
    precondition(part.lowerBound >= 0 && part.upperBound <= other.count, "a part outside of the output")
    guard !isCut || part.count <= width else { return false }
    for index in part where other.base[index] &- 0x20 >= 0x5F { return false }
    let space = max(0, width - part.count)
    if onRight { appendSpaces(space) }
    append(UnsafeRawBufferPointer(start: other.base + part.lowerBound, count: part.count))
    if !onRight { appendSpaces(space) }
    return true
  }

  private func appendSpaces(_ number: Int) {
    guard number > 0 else { return }
    room(number).update(repeating: UInt8(ascii: " "), count: number)
    count &+= number
  }

  /// The text of a part.
  func text(_ part: Range<Int>) -> String {
    precondition(part.lowerBound >= 0 && part.upperBound <= count, "a part outside of the output")
    return String(decoding: UnsafeBufferPointer(start: base + part.lowerBound, count: part.count), as: UTF8.self)
  }

  /// Takes spaces off the end.
  func removeSpaces() { while count > 0, base[count - 1] == UInt8(ascii: " ") { count &-= 1 } }

  func removeAll() { count = 0 }

  // MARK: - Numbers

  func append(_ number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    var width = 1
    var limit: UInt64 = 10
    while number.magnitude >= limit {
      width &+= 1
      let (next, overflow) = limit.multipliedReportingOverflow(by: 10)
      if overflow { break }
      limit = next
    }
    appendPadded(number.magnitude, width)
  }

  /// Appends a number as `String(describing:)` writes it.
  func append(_ number: Double) {
    if !appendShort(number) { append(String(describing: number)) }
  }

  @inline(__always)
  private static func power(_ decimals: Int) -> Double {
    switch decimals {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1000
    default: 10_000
    }
  }

  /// Numbers with up to four decimals and fifteen digits: no other number of so few digits is as near to the same double.
  private func appendShort(_ number: Double) -> Bool {
    let magnitude = number.magnitude
    guard magnitude >= 0.001, magnitude < 1e10 else { return false }
    for decimals in 0..<5 {
      let power = Self.power(decimals)
      let digits = UInt64(magnitude * power + 0.5)
      guard Double(digits) / power == magnitude else { continue }
      let (whole, fraction) = digits.quotientAndRemainder(dividingBy: UInt64(power))
      if number < 0 { append(UInt8(ascii: "-")) }
      append(Int64(whole))
      append(UInt8(ascii: "."))
      appendPadded(fraction, max(1, decimals))
      return true
    }
    return false
  }

  /// The lowest digits of a number, as many as asked for.
  @inline(__always)
  private func appendPadded(_ number: UInt64, _ width: Int) {
    let place = room(width)
    var rest = number
    var index = width
    while index > 0 {
      index &-= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      place[index] = UInt8(truncatingIfNeeded: digit) &+ UInt8(ascii: "0")
      rest = quotient
    }
    count &+= width
  }

  // MARK: - Dates

  /// Appends a date as `DateText.format` writes it. Returns false, with nothing written, for years that do not have four digits.
  func append(_ date: Timestamp) -> Bool {
    guard DateText.fourDigitYears.contains(date.seconds) else { return false }
    let parts = DateText.parts(date)
    appendPadded(UInt64(parts.year), 4)
    append(UInt8(ascii: "-"))
    appendPadded(UInt64(parts.month), 2)
    append(UInt8(ascii: "-"))
    appendPadded(UInt64(parts.day), 2)
    append(UInt8(ascii: "T"))
    appendPadded(UInt64(parts.second / 3600), 2)
    append(UInt8(ascii: ":"))
    appendPadded(UInt64(parts.second / 60 % 60), 2)
    append(UInt8(ascii: ":"))
    appendPadded(UInt64(parts.second % 60), 2)
    if date.nanoseconds > 0 {
      append(UInt8(ascii: "."))
      var (digits, width) = (UInt64(date.nanoseconds), 9)
      while digits.isMultiple(of: 10) {
        digits /= 10
        width -= 1
      }
      appendPadded(digits, width)
    }
    append(UInt8(ascii: "Z"))
    return true
  }

  // MARK: - Texts

  /// A cell of CSV, which is never an empty one.
  func appendCell(_ text: UnsafeRawBufferPointer) {
    guard let bytes = TextBytes(text), bytes.count > 0 else { return append("\"\"") }
    guard bytes.hasAny(of: Self.special) else { return append(text) }
    append(UInt8(ascii: "\""))
    for byte in text {
      if byte == UInt8(ascii: "\"") { append(byte) }
      append(byte)
    }
    append(UInt8(ascii: "\""))
  }

  /// A string of JSON, as `JSONText.dumpQuote` writes it.
  func appendQuoted(_ text: UnsafeRawBufferPointer) {
    if let bytes = TextBytes(text), bytes.mayNeedEscapes {
      return append(JSONText.dumpQuote(String(decoding: text, as: UTF8.self)))
    }
    append(UInt8(ascii: "\""))
    append(text)
    append(UInt8(ascii: "\""))
  }

  /// A string of JSON, as `JSONText.quote` writes it.
  func appendShown(_ text: UnsafeRawBufferPointer) {
    if let bytes = TextBytes(text), bytes.mayNeedEscapes || bytes.hasAny(of: Self.leadsOfMarks) {
      return append(JSONText.quote(String(decoding: text, as: UTF8.self)))
    }
    append(UInt8(ascii: "\""))
    append(text)
    append(UInt8(ascii: "\""))
  }

  /// The bytes that marks of direction begin with (`VisibleText.isHidden`).
  private static let leadsOfMarks: [UInt64] = [0xD8, 0xE2].map { TextBytes.repeated($0) }

  private static let special = [",", "\"", "\r", "\n"].map { TextBytes.repeated(UInt8(ascii: $0)) }
}
