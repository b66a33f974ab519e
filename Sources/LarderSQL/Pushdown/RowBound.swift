/// A bound of the rows' numbers that a statement has, with its value not yet known.
struct RowBound: Hashable, Sendable {
  enum Comparison: String, Sendable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// nil for what is no bound.
    init?(_ operation: PushedTerm.Operation) {
      switch operation {
      case .less: self = .less
      case .lessOrEqual: self = .lessOrEqual
      case .greater: self = .greater
      case .greaterOrEqual: self = .greaterOrEqual
      case .equal, .notEqual, .isNull, .isNotNull, .glob, .like: return nil
      }
    }
  }

  var comparison: Comparison
  /// True if SQLite does not look at the bound again.
  var isSettled = false

  /// The least and the greatest number that a value leaves, the former above the latter where it leaves none; nil for values that SQLite
  /// would convert first.
  func range(_ value: SQLValue) -> (from: Int64, to: Int64)? {
    switch value {
    case .integer(let number): return range(number)
    case .real(let number):
      if let whole = Int64(exactly: number) { return range(whole) }
      // Between two whole numbers.
      guard number.isFinite, number.magnitude < 0x1p62 else { return nil }
      let floor = Int64(number.rounded(.down))
      return comparison == .less || comparison == .lessOrEqual ? (.min, floor) : (floor + 1, .max)
    case .null: return (.max, .min)
    case .text, .blob: return nil
    }
  }

  private func range(_ number: Int64) -> (from: Int64, to: Int64) {
    switch comparison {
    case .less: number == .min ? (.max, .min) : (.min, number - 1)
    case .lessOrEqual: (.min, number)
    case .greater: number == .max ? (.max, .min) : (number + 1, .max)
    case .greaterOrEqual: (number, .max)
    }
  }
}
