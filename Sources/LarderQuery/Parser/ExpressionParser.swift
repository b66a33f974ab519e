/// Reads arithmetic and functions of a predicate.
enum ExpressionParser {
  /// `a + b * c`.
  static func sum(_ parser: inout PredicateParser) throws(PredicateError) -> OperandNode {
    try operators(of: 1, &parser) { parser throws(PredicateError) in
      try operators(of: 2, &parser) { parser throws(PredicateError) in try factor(&parser) }
    }
  }

  private static func operators(
    of precedence: Int, _ parser: inout PredicateParser,
    _ operand: (inout PredicateParser) throws(PredicateError) -> OperandNode
  ) throws(PredicateError) -> OperandNode {
    var left = try operand(&parser)
    var levels = 0
    while case .arithmetic(let operation) = parser.tokens.current.kind, operation.precedence == precedence {
      // A chain makes a tree as deep as it is long.
      try parser.tokens.enter()
      levels += 1
      try parser.tokens.advance()
      left = .arithmetic(operation, left, try operand(&parser))
    }
    parser.tokens.leave(levels)
    return left
  }

  /// A value, what is in parentheses, or one of these with a minus before it.
  private static func factor(_ parser: inout PredicateParser) throws(PredicateError) -> OperandNode {
    let range = parser.tokens.current.range
    switch parser.tokens.current.kind {
    case .leftParenthesis:
      try parser.tokens.enter()
      try parser.tokens.advance()
      let inner = try sum(&parser)
      try parser.tokens.expect(.rightParenthesis, "an operator or ')'")
      parser.tokens.leave()
      return inner
    case .arithmetic(.subtract):
      try parser.tokens.enter()
      try parser.tokens.advance()
      let negated = try factor(&parser)
      parser.tokens.leave()
      return .arithmetic(.subtract, .constant(ConstantNode(.value(.int(0)), range)), negated)
    default: return try parser.simpleOperand()
    }
  }

  /// `length(name)`, `hour(date, 'Europe/Berlin')`.
  static func call(
    _ name: String, _ start: SourceRange, _ parser: inout PredicateParser
  ) throws(PredicateError) -> FunctionNode {
    guard let function = QueryFunction(name: name) else {
      let names = QueryFunction.allCases.map(\.rawValue)
      throw parser.tokens.fail(
        "There is no function '\(name)'", .unsupportedOperator, at: start, expected: names.joined(separator: ", "),
        suggestion: Nearest.name(to: name.lowercased(), among: names))
    }
    try parser.tokens.enter()
    try parser.tokens.advance()
    try parser.tokens.expect(.leftParenthesis, "'('")
    let argument = try parser.operand()
    var timeZone: ConstantNode?
    if parser.tokens.current.kind == .comma {
      guard function.takesTimeZone else {
        throw parser.tokens.fail("\(function.rawValue) takes one value", expected: "')'")
      }
      try parser.tokens.advance()
      timeZone = try parser.constant()
    }
    let end = parser.tokens.current.range
    try parser.tokens.expect(
      .rightParenthesis, function.takesTimeZone && timeZone == nil ? "',' with a time zone, or ')'" : "')'")
    parser.tokens.leave()
    return FunctionNode(function, of: argument, timeZone: timeZone, range: start.through(end))
  }
}
