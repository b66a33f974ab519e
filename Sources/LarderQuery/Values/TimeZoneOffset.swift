import Foundation

/// Computes the number of seconds that a time zone is ahead of UTC.
enum TimeZoneOffset {
  /// The years 1 to 9999: before and after them it is as at their ends.
  private static let known: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// At a time given as seconds since 1970.
  static func seconds(_ zone: TimeZone, at seconds: Int64) -> Int64 {
    let known = min(max(seconds, Self.known.lowerBound), Self.known.upperBound)
    return Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(known))))
  }
}

/// The offsets of one time zone at many times. Those of a number of days are kept: asking Foundation takes a hundred times as long.
///
/// A day at whose ends the offset is the same has it throughout; within any other each time is asked for. Belongs to one thread.
final class TimeZoneOffsets {
  private struct Day {
    var number: Int64
    /// nil where it changes within the day.
    var offset: Int64?
  }

  private let zone: TimeZone
  private var days: [Day?]
  /// A year of days, as a power of two.
  private static let count = 512

  init(_ zone: TimeZone) {
    self.zone = zone
    days = Array(repeating: nil, count: Self.count)
  }

  func offset(at seconds: Int64) -> Int64 {
    let number = CalendarPart.day(seconds)
    let place = Int(truncatingIfNeeded: number) & (Self.count - 1)
    let day = days[place].flatMap { $0.number == number ? $0 : nil } ?? look(at: number, place)
    return day.offset ?? TimeZoneOffset.seconds(zone, at: seconds)
  }

  private func look(at number: Int64, _ place: Int) -> Day {
    let start = number &* CalendarPart.secondsOfDay
    let offset = TimeZoneOffset.seconds(zone, at: start)
    let isSame = offset == TimeZoneOffset.seconds(zone, at: start &+ CalendarPart.secondsOfDay)
    let day = Day(number: number, offset: isSame ? offset : nil)
    days[place] = day
    return day
  }
}
