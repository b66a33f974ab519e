import LarderStorage

/// Dates in the form of ISO 8601: `2013-01-31`, `2013-01-31T10:00:00Z`, with fraction and offset.
///
/// Written by hand because Foundation's formatters cost microseconds each and drop nanoseconds.
package enum DateText {
  /// The instant a text names, or nil when it names none. Without an offset the time is taken as UTC.
  package static func parse(_ text: String) -> Timestamp? {
    TextBytes.with(text) { parse($0, 0..<$0.count) }
  }

  /// The same for a text that is read in place.
  static func parse(_ bytes: TextBytes, _ range: Range<Int>) -> Timestamp? {
    var scanner = Scanner(bytes: bytes, index: range.lowerBound, end: range.upperBound)
    guard let year = scanner.number(digits: 4), scanner.take("-"), let month = scanner.number(digits: 2),
      scanner.take("-"), let day = scanner.number(digits: 2),
      let date = instant(year, month, day, second: 0, 0)
    else { return nil }
    if scanner.isAtEnd { return date }
    guard scanner.take("T") || scanner.take("t") || scanner.take(" "), let time = scanner.time() else { return nil }
    guard let offset = scanner.offset(), scanner.isAtEnd else { return nil }
    return Timestamp(seconds: date.seconds + Int64(time.seconds - offset), nanoseconds: time.nanoseconds)
  }

  /// The instant so many seconds after a day's beginning; nil when there is no such day.
  static func instant(_ year: Int, _ month: Int, _ day: Int, second: Int, _ nanoseconds: UInt32) -> Timestamp? {
    guard 1...12 ~= month, 1...daysInMonth(month, year: year) ~= day else { return nil }
    let days = Int64(daysSince1970(year: year, month: month, day: day))
    return Timestamp(seconds: days * 86_400 + Int64(second), nanoseconds: nanoseconds)
  }

  /// The instant as text in UTC, with as much of the fraction as there is.
  package static func format(_ timestamp: Timestamp) -> String {
    let date = parts(timestamp)
    let second = date.second
    let year = date.year < 0 ? "-" + pad(-date.year, 4) : pad(date.year, 4)
    var text = "\(year)-\(pad(Int64(date.month), 2))-\(pad(Int64(date.day), 2))T"
    text += "\(pad(Int64(second / 3600), 2)):\(pad(Int64(second / 60 % 60), 2)):\(pad(Int64(second % 60), 2))"
    if timestamp.nanoseconds > 0 {
      var fraction = pad(Int64(timestamp.nanoseconds), 9)[...]
      while fraction.hasSuffix("0") { fraction.removeLast() }
      text += ".\(fraction)"
    }
    return text + "Z"
  }

  /// The seconds of the years 0 to 9999.
  static let fourDigitYears: Range<Int64> = -62_167_219_200..<253_402_300_800

  /// Year, month and day, and the second of the day.
  static func parts(_ timestamp: Timestamp) -> (year: Int64, month: Int, day: Int, second: Int) {
    let date = civilDate(daysSince1970: timestamp.seconds.dividingFloor(by: 86_400))
    // Not by multiplying: the first day of 64-bit seconds begins before their range.
    let remainder = Int(timestamp.seconds % 86_400)
    return (date.year, date.month, date.day, remainder < 0 ? remainder + 86_400 : remainder)
  }

  private static func pad(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  // The calendar runs from March in these two, so that the leap day is the last of a year.

  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civilDate(daysSince1970 days: Int64) -> (year: Int64, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted.dividingFloor(by: 146_097)
    let dayOfEra = Int(shifted - era * 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
    let year = Int64(yearOfEra) + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

extension Int64 {
  fileprivate func dividingFloor(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

/// Takes a date's text apart.
private struct Scanner {
  let bytes: TextBytes
  var index: Int
  let end: Int

  var isAtEnd: Bool { index == end }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < end, bytes[index] == UInt8(ascii: character) else { return false }
    index &+= 1
    return true
  }

  mutating func number(digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let digit = self.digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  private mutating func digit() -> Int? {
    guard index < end else { return nil }
    let digit = bytes[index] &- UInt8(ascii: "0")
    guard digit < 10 else { return nil }
    index &+= 1
    return Int(digit)
  }

  mutating func time() -> (seconds: Int, nanoseconds: UInt32)? {
    guard let hour = number(digits: 2), hour < 24, take(":"), let minute = number(digits: 2), minute < 60 else {
      return nil
    }
    var second = 0
    var nanoseconds: UInt32 = 0
    if take(":") {
      guard let value = number(digits: 2), value < 60 else { return nil }
      second = value
      if take(".") {
        guard let fraction = self.fraction() else { return nil }
        nanoseconds = fraction
      }
    }
    return (hour * 3600 + minute * 60 + second, nanoseconds)
  }

  private mutating func fraction() -> UInt32? {
    var value: UInt32 = 0
    var count = 0
    while let digit = self.digit() {
      if count < 9 { value = value * 10 + UInt32(digit) }
      count += 1
    }
    guard count > 0 else { return nil }
    for _ in min(count, 9)..<9 { value *= 10 }
    return value
  }

  /// Seconds east of UTC; nothing and `Z` are zero.
  mutating func offset() -> Int? {
    if isAtEnd || take("Z") || take("z") { return 0 }
    let sign = take("+") ? 1 : take("-") ? -1 : 0
    guard sign != 0, let hours = number(digits: 2), hours < 24 else { return nil }
    _ = take(":")
    if isAtEnd { return sign * hours * 3600 }
    guard let minutes = number(digits: 2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}
