/// A piece of predicate text.
struct Token: Hashable {
  enum Kind: Hashable {
    /// A name or a keyword; `escaped` names (`#name`) are never keywords.
    case word(String, escaped: Bool)
    case collectionOperator(String)
    case variable(String)
    case integer(Int64)
    case real(Double)
    /// RQL alone has literals of these.
    case single(Float)
    case timestamp(seconds: Int64, nanoseconds: Int64)
    case data([UInt8])
    case string(String)
    case comparison(ComparisonOperator)
    case argument
    case keyPathArgument
    case integerArgument
    case realArgument
    case and, or, not
    case leftParenthesis, rightParenthesis, leftBrace, rightBrace, leftBracket, rightBracket
    case comma, dot
    case arithmetic(ArithmeticOperator)
    case end

    /// True if a minus after it subtracts.
    var endsValue: Bool {
      switch self {
      case .word(let word, let isEscaped):
        isEscaped || !Keyword.operators.contains(word.uppercased())
      case .collectionOperator, .variable, .integer, .real, .single, .timestamp, .data, .string, .argument,
        .keyPathArgument, .integerArgument, .realArgument, .rightParenthesis, .rightBrace, .rightBracket:
        true
      default: false
      }
    }
  }

  var kind: Kind
  var range: SourceRange
}
