/// A part of a date in the Gregorian calendar, which is taken to have been in use always.
package enum CalendarPart: Hashable, Sendable {
  case year, month, day, hour, minute, second
  /// 1 for Sunday to 7 for Saturday.
  case weekday

  /// The part of a local time, given as seconds since 1970.
  @inline(__always)
  func value(_ seconds: Int64) -> Int64 {
    switch self {
    case .second: Self.modulo(seconds, 60)
    case .minute: Self.modulo(seconds, 3600) / 60
    case .hour: Self.modulo(seconds, Self.secondsOfDay) / 3600
    // The first of January 1970 was a Thursday.
    case .weekday: Self.modulo(Self.day(seconds) &+ 4, 7) &+ 1
    case .year: Self.date(Self.day(seconds)).year
    case .month: Self.date(Self.day(seconds)).month
    case .day: Self.date(Self.day(seconds)).day
    }
  }

  static let secondsOfDay: Int64 = 86_400

  /// The number of the day since 1970 that a time is in.
  @inline(__always)
  static func day(_ seconds: Int64) -> Int64 { (seconds &- modulo(seconds, secondsOfDay)) / secondsOfDay }

  @inline(__always)
  private static func modulo(_ number: Int64, _ divisor: Int64) -> Int64 {
    let rest = number % divisor
    return rest < 0 ? rest &+ divisor : rest
  }

  /// Days are counted from the first of March of the year zero: then a leap day is the last day of its year, and of four and of 400 years.
  @inline(__always)
  private static func date(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (daysOfEra, daysOfCentury, daysOfFour): (Int64, Int64, Int64) = (146_097, 36_524, 1461)
    let shifted = day &+ 719_468
    let inEra = modulo(shifted, daysOfEra)
    let era = (shifted &- inEra) / daysOfEra
    // The leap days before the day; the very last day of each span belongs to it.
    let leaps = inEra / (daysOfFour - 1) - inEra / daysOfCentury + inEra / (daysOfEra - 1)
    let yearOfEra = (inEra - leaps) / 365
    let ofYear = inEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    // From March on, months have 31 and 30 days in turns of five months, which take 153 days.
    let month = (5 * ofYear + 2) / 153
    let year = yearOfEra &+ 400 &* era
    return (
      year: month < 10 ? year : year &+ 1, month: month < 10 ? month + 3 : month - 9,
      day: ofYear - (153 * month + 2) / 5 + 1
    )
  }
}
