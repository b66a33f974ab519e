import Foundation
import LarderStorage

@testable import LarderQuery

/// Computes arithmetic and functions over fixture values, with Foundation's calendar and the plainest loops.
enum NaiveExpression {
  typealias Value = NaiveEvaluator.Value

  // MARK: - Constants

  static func value(_ argument: PredicateArgument) -> Value {
    guard case .value(let value) = argument else { return .null }
    switch value {
    case .int(let number): return .scalar(.int(number), type: "int")
    case .float(let number): return .scalar(.double(Double(number)), type: "float")
    case .double(let number): return .scalar(.double(number), type: "double")
    case .string(let text): return .scalar(.string(text), type: "string")
    case .decimal128(let bits): return .scalar(.string(DecimalNumber(bits).description), type: "decimal128")
    default: return .null
    }
  }

  // MARK: - Arithmetic

  private enum Number {
    case whole(Int64)
    case float(Float)
    case double(Double)
    case decimal(DecimalNumber)
  }

  static func compute(_ operation: ArithmeticOperator, _ a: Value, _ b: Value) -> Value {
    guard let left = number(a), let right = number(b) else { return .null }
    switch (left, right) {
    case (.decimal, _), (_, .decimal): return decimals(operation, decimal(left), decimal(right))
    case (.whole(let a), .whole(let b)):
      return integers(operation, a, b).map { .scalar(.int($0), type: "int") } ?? .null
    case (.double, _), (_, .double):
      return .scalar(.double(reals(operation, double(left), double(right))), type: "double")
    default: return .scalar(.double(Double(reals(operation, float(left), float(right)))), type: "float")
    }
  }

  private static func number(_ value: Value) -> Number? {
    guard case .scalar(_, let type) = value else { return nil }
    switch NaiveComparison.comparable(value) {
    case .whole(let number): return .whole(number)
    case .number(let number): return type == "float" ? .float(Float(number)) : .double(number)
    case .decimal(let text): return DecimalNumber(text).map { .decimal($0) }
    default: return nil
    }
  }

  private static func double(_ number: Number) -> Double {
    switch number {
    case .whole(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number): number
    case .decimal: .nan
    }
  }

  private static func float(_ number: Number) -> Float {
    if case .whole(let number) = number { Float(number) } else { Float(double(number)) }
  }

  private static func decimal(_ number: Number) -> DecimalNumber {
    switch number {
    case .whole(let number): DecimalNumber(number: .int(number))
    case .float(let number): DecimalNumber(number: .float(number))
    case .double(let number): DecimalNumber(number: .double(number))
    case .decimal(let number): number
    }
  }

  private static func decimals(_ operation: ArithmeticOperator, _ a: DecimalNumber, _ b: DecimalNumber) -> Value {
    let result =
      switch operation {
      case .add: a + b
      case .subtract: a - b
      case .multiply: a * b
      case .divide: a / b
      case .remainder: a.remainder(dividingBy: b)
      }
    return .scalar(.string(result.description), type: "decimal128")
  }

  /// By the reporting operators of the standard library, whose partial values wrap.
  private static func integers(_ operation: ArithmeticOperator, _ a: Int64, _ b: Int64) -> Int64? {
    switch operation {
    case .add: a.addingReportingOverflow(b).partialValue
    case .subtract: a.subtractingReportingOverflow(b).partialValue
    case .multiply: a.multipliedReportingOverflow(by: b).partialValue
    case .divide: b == 0 ? nil : a.dividedReportingOverflow(by: b).partialValue
    case .remainder: b == 0 ? nil : a.remainderReportingOverflow(dividingBy: b).partialValue
    }
  }

  private static func reals<Real: BinaryFloatingPoint>(_ operation: ArithmeticOperator, _ a: Real, _ b: Real) -> Real {
    switch operation {
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide: a / b
    case .remainder: a.truncatingRemainder(dividingBy: b)
    }
  }

  // MARK: - Functions

  static func apply(_ function: QueryFunction, _ value: Value, zone: String?) -> Value {
    switch (function, NaiveComparison.comparable(value)) {
    case (.length, .text(let bytes)):
      guard case .scalar(_, "string") = value else { return .scalar(.int(Int64(bytes.count)), type: "int") }
      return .scalar(.int(Int64(String(decoding: bytes, as: UTF8.self).unicodeScalars.count)), type: "int")
    case (.lowercase, .text(let bytes)):
      return .scalar(.string(String(decoding: bytes, as: UTF8.self).lowercased()), type: "string")
    case (.uppercase, .text(let bytes)):
      return .scalar(.string(String(decoding: bytes, as: UTF8.self).uppercased()), type: "string")
    case (_, .date(let seconds, _)):
      return part(function, seconds, zone).map { .scalar(.int($0), type: "int") } ?? .null
    default: return .null
    }
  }

  /// From one year to the next and from one month to the next, for years near to ours.
  private static func part(_ function: QueryFunction, _ seconds: Int64, _ zone: String?) -> Int64? {
    let offset = zone.flatMap { TimeZone(identifier: $0) }?
      .secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    let local = seconds + Int64(offset ?? 0)
    var day = Int64((Double(local) / 86_400).rounded(.down))
    let second = local - day * 86_400
    switch function {
    case .hour: return second / 3600
    case .minute: return second / 60 % 60
    case .second: return second % 60
    case .weekday: return ((day + 4) % 7 + 7) % 7 + 1
    default: break
    }
    // Whole spans of 400 years have the same number of days.
    var year: Int64 = 1970 + Int64((Double(day) / 146_097).rounded(.down)) * 400
    day -= Int64((Double(day) / 146_097).rounded(.down)) * 146_097
    while day >= length(of: year) {
      day -= length(of: year)
      year += 1
    }
    var month = 0
    let months: [Int64] = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    while day >= months[month] {
      day -= months[month]
      month += 1
    }
    switch function {
    case .year: return year
    case .month: return Int64(month) + 1
    default: return day + 1
    }
  }

  private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  private static func length(of year: Int64) -> Int64 { isLeap(year) ? 366 : 365 }
}
