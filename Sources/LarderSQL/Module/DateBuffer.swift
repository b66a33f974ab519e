import LarderStorage

/// The text of a date, made in place: rows after one another often have the same day, or the same date.
struct DateBuffer {
  private let bytes: UnsafeMutablePointer<UInt8>
  private var day = Int64.max
  private var last = Timestamp(seconds: .max, nanoseconds: .max)
  private var count = 0

  /// A year of four digits to the second, and a fraction of nine digits.
  private static let capacity = 32
  private static let dateLength = 10

  init() {
    bytes = .allocate(capacity: Self.capacity)
    bytes.initialize(repeating: 0, count: Self.capacity)
  }

  func deallocate() { bytes.deallocate() }

  /// The text as `SQLDate` writes it, valid until the next one; nil for years of other than four digits.
  @inline(__always)
  mutating func text(_ date: Timestamp) -> UnsafeBufferPointer<UInt8>? {
    if date != last {
      guard make(date) else { return nil }
    }
    return UnsafeBufferPointer(start: bytes, count: count)
  }

  private mutating func make(_ date: Timestamp) -> Bool {
    var second = date.seconds % 86_400
    if second < 0 { second += 86_400 }
    guard date.seconds - second == day || begin(date.seconds.subtractingReportingOverflow(second)) else { return false }
    bytes[10] = UInt8(ascii: " ")
    write(second / 3600, at: 11)
    bytes[13] = UInt8(ascii: ":")
    write(second / 60 % 60, at: 14)
    bytes[16] = UInt8(ascii: ":")
    write(second % 60, at: 17)
    count = 19
    if date.nanoseconds > 0 { addFraction(date.nanoseconds) }
    last = date
    return true
  }

  /// Writes the day, which `SQLDate` knows.
  private mutating func begin(_ first: (partialValue: Int64, overflow: Bool)) -> Bool {
    guard !first.overflow else { return false }
    let text = SQLDate.text(Timestamp(seconds: first.partialValue)).utf8
    guard text.count == 19 else { return false }
    // The text of the date before is no longer whole.
    last = Timestamp(seconds: .max, nanoseconds: .max)
    for (place, byte) in text.prefix(Self.dateLength).enumerated() { bytes[place] = byte }
    day = first.partialValue
    return true
  }

  private func write(_ number: Int64, at place: Int) {
    bytes[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10)
    bytes[place + 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10)
  }

  private mutating func addFraction(_ nanoseconds: UInt32) {
    var (rest, digits) = (nanoseconds, 9)
    while rest % 10 == 0, digits > 1 {
      rest /= 10
      digits -= 1
    }
    bytes[19] = UInt8(ascii: ".")
    for place in stride(from: 19 + digits, to: 19, by: -1) {
      bytes[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count = 20 + digits
  }
}
