/// The operators of the predicate language.
package enum ComparisonOperator: String, Hashable, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case contains = "CONTAINS"
  case like = "LIKE"
  /// Full-text search.
  case text = "TEXT"
  case `in` = "IN"
  case between = "BETWEEN"

  /// `<`, `<=`, `>` and `>=`.
  package var isRelational: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    default: false
    }
  }

  /// The operators that search in text.
  package var isTextual: Bool {
    switch self {
    case .beginsWith, .endsWith, .contains, .like, .text: true
    default: false
    }
  }

  /// The operator with its operands swapped; nil where a swap has no meaning.
  package var mirrored: ComparisonOperator? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: nil
    }
  }
}
