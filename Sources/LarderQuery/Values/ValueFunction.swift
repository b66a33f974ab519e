import Foundation
import LarderStorage

/// A function of one value, ready to be applied. Nil of nil, and of a value that it does not take.
package enum ValueFunction: Hashable, Sendable {
  /// The part of a date in a time zone; nil for UTC.
  case part(CalendarPart, TimeZone?)
  /// Of a text in Unicode scalars, of data in bytes.
  case length
  case lowercase, uppercase

  package init(_ function: QueryFunction, in timeZone: TimeZone? = nil) {
    self =
      switch function {
      case .year: .part(.year, timeZone)
      case .month: .part(.month, timeZone)
      case .day: .part(.day, timeZone)
      case .hour: .part(.hour, timeZone)
      case .minute: .part(.minute, timeZone)
      case .second: .part(.second, timeZone)
      case .weekday: .part(.weekday, timeZone)
      case .length: .length
      case .lowercase: .lowercase
      case .uppercase: .uppercase
      }
  }

  /// The function's name.
  package var function: QueryFunction {
    switch self {
    case .part(.year, _): .year
    case .part(.month, _): .month
    case .part(.day, _): .day
    case .part(.hour, _): .hour
    case .part(.minute, _): .minute
    case .part(.second, _): .second
    case .part(.weekday, _): .weekday
    case .length: .length
    case .lowercase: .lowercase
    case .uppercase: .uppercase
    }
  }

  /// The name of the time zone, where it is not UTC.
  package var timeZone: String? { if case .part(_, let zone?) = self { zone.identifier } else { nil } }

  /// Type of the results.
  var type: ColumnType {
    switch self {
    case .part, .length: .int
    case .lowercase, .uppercase: .string
    }
  }

  /// Returns true if there are values of the type that it takes.
  func takes(_ type: ColumnType) -> Bool {
    if type == .mixed { return true }
    return switch self {
    case .part: type == .date
    case .length: type == .string || type == .data
    case .lowercase, .uppercase: type == .string
    }
  }

  func apply(_ value: StoredValue) -> StoredValue {
    switch (self, value) {
    case (.part(let part, let zone), .date(let time)):
      .int(part.value(time.seconds &+ (zone.map { TimeZoneOffset.seconds($0, at: time.seconds) } ?? 0)))
    case (.length, .string(let text)): .int(Int64(text.unicodeScalars.count))
    case (.length, .data(let bytes)): .int(Int64(bytes.count))
    case (.lowercase, .string(let text)): .string(text.lowercased())
    case (.uppercase, .string(let text)): .string(text.uppercased())
    default: .null
    }
  }
}
