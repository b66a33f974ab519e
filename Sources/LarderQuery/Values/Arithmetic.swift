import LarderStorage

/// Computing with numbers of any types: Int before Float before Double before Decimal128.
enum Arithmetic {
  /// Nil with nil or with what is no number.
  static func apply(_ operation: NumberOperation, _ a: StoredValue, _ b: StoredValue) -> StoredValue {
    switch (a, b) {
    case (.int(let a), .int(let b)): integers(operation, a, b).map { .int($0) } ?? .null
    case (.float(let a), .float(let b)): .float(real(operation, a, b))
    case (.float(let a), .int(let b)): .float(real(operation, a, Float(b)))
    case (.int(let a), .float(let b)): .float(real(operation, Float(a), b))
    case (.decimal128, _), (_, .decimal128): decimals(operation, a, b)
    default: doubles(operation, a, b)
    }
  }

  /// The type of what is computed with numbers of two types; values of any type where one of them may be anything.
  static func type(_ a: ColumnType, _ b: ColumnType) -> ColumnType {
    for type in [ColumnType.mixed, .decimal128, .double, .float] where a == type || b == type { return type }
    return .int
  }

  private static func decimals(_ operation: NumberOperation, _ a: StoredValue, _ b: StoredValue) -> StoredValue {
    guard isNumber(a), isNumber(b) else { return .null }
    let (left, right) = (DecimalNumber(number: a), DecimalNumber(number: b))
    let result =
      switch operation {
      case .add: left + right
      case .subtract: left - right
      case .multiply: left * right
      case .divide, .divideToExtreme: left / right
      case .remainder: left.remainder(dividingBy: right)
      }
    return .decimal128(result.bits)
  }

  private static func isNumber(_ value: StoredValue) -> Bool {
    if case .decimal128 = value { true } else { double(value) != nil }
  }

  private static func doubles(_ operation: NumberOperation, _ a: StoredValue, _ b: StoredValue) -> StoredValue {
    guard let left = double(a), let right = double(b) else { return .null }
    return .double(real(operation, left, right))
  }

  private static func double(_ value: StoredValue) -> Double? {
    switch value {
    case .int(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// Wraps on overflow; nil for what has no result.
  @inline(__always)
  static func integers(_ operation: NumberOperation, _ a: Int64, _ b: Int64) -> Int64? {
    switch operation {
    case .add: a &+ b
    case .subtract: a &- b
    case .multiply: a &* b
    case .divide: b == 0 ? nil : quotient(a, b)
    case .divideToExtreme: b == 0 ? (a < 0 ? .min : .max) : quotient(a, b)
    // The remainder of the smallest number and -1 would trap.
    case .remainder: b == 0 ? nil : (b == -1 ? 0 : a % b)
    }
  }

  @inline(__always)
  private static func quotient(_ a: Int64, _ b: Int64) -> Int64 { b == -1 ? 0 &- a : a / b }

  @inline(__always)
  static func real<Number: BinaryFloatingPoint>(_ operation: NumberOperation, _ a: Number, _ b: Number) -> Number {
    switch operation {
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide, .divideToExtreme: a / b
    case .remainder: a.truncatingRemainder(dividingBy: b)
    }
  }
}
