/// The operators that compute with numbers.
package enum ArithmeticOperator: String, Hashable, Sendable, CaseIterable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case remainder = "%"

  /// `*`, `/` and `%` bind tighter than `+` and `-`.
  package var precedence: Int { self == .add || self == .subtract ? 1 : 2 }
}
