/// A piece of predicate text.
struct Token: Hashable {
  enum Kind: Hashable {
    /// A name or a keyword; `escaped` names (`#name`) are never keywords.
    case word(String, escaped: Bool)
    case collectionOperator(String)
    case variable(String)
    case integer(Int64)
    case real(Double)
    case string(String)
    case comparison(ComparisonOperator)
    case argument
    case keyPathArgument
    case integerArgument
    case realArgument
    case and, or, not
    case leftParenthesis, rightParenthesis, leftBrace, rightBrace, leftBracket, rightBracket
    case comma, dot, arithmetic
    case end
  }

  var kind: Kind
  var range: SourceRange
}
