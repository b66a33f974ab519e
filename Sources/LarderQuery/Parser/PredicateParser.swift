import LarderStorage

/// Reads predicate text with its arguments into a `PredicateNode`, in the format language or in RQL.
///
/// Recursive, with a limit on nesting in place of a stack overflow; AND and OR chains of any length cost no depth.
package struct PredicateParser {
  /// The greatest depth of parentheses, SUBQUERYs, arithmetic and functions.
  package static let maximumDepth = 100

  var tokens: TokenStream
  var arguments: ArgumentReader
  /// The places of the arguments that became constants; others (key paths, `%d`) shape the tree.
  var slots: [SourceRange] = []
  /// Variables of the SUBQUERYs around the current place.
  var variables: [String] = []

  init(_ text: String, _ arguments: [PredicateArgument], dialect: PredicateDialect) throws(PredicateError) {
    tokens = try TokenStream(text, dialect: dialect)
    self.arguments = ArgumentReader(arguments)
  }

  /// Parses a predicate. Throws `PredicateError` with the position of the fault.
  package static func parse(
    _ text: String, _ arguments: [PredicateArgument] = [], dialect: PredicateDialect = .format
  ) throws(PredicateError) -> PredicateNode {
    try parseTemplate(text, arguments, dialect: dialect).node
  }

  /// Parses the text for use with other arguments as well.
  static func parseTemplate(
    _ text: String, _ arguments: [PredicateArgument], dialect: PredicateDialect = .format
  ) throws(PredicateError) -> PredicateTemplate {
    var parser = try PredicateParser(text, arguments, dialect: dialect)
    let node = try parser.whole(expected: "AND, OR or the end")
    return PredicateTemplate(node: node, slots: parser.slots, arguments: arguments.count)
  }

  /// Parses an RQL query with the steps after its predicate. Throws `PredicateError`.
  package static func parseQuery(
    _ text: String, _ arguments: [PredicateArgument] = []
  ) throws(PredicateError) -> (predicate: PredicateNode, clauses: [QueryClause]) {
    var parser = try PredicateParser(text, arguments, dialect: .query)
    guard parser.tokens.current.kind != .end else {
      throw parser.tokens.fail("The query is empty", expected: "a comparison")
    }
    let node = try parser.disjunction()
    let clauses = try parser.clauses()
    try parser.finish(expected: "AND, OR, SORT, DISTINCT, LIMIT or the end")
    return (node, clauses)
  }

  /// Parses what is computed of properties: `distance / airTime`. Throws `PredicateError`.
  static func parseOperand(
    _ text: String, _ arguments: [PredicateArgument] = [], dialect: PredicateDialect = .format
  ) throws(PredicateError) -> OperandNode {
    var parser = try PredicateParser(text, arguments, dialect: dialect)
    let operand = try parser.operand()
    try parser.finish(expected: "an operator or the end")
    return operand
  }

  private mutating func whole(expected: String) throws(PredicateError) -> PredicateNode {
    if tokens.current.kind == .end { throw tokens.fail("The predicate is empty", expected: "a comparison") }
    let node = try disjunction()
    try finish(expected: expected)
    return node
  }

  private func finish(expected: String) throws(PredicateError) {
    guard tokens.current.kind == .end else { throw tokens.unexpected(expected: expected) }
    try arguments.finish(tokens)
  }

  // MARK: - Logic

  private func opensLogic() -> Bool {
    var lookahead = LogicLookahead(tokens.lexer)
    return lookahead.opensLogic()
  }

  mutating func disjunction() throws(PredicateError) -> PredicateNode {
    var children = [try conjunction()]
    while true {
      if tokens.current.kind == .or { try tokens.advance() } else if !(try tokens.take(keyword: "OR")) { break }
      children.append(try conjunction())
    }
    return children.count == 1 ? children[0] : .or(children)
  }

  private mutating func conjunction() throws(PredicateError) -> PredicateNode {
    var children = [try negation()]
    while true {
      if tokens.current.kind == .and { try tokens.advance() } else if !(try tokens.take(keyword: "AND")) { break }
      children.append(try negation())
    }
    return children.count == 1 ? children[0] : .and(children)
  }

  private mutating func negation() throws(PredicateError) -> PredicateNode {
    var isNegated = false
    while true {
      if tokens.current.kind == .not { try tokens.advance() } else if !(try tokens.take(keyword: "NOT")) { break }
      isNegated.toggle()
    }
    let inner = try primary()
    return isNegated ? .not(inner) : inner
  }

  private mutating func primary() throws(PredicateError) -> PredicateNode {
    if tokens.current.kind == .leftParenthesis, opensLogic() {
      let opening = tokens.current.range
      try tokens.enter()
      try tokens.advance()
      let inner = try disjunction()
      guard tokens.current.kind == .rightParenthesis else {
        throw tokens.current.kind == .end
          ? tokens.fail("The parenthesis is not closed", at: opening, expected: ")")
          : tokens.unexpected(expected: "AND, OR or ')'")
      }
      try tokens.advance()
      tokens.leave()
      return inner
    }
    if try tokens.take(keyword: "TRUEPREDICATE") { return .constant(true) }
    if try tokens.take(keyword: "FALSEPREDICATE") { return .constant(false) }
    return .comparison(try comparison())
  }
}

/// The reserved words. FIRST, LAST, SIZE and FETCH have a meaning in brackets alone and may be names elsewhere.
enum Keyword {
  static let all: Set<String> = [
    "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "IN", "BETWEEN", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE",
    "MATCHES", "TRUEPREDICATE", "FALSEPREDICATE", "SUBQUERY", "SELF", "NIL", "NULL", "TRUE", "FALSE", "YES", "NO",
    "CAST", "FUNCTION",
  ]

  /// Words that a value may follow.
  static let operators: Set<String> = [
    "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "IN", "BETWEEN", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE",
  ]

  /// Compares without case; keywords are ASCII.
  static func matches(_ word: String, _ keyword: String) -> Bool {
    word.utf8.count == keyword.utf8.count && word.uppercased() == keyword
  }
}
