extension DecimalNumber {
  var negated: DecimalNumber {
    var result = self
    result.isNegative.toggle()
    return result
  }

  static func + (lhs: DecimalNumber, rhs: DecimalNumber) -> DecimalNumber {
    if lhs.isNaN || rhs.isNaN { return nan }
    if lhs.kind == .infinity {
      return rhs.kind == .infinity && rhs.isNegative != lhs.isNegative ? nan : lhs
    }
    if rhs.kind == .infinity { return rhs }
    if lhs.coefficient == 0 || rhs.coefficient == 0 { return sumWithZero(lhs, rhs) }
    let (large, small) = lhs.exponent >= rhs.exponent ? (lhs, rhs) : (rhs, lhs)
    let distance = large.exponent - small.exponent
    let shift = min(distance, 38 - digits(large.coefficient))
    let upper = large.coefficient * power(shift)
    let remaining = distance - shift
    var lower = small.coefficient
    if remaining > 0 {
      // What is cut off can only break a tie: mark it in a digit far below the last one kept.
      let divisor = remaining <= 38 ? power(remaining) : .max
      let (quotient, remainder) = lower.quotientAndRemainder(dividingBy: divisor)
      lower = remainder != 0 && quotient % 5 == 0 ? quotient + 1 : quotient
    }
    let exponent = large.exponent - shift
    if large.isNegative == small.isNegative {
      return rounded(negative: large.isNegative, upper + lower, exponent: exponent)
    }
    if upper == lower { return DecimalNumber(exponent: exponent) }
    return upper > lower
      ? rounded(negative: large.isNegative, upper - lower, exponent: exponent)
      : rounded(negative: small.isNegative, lower - upper, exponent: exponent)
  }

  private static func sumWithZero(_ lhs: DecimalNumber, _ rhs: DecimalNumber) -> DecimalNumber {
    let exponent = min(lhs.exponent, rhs.exponent)
    if lhs.coefficient == 0, rhs.coefficient == 0 {
      return DecimalNumber(isNegative: lhs.isNegative && rhs.isNegative, exponent: exponent)
    }
    var number = lhs.coefficient == 0 ? rhs : lhs
    while number.exponent > exponent, number.coefficient < coefficientLimit / 10 {
      number.coefficient *= 10
      number.exponent -= 1
    }
    return number
  }

  static func - (lhs: DecimalNumber, rhs: DecimalNumber) -> DecimalNumber { lhs + rhs.negated }

  static func * (lhs: DecimalNumber, rhs: DecimalNumber) -> DecimalNumber {
    if lhs.isNaN || rhs.isNaN { return nan }
    let negative = lhs.isNegative != rhs.isNegative
    if lhs.kind == .infinity || rhs.kind == .infinity {
      return lhs.isZero || rhs.isZero ? nan : infinity(negative: negative)
    }
    let product = lhs.coefficient.multipliedFullWidth(by: rhs.coefficient)
    return rounded(negative: negative, high: product.high, low: product.low, exponent: lhs.exponent + rhs.exponent)
  }

  static func / (lhs: DecimalNumber, rhs: DecimalNumber) -> DecimalNumber {
    if lhs.isNaN || rhs.isNaN { return nan }
    let negative = lhs.isNegative != rhs.isNegative
    if lhs.kind == .infinity { return rhs.kind == .infinity ? nan : infinity(negative: negative) }
    if rhs.kind == .infinity { return DecimalNumber(isNegative: negative, exponent: exponents.lowerBound) }
    if rhs.coefficient == 0 { return lhs.coefficient == 0 ? nan : infinity(negative: negative) }
    let ideal = lhs.exponent - rhs.exponent
    if lhs.coefficient == 0 { return rounded(negative: negative, 0, exponent: ideal) }
    let first = 38 - digits(lhs.coefficient)
    let scale = max(0, 35 + digits(rhs.coefficient) - digits(lhs.coefficient))
    let head = lhs.coefficient * power(min(first, scale))
    let product = head.multipliedFullWidth(by: power(max(0, scale - first)))
    var (quotient, remainder) = rhs.coefficient.dividingFullWidth((product.high, product.low))
    var exponent = ideal - scale
    if remainder == 0 {
      while exponent < ideal, quotient % 10 == 0 {
        quotient /= 10
        exponent += 1
      }
    }
    return rounded(negative: negative, quotient, exponent: exponent, inexact: remainder != 0)
  }

  /// -1, 0 or 1; a NaN equals a NaN and lies below every number.
  static func compare(_ lhs: DecimalNumber, _ rhs: DecimalNumber) -> Int {
    if lhs.isNaN || rhs.isNaN { return lhs.isNaN == rhs.isNaN ? 0 : lhs.isNaN ? -1 : 1 }
    if lhs.isZero, rhs.isZero { return 0 }
    let left = lhs.signum
    let right = rhs.signum
    if left != right { return left < right ? -1 : 1 }
    return left * compareMagnitudes(lhs, rhs)
  }

  private var signum: Int { isZero ? 0 : isNegative ? -1 : 1 }

  private static func compareMagnitudes(_ lhs: DecimalNumber, _ rhs: DecimalNumber) -> Int {
    if lhs.kind == .infinity || rhs.kind == .infinity {
      return lhs.kind == rhs.kind ? 0 : lhs.kind == .infinity ? 1 : -1
    }
    let left = lhs.exponent + digits(lhs.coefficient)
    let right = rhs.exponent + digits(rhs.coefficient)
    if left != right { return left < right ? -1 : 1 }
    let distance = lhs.exponent - rhs.exponent
    let a = lhs.coefficient * power(max(0, distance))
    let b = rhs.coefficient * power(max(0, -distance))
    return a == b ? 0 : a < b ? -1 : 1
  }

  /// The same number with no trailing zeros: equal numbers become identical.
  var normalized: DecimalNumber {
    guard kind == .finite else { return isNaN ? .nan : self }
    guard coefficient != 0 else { return .zero }
    var result = self
    while result.coefficient % 10 == 0, result.exponent < Self.exponents.upperBound {
      result.coefficient /= 10
      result.exponent += 1
    }
    return result
  }
}
