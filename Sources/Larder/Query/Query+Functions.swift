import Foundation
import LarderQuery

// Functions of dates and texts. Of nil they are nil.

extension Query where T: _QueryDate {
  /// Year in the Gregorian calendar, in UTC.
  public var year: Query<Int> { applying(.year) }
  /// Month, from 1 to 12, in UTC.
  public var month: Query<Int> { applying(.month) }
  /// Day of the month, from 1, in UTC.
  public var day: Query<Int> { applying(.day) }
  /// Hour, from 0 to 23, in UTC.
  public var hour: Query<Int> { applying(.hour) }
  /// Minute, from 0 to 59, in UTC.
  public var minute: Query<Int> { applying(.minute) }
  /// Second, from 0 to 59, in UTC.
  public var second: Query<Int> { applying(.second) }
  /// Day of the week, from 1 for Sunday to 7 for Saturday, in UTC.
  public var weekday: Query<Int> { applying(.weekday) }

  /// Year in the Gregorian calendar, in a time zone.
  public func year(in timeZone: TimeZone) -> Query<Int> { applying(.year, in: timeZone.identifier) }
  /// Month, from 1 to 12, in a time zone.
  public func month(in timeZone: TimeZone) -> Query<Int> { applying(.month, in: timeZone.identifier) }
  /// Day of the month, from 1, in a time zone.
  public func day(in timeZone: TimeZone) -> Query<Int> { applying(.day, in: timeZone.identifier) }
  /// Hour, from 0 to 23, in a time zone.
  public func hour(in timeZone: TimeZone) -> Query<Int> { applying(.hour, in: timeZone.identifier) }
  /// Minute, from 0 to 59, in a time zone.
  public func minute(in timeZone: TimeZone) -> Query<Int> { applying(.minute, in: timeZone.identifier) }
  /// Second, from 0 to 59, in a time zone.
  public func second(in timeZone: TimeZone) -> Query<Int> { applying(.second, in: timeZone.identifier) }
  /// Day of the week, from 1 for Sunday to 7 for Saturday, in a time zone.
  public func weekday(in timeZone: TimeZone) -> Query<Int> { applying(.weekday, in: timeZone.identifier) }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryBinary {
  /// Length of a text in Unicode scalars, which is `unicodeScalars.count` and not `count` in Swift; of data in bytes.
  public var length: Query<Int> { applying(.length) }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryString {
  /// The text in lower case.
  public func lowercased() -> Query<String> { applying(.lowercase) }
  /// The text in upper case.
  public func uppercased() -> Query<String> { applying(.uppercase) }
}
