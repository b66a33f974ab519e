import Foundation

/// Literals that RQL alone has (Q-102).
extension Lexer {
  /// A timestamp, binary data in base 64, or a name with escaped blanks; nil for anything else.
  mutating func queryLiteral() throws(PredicateError) -> Token? {
    let byte = peek()
    if byte == UInt8(ascii: "T"), beginsTimestamp() { return try secondsAndNanoseconds() }
    if Self.isDigit(byte), let token = try calendarTime() { return token }
    if byte == UInt8(ascii: "B"), bytes[position...].starts(with: "B64".utf8),
      peek(3) == UInt8(ascii: "\"") || peek(3) == UInt8(ascii: "'")
    {
      return try base64()
    }
    if byte == UInt8(ascii: "\\") || Self.isWordStart(byte) { return escapedName() }
    return nil
  }

  private func beginsTimestamp() -> Bool {
    var end = position + (peek(1) == UInt8(ascii: "-") ? 2 : 1)
    let digits = end
    while end < bytes.count, Self.isDigit(bytes[end]) { end += 1 }
    return end > digits && end < bytes.count && bytes[end] == UInt8(ascii: ":")
  }

  /// `T12:500`: seconds since 1970, and nanoseconds of the same sign.
  private mutating func secondsAndNanoseconds() throws(PredicateError) -> Token {
    let start = position
    position += 1
    let seconds = signedDigits()
    position += 1
    let nanoseconds = signedDigits()
    let range = SourceRange(start, position)
    // One second of room: a negative part of a second is kept as what is missing to it.
    guard let first = Int64(seconds), first > .min, let second = Int64(nanoseconds), second.magnitude < 1_000_000_000
    else {
      throw error("'\(piece(range))' is not a timestamp", range, expected: "T<seconds>:<nanoseconds>")
    }
    let isSameSign = first == 0 || second == 0 || (first < 0) == (second < 0)
    guard isSameSign else { throw error("Seconds and nanoseconds must have the same sign", range) }
    return Token(kind: .timestamp(seconds: first, nanoseconds: second), range: range)
  }

  private mutating func signedDigits() -> String {
    let start = position
    if peek() == UInt8(ascii: "-") { position += 1 }
    while Self.isDigit(peek()) { position += 1 }
    return piece(SourceRange(start, position))
  }

  /// `2024-02-29@13:00:05:500`: a time in UTC, with nanoseconds where it has a fourth part (Q-102).
  private mutating func calendarTime() throws(PredicateError) -> Token? {
    var end = position
    while end < bytes.count,
      Self.isDigit(bytes[end]) || bytes[end] == UInt8(ascii: "-") || bytes[end] == UInt8(ascii: ":")
        || bytes[end] == UInt8(ascii: "@")
    { end += 1 }
    let range = SourceRange(position, end)
    let halves = piece(range).split(separator: "@", omittingEmptySubsequences: false)
    guard halves.count == 2, halves[0].contains("-") else { return nil }
    let date = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    let time = halves[1].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard date.count == 3, time.count == 3 || time.count == 4, !date.contains(nil), !time.contains(nil) else {
      throw error("'\(piece(range))' is not a time", range, expected: "YYYY-MM-DD@HH:MM:SS")
    }
    let (days, clock) = (date.map { $0 ?? 0 }, time.map { $0 ?? 0 })
    guard let seconds = Self.seconds(days, clock), clock.count == 3 || (0..<1_000_000_000).contains(clock[3]) else {
      throw error("There is no such time as '\(piece(range))'", range, expected: "a time since 1900")
    }
    position = end
    let nanoseconds = Int64(clock.count == 4 ? clock[3] : 0)
    // Before 1970 both parts are negative: one second later, less what is missing to it.
    if seconds < 0, nanoseconds > 0 {
      return Token(kind: .timestamp(seconds: seconds + 1, nanoseconds: nanoseconds - 1_000_000_000), range: range)
    }
    return Token(kind: .timestamp(seconds: seconds, nanoseconds: nanoseconds), range: range)
  }

  /// Seconds since 1970 of a day and a time in UTC; nil where the calendar has none.
  private static func seconds(_ date: [Int], _ time: [Int]) -> Int64? {
    let (year, month, day) = (date[0], date[1], date[2])
    guard (1900...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard day <= lengths[month - 1], (0...23).contains(time[0]), (0...59).contains(time[1]), (0...59).contains(time[2])
    else { return nil }
    let before = year - 1
    let leapDays = before / 4 - before / 100 + before / 400 - 477
    let days = (year - 1970) * 365 + leapDays + lengths[..<(month - 1)].reduce(0, +) + day - 1
    return Int64(days) * 86_400 + Int64(time[0] * 3600 + time[1] * 60 + time[2])
  }

  private mutating func base64() throws(PredicateError) -> Token {
    let start = position
    let quote = peek(3)
    position += 4
    let first = position
    while position < bytes.count, bytes[position] != quote { position += 1 }
    guard position < bytes.count else {
      throw error("The string is not closed", SourceRange(start, start + 4), expected: String(UnicodeScalar(quote)))
    }
    let digits = piece(SourceRange(first, position))
    position += 1
    guard let data = Data(base64Encoded: digits) else {
      throw error("'\(digits)' is not base 64", SourceRange(first, position - 1))
    }
    return Token(kind: .data(Array(data)), range: SourceRange(start, position))
  }

  /// A name in which `\ ` means a blank; nil when it has none, so that it is read as any other name.
  private mutating func escapedName() -> Token? {
    let start = position
    var name = ""
    var isEscaped = false
    while true {
      name += word()
      guard peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: " ") else { break }
      isEscaped = true
      name += " "
      position += 2
    }
    guard isEscaped else {
      position = start
      return nil
    }
    return Token(kind: .word(name, escaped: true), range: SourceRange(start, position))
  }

  /// The text up to the closing parenthesis, from just after the opening one; blanks around it are dropped.
  mutating func rawUntilParenthesis(_ name: String) throws(PredicateError) -> (text: String, range: SourceRange) {
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: ")") { position += 1 }
    let range = SourceRange(start, position)
    guard position < bytes.count else {
      throw error("The parenthesis after \(name) is not closed", SourceRange(start - 1, start), expected: ")")
    }
    position += 1
    endValue()
    return (piece(range).trimmingCharacters(in: .whitespacesAndNewlines), range)
  }
}
