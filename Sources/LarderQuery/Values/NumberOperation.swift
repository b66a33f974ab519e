/// An operation on two numbers.
package enum NumberOperation: Hashable, Sendable {
  case add, subtract, multiply
  /// Gives nil for an integer divided by zero.
  case divide
  /// Divides as RQL does: an integer divided by zero is the largest number, a negative one the smallest.
  case divideToExtreme
  /// Has the sign of the first number; nil for an integer and zero.
  case remainder

  package init(_ written: ArithmeticOperator, _ dialect: PredicateDialect) {
    switch written {
    case .add: self = .add
    case .subtract: self = .subtract
    case .multiply: self = .multiply
    case .divide: self = dialect == .query ? .divideToExtreme : .divide
    case .remainder: self = .remainder
    }
  }

  /// The operator as it is written.
  package var written: ArithmeticOperator {
    switch self {
    case .add: .add
    case .subtract: .subtract
    case .multiply: .multiply
    case .divide, .divideToExtreme: .divide
    case .remainder: .remainder
    }
  }
}
