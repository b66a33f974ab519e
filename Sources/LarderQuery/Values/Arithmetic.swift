import LarderStorage

/// Computing with numbers of any types: Int before Float before Double before Decimal128.
enum Arithmetic {
  /// Nil with nil or with what is no number.
  static func apply(_ operation: ArithmeticOperator, _ a: StoredValue, _ b: StoredValue) -> StoredValue {
    switch (a, b) {
    case (.int(let a), .int(let b)): .int(integers(operation, a, b))
    case (.float(let a), .float(let b)): .float(real(operation, a, b))
    case (.float(let a), .int(let b)): .float(real(operation, a, Float(b)))
    case (.int(let a), .float(let b)): .float(real(operation, Float(a), b))
    case (.decimal128, _), (_, .decimal128): decimals(operation, a, b)
    default: doubles(operation, a, b)
    }
  }

  private static func decimals(_ operation: ArithmeticOperator, _ a: StoredValue, _ b: StoredValue) -> StoredValue {
    guard isNumber(a), isNumber(b) else { return .null }
    let (left, right) = (DecimalNumber(number: a), DecimalNumber(number: b))
    let result =
      switch operation {
      case .add: left + right
      case .subtract: left - right
      case .multiply: left * right
      case .divide: left / right
      }
    return .decimal128(result.bits)
  }

  private static func isNumber(_ value: StoredValue) -> Bool {
    if case .decimal128 = value { true } else { double(value) != nil }
  }

  private static func doubles(_ operation: ArithmeticOperator, _ a: StoredValue, _ b: StoredValue) -> StoredValue {
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

  /// Wraps on overflow; division by zero gives the largest number, of a negative one the smallest.
  private static func integers(_ operation: ArithmeticOperator, _ a: Int64, _ b: Int64) -> Int64 {
    switch operation {
    case .add: a &+ b
    case .subtract: a &- b
    case .multiply: a &* b
    case .divide: b == 0 ? (a < 0 ? .min : .max) : (b == -1 ? 0 &- a : a / b)
    }
  }

  private static func real<Number: BinaryFloatingPoint>(
    _ operation: ArithmeticOperator, _ a: Number, _ b: Number
  ) -> Number {
    switch operation {
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide: a / b
    }
  }
}
