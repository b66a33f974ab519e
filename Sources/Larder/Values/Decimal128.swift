import Foundation
import LarderStorage

/// A decimal number of 34 digits (IEEE 754-2008 decimal128).
///
/// Equal by number: 1.0 equals 1.00, and a NaN equals a NaN. Rounding is half to even.
public final class Decimal128: NSObject, Decodable, @unchecked Sendable {
  // Unchecked: only `negate()` changes an instance, which callers do not share while it runs.
  var number: DecimalNumber

  init(_ number: DecimalNumber) {
    self.number = number
    super.init()
  }

  convenience init(bits: Decimal128Bits) { self.init(DecimalNumber(bits)) }

  var bits: Decimal128Bits { number.bits }

  /// Zero.
  public required override init() {
    number = .zero
    super.init()
  }

  /// A number from another number, its text or a `Decimal128`, NaN from nil; anything else is misuse.
  public required init(value: Any) {
    guard let number = Decimal128.numberOrNaN(from: value) else {
      misuse("'\(misuseText(value))' is not a valid Decimal128. Pass a number, or text such as \"12.50\".")
    }
    self.number = number
    super.init()
  }

  /// The number nearest to an `NSNumber`.
  public required init(number: NSNumber) {
    self.number = Decimal128.number(from: number) ?? .nan
    super.init()
  }

  /// Malformed text gives NaN; nothing is thrown.
  public required init(string: String) throws {
    number = DecimalNumber(string) ?? .nan
    super.init()
  }

  public required init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      number = DecimalNumber(text) ?? .nan
    } else if let integer = try? container.decode(Int64.self) {
      number = DecimalNumber(integer)
    } else {
      number = DecimalNumber(try container.decode(Double.self))
    }
    super.init()
  }

  /// The most negative finite value.
  public static var min: Decimal128 {
    Decimal128(-DecimalNumber.greatestFinite)
  }

  /// The largest finite value.
  public static var max: Decimal128 {
    Decimal128(DecimalNumber.greatestFinite)
  }

  /// The nearest `Double`.
  public var doubleValue: Double { number.doubleValue }

  /// The number as Foundation's 38-digit decimal; NaN where that cannot hold it.
  public var decimalValue: Decimal {
    number.isFinite ? Decimal(string: number.description) ?? .nan : .nan
  }

  /// The number as text, which `init(string:)` reads: without zeros at the end of a fraction, large and small ones as `1.5E20`.
  public var stringValue: String { number.shortText }
  /// A Boolean value that says whether it is no number.
  public var isNaN: Bool { number.isNaN }
  /// The same as `isNaN`.
  public var isSignaling: Bool { isNaN }
  /// The same as `isNaN`: decimals of no kind signal.
  public var isSignalingNaN: Bool { isNaN }

  /// The number without its sign.
  public var magnitude: Decimal128 { Decimal128(number.magnitude) }

  /// Flips the sign of this very instance.
  public func negate() { number = -number }

  public override var description: String { number.shortText }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? Decimal128).map { $0.number == number } ?? false
  }

  public override var hash: Int {
    number.canonicalBits.hashValue
  }

  static func number(from value: Any) -> DecimalNumber? {
    switch value {
    case let value as Decimal128: value.number
    case let value as any FixedWidthInteger: DecimalNumber("\(value)")
    case let value as Double: DecimalNumber(value)
    case let value as Float: DecimalNumber(value)
    case let value as Decimal: DecimalNumber("\(value)")
    case let value as String: DecimalNumber(value)
    case let value as NSNumber: DecimalNumber(value.stringValue)
    default: nil
    }
  }
}

extension Decimal128: Encodable {
  /// Writes the number as text, so that no digit is lost.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }
}

extension Decimal128: ExpressibleByIntegerLiteral {
  public convenience init(integerLiteral value: Int64) { self.init(DecimalNumber(value)) }
}

extension Decimal128: ExpressibleByFloatLiteral {
  public convenience init(floatLiteral value: Double) { self.init(DecimalNumber(value)) }
}

extension Decimal128: ExpressibleByStringLiteral {
  /// A malformed literal gives NaN.
  public convenience init(stringLiteral value: String) { self.init(DecimalNumber(value) ?? .nan) }
}

extension Decimal128: Comparable {
  /// Returns true if the numbers are equal; NaN equals nothing but NaN.
  public static func == (lhs: Decimal128, rhs: Decimal128) -> Bool { lhs.number == rhs.number }
  public static func < (lhs: Decimal128, rhs: Decimal128) -> Bool { lhs.number < rhs.number }
  public static func <= (lhs: Decimal128, rhs: Decimal128) -> Bool { lhs.number <= rhs.number }
  public static func >= (lhs: Decimal128, rhs: Decimal128) -> Bool { lhs.number >= rhs.number }
  public static func > (lhs: Decimal128, rhs: Decimal128) -> Bool { lhs.number > rhs.number }
}

extension Decimal128: Numeric {
  /// The integer, if 34 digits hold it.
  public convenience init?<T>(exactly source: T) where T: BinaryInteger {
    guard let number = DecimalNumber("\(source)"), "\(number)" == "\(source)" else { return nil }
    self.init(number)
  }

  /// The type itself.
  public typealias Magnitude = Decimal128
  public static func + (lhs: Decimal128, rhs: Decimal128) -> Decimal128 { Decimal128(lhs.number + rhs.number) }
  public static func - (lhs: Decimal128, rhs: Decimal128) -> Decimal128 { Decimal128(lhs.number - rhs.number) }
  public static func * (lhs: Decimal128, rhs: Decimal128) -> Decimal128 { Decimal128(lhs.number * rhs.number) }
  public static func *= (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs * rhs }
  /// The quotient, to 34 digits.
  public static func / (lhs: Decimal128, rhs: Decimal128) -> Decimal128 { Decimal128(lhs.number / rhs.number) }
}

extension Decimal128 {
  public typealias Stride = Decimal128
  public func distance(to other: Decimal128) -> Decimal128 { other - self }
  public func advanced(by n: Decimal128) -> Decimal128 { self + n }
}
