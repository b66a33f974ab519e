import CSQLite
import Foundation

/// Functions of statements that SQLite itself does not have: `REGEXP`, and numbers over groups.
enum SQLFunctions {
  private static let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS

  static func add(to handle: OpaquePointer) {
    sqlite3_create_function_v2(handle, "regexp", 2, flags, nil, regexp, nil, nil, nil)
    sqlite3_create_function_v2(handle, "median", 1, flags, nil, nil, gather, median, nil)
    sqlite3_create_function_v2(handle, "percentile", 2, flags, nil, nil, gather, percentile, nil)
    for name in ["stddev", "stddev_samp"] {
      sqlite3_create_function_v2(handle, name, 1, flags, nil, nil, gather, sampleDeviation, nil)
    }
    sqlite3_create_function_v2(handle, "stddev_pop", 1, flags, nil, nil, gather, deviation, nil)
  }

  private typealias Arguments = UnsafeMutablePointer<OpaquePointer?>

  // MARK: - Patterns

  /// A pattern that was read, for all rows of a statement.
  private final class Pattern {
    let expression: NSRegularExpression
    init(_ expression: NSRegularExpression) { self.expression = expression }
  }

  /// `text REGEXP pattern`, which SQLite gives the other way round.
  private static let regexp: @convention(c) (OpaquePointer?, Int32, Arguments?) -> Void = { context, _, arguments in
    guard let arguments, case .text(let pattern) = SQLValue(arguments[0]), let text = SQLValue(arguments[1]).plain
    else {
      return sqlite3_result_null(context)
    }
    let found: Pattern
    if let known = sqlite3_get_auxdata(context, 0) {
      found = Unmanaged<Pattern>.fromOpaque(known).takeUnretainedValue()
    } else {
      guard let expression = try? NSRegularExpression(pattern: pattern) else {
        return sqlite3_result_error(context, "'\(pattern)' is no regular expression", -1)
      }
      found = Pattern(expression)
      // SQLite may let go of it before the call returns, which `found` outlives.
      sqlite3_set_auxdata(context, 0, Unmanaged.passRetained(found).toOpaque()) { kept in
        if let kept { Unmanaged<Pattern>.fromOpaque(kept).release() }
      }
    }
    let range = NSRange(location: 0, length: text.utf16.count)
    sqlite3_result_int(context, found.expression.firstMatch(in: text, range: range) == nil ? 0 : 1)
  }

  // MARK: - Numbers over groups

  /// The numbers of a group.
  private final class Numbers {
    var all: [Double] = []
    /// The percentile that the first row asked for.
    var part: Double?
  }

  /// The numbers that a call is about; nil where there was no row.
  private static func numbers(_ context: OpaquePointer?, makes: Bool) -> Numbers? {
    let size = makes ? Int32(MemoryLayout<UnsafeRawPointer?>.size) : 0
    guard let place = sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: UnsafeRawPointer?.self) else {
      return nil
    }
    if let known = place.pointee { return Unmanaged<Numbers>.fromOpaque(known).takeUnretainedValue() }
    guard makes else { return nil }
    let made = Numbers()
    place.pointee = UnsafeRawPointer(Unmanaged.passRetained(made).toOpaque())
    return made
  }

  private static let gather: @convention(c) (OpaquePointer?, Int32, Arguments?) -> Void = { context, count, arguments in
    guard let arguments, let numbers = numbers(context, makes: true) else { return }
    if count == 2, numbers.part == nil {
      let part = sqlite3_value_double(arguments[1])
      guard isNumber(arguments[1]), 0...100 ~= part else {
        return sqlite3_result_error(context, "the second argument of percentile is a number from 0 to 100", -1)
      }
      numbers.part = part
    }
    if isNumber(arguments[0]) { numbers.all.append(sqlite3_value_double(arguments[0])) }
  }

  private static func isNumber(_ value: OpaquePointer?) -> Bool {
    [SQLITE_INTEGER, SQLITE_FLOAT].contains(sqlite3_value_numeric_type(value))
  }

  /// Gives the result of the numbers, and lets go of them; NULL where there are none.
  private static func finish(_ context: OpaquePointer?, _ body: ([Double], Double?) -> Double?) {
    guard let numbers = numbers(context, makes: false) else { return sqlite3_result_null(context) }
    let result = numbers.all.isEmpty ? nil : body(numbers.all, numbers.part)
    if let result { sqlite3_result_double(context, result) } else { sqlite3_result_null(context) }
    Unmanaged.passUnretained(numbers).release()
  }

  /// The value below which a part of the numbers is, between two of them where it is none.
  private static func value(at part: Double, of numbers: [Double]) -> Double {
    let sorted = numbers.sorted()
    let place = part * Double(sorted.count - 1)
    let low = Int(place)
    let rest = place - Double(low)
    guard rest > 0, low + 1 < sorted.count else { return sorted[low] }
    return sorted[low] + (sorted[low + 1] - sorted[low]) * rest
  }

  private static func squares(_ numbers: [Double]) -> Double {
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    return numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }

  private static let median: @convention(c) (OpaquePointer?) -> Void = { context in
    finish(context) { numbers, _ in value(at: 0.5, of: numbers) }
  }

  private static let percentile: @convention(c) (OpaquePointer?) -> Void = { context in
    finish(context) { numbers, part in part.map { value(at: $0 / 100, of: numbers) } }
  }

  private static let deviation: @convention(c) (OpaquePointer?) -> Void = { context in
    finish(context) { numbers, _ in (squares(numbers) / Double(numbers.count)).squareRoot() }
  }

  private static let sampleDeviation: @convention(c) (OpaquePointer?) -> Void = { context in
    finish(context) { numbers, _ in
      numbers.count < 2 ? nil : (squares(numbers) / Double(numbers.count - 1)).squareRoot()
    }
  }
}
