import Foundation
import LarderStorage

/// Scalars as JSON in a form that gives back every bit. The column's type is known to both sides and not written.
enum DumpValue {
  /// A value other than a link and a collection.
  static func text(_ value: StoredValue) -> String {
    switch value {
    case .float(let float) where float.isNaN: JSONText.quote(nan(String(float.bitPattern, radix: 16)))
    case .double(let double) where double.isNaN: JSONText.quote(nan(String(double.bitPattern, radix: 16)))
    case .date(let date): JSONText.quote(text(date))
    case .decimal128(let bits): JSONText.quote(text(bits))
    case .string(let text): JSONText.dumpQuote(text)
    default: JSONText.value(value)
    }
  }

  /// A scalar in a cell of a table: the same without the quotes of JSON.
  static func bare(_ value: StoredValue) -> String {
    switch value {
    case .float(let float) where float.isNaN: nan(String(float.bitPattern, radix: 16))
    case .double(let double) where double.isNaN: nan(String(double.bitPattern, radix: 16))
    case .date(let date): text(date)
    case .decimal128(let bits): text(bits)
    default: ValueText.plain(value) ?? ""
    }
  }

  /// Reads such a cell. A text that does not fit the type stays one: the code that sets it refuses it.
  static func input(_ text: String, _ type: ColumnType) -> InputValue {
    switch type {
    case .bool: return ["true": .bool(true), "false": .bool(false)][text] ?? .string(text)
    case .int: return Int64(text).map { .integer($0) } ?? .string(text)
    case .float, .double:
      guard let number = Double(text), number.isFinite else { return .string(text) }
      return .number(number, text: text)
    default: return .string(text)
    }
  }

  private static func nan(_ bits: String) -> String { "nan:" + bits }

  private static func text(_ date: Timestamp) -> String {
    let text = DateText.format(date)
    // Years that do not have four digits are beyond ISO 8601.
    return DateText.parse(text) == date ? text : "T\(date.seconds):\(date.nanoseconds)"
  }

  private static func text(_ bits: Decimal128Bits) -> String {
    let text = DecimalNumber(bits).description
    // A NaN's payload and encodings that mean another one's number are not in the text.
    if DecimalNumber(text)?.bits == bits { return text }
    return "bits:" + String(bits.high, radix: 16) + ":" + String(bits.low, radix: 16)
  }

  /// The value of a type that a node holds; nil when it holds none.
  static func value(_ node: InputValue, _ type: ColumnType) -> StoredValue? {
    switch (type, node) {
    case (_, .null): return .null
    case (.bool, .bool(let bool)): return .bool(bool)
    case (.int, .integer(let integer)): return .int(integer)
    case (.float, .integer(let integer)): return .float(Float(integer))
    // Infinities are written as texts: a number beyond the range is another value.
    case (.float, .number(_, let text)): return Float(text).flatMap { $0.isFinite ? .float($0) : nil }
    case (.float, .string(let text)): return float(text).map { .float($0) }
    case (.double, .integer(let integer)): return .double(Double(integer))
    case (.double, .number(let number, _)): return number.isFinite ? .double(number) : nil
    case (.double, .string(let text)): return double(text).map { .double($0) }
    case (.string, .string(let text)): return .string(text)
    case (.data, .string(let text)): return Data(base64Encoded: text).map { .data($0) }
    case (.date, .string(let text)): return date(text).map { .date($0) }
    case (.uuid, .string(let text)): return UUID(uuidString: text).map { .uuid($0) }
    case (.objectId, .string(let text)): return ObjectIdText.parse(text).map { .objectId($0) }
    case (.decimal128, .string(let text)): return decimal(text).map { .decimal128($0) }
    default: return nil
    }
  }

  private static func float(_ text: String) -> Float? {
    guard text.hasPrefix("nan:") else { return Float(text) }
    return UInt32(text.dropFirst(4), radix: 16).map { Float(bitPattern: $0) }
  }

  private static func double(_ text: String) -> Double? {
    guard text.hasPrefix("nan:") else { return Double(text) }
    return UInt64(text.dropFirst(4), radix: 16).map { Double(bitPattern: $0) }
  }

  private static func date(_ text: String) -> Timestamp? {
    guard text.hasPrefix("T") else { return DateText.parse(text) }
    let parts = text.dropFirst().split(separator: ":")
    guard parts.count == 2, let seconds = Int64(parts[0]), let nanoseconds = UInt32(parts[1]),
      nanoseconds < 1_000_000_000
    else { return nil }
    return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }

  private static func decimal(_ text: String) -> Decimal128Bits? {
    guard text.hasPrefix("bits:") else { return DecimalNumber(text)?.bits }
    let parts = text.dropFirst(5).split(separator: ":")
    guard parts.count == 2, let high = UInt64(parts[0], radix: 16), let low = UInt64(parts[1], radix: 16) else {
      return nil
    }
    return Decimal128Bits(high: high, low: low)
  }
}
