import LarderStorage

/// Reads predicate text with its arguments into a `PredicateNode`, in the format language or in RQL.
///
/// Recursive, with a limit on nesting in place of a stack overflow; AND and OR chains of any length cost no depth.
package struct PredicateParser {
  /// How deep parentheses, SUBQUERYs and arithmetic may nest.
  package static let maximumDepth = 100

  let dialect: PredicateDialect
  var lexer: Lexer
  var token: Token
  var arguments: [PredicateArgument]
  var nextArgument = 0
  var depth = 0
  /// Where the arguments that became constants stand; others (key paths, `%d`) shape the tree.
  var slots: [SourceRange] = []
  /// Variables of the SUBQUERYs around the current place.
  var variables: [String] = []

  init(_ text: String, _ arguments: [PredicateArgument], dialect: PredicateDialect) throws(PredicateError) {
    var lexer = Lexer(text, dialect: dialect)
    token = try lexer.next()
    self.lexer = lexer
    self.arguments = arguments
    self.dialect = dialect
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
    guard parser.token.kind != .end else { throw parser.fail("The query is empty", expected: "a comparison") }
    let node = try parser.disjunction()
    let clauses = try parser.clauses()
    try parser.finish(expected: "AND, OR, SORT, DISTINCT, LIMIT or the end")
    return (node, clauses)
  }

  private mutating func whole(expected: String) throws(PredicateError) -> PredicateNode {
    if token.kind == .end { throw fail("The predicate is empty", expected: "a comparison") }
    let node = try disjunction()
    try finish(expected: expected)
    return node
  }

  private func finish(expected: String) throws(PredicateError) {
    guard token.kind == .end else { throw unexpected(expected: expected) }
    guard nextArgument == arguments.count else {
      throw PredicateError(
        .superfluousArgument,
        "\(arguments.count) arguments were given, but the predicate has \(nextArgument) placeholders",
        text: lexer.text, expected: "\(nextArgument) arguments")
    }
  }

  // MARK: - Tokens

  mutating func advance() throws(PredicateError) { token = try lexer.next() }

  func isKeyword(_ keyword: String) -> Bool {
    if case .word(let word, false) = token.kind { return Keyword.matches(word, keyword) }
    return false
  }

  mutating func take(keyword: String) throws(PredicateError) -> Bool {
    guard isKeyword(keyword) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ kind: Token.Kind, _ name: String) throws(PredicateError) {
    guard token.kind == kind else { throw unexpected(expected: name) }
    try advance()
  }

  func fail(
    _ message: String, _ code: PredicateError.Code = .syntax, at range: SourceRange? = nil, expected: String? = nil,
    suggestion: String? = nil
  ) -> PredicateError {
    let range = range ?? token.range
    return PredicateError(
      code, message, text: lexer.text, range: range, found: lexer.piece(range), expected: expected,
      suggestion: suggestion)
  }

  func unexpected(expected: String) -> PredicateError {
    if token.kind == .end { return fail("The predicate ends too early: expected \(expected)", expected: expected) }
    if case .arithmetic = token.kind, dialect == .format {
      return fail("Arithmetic is not supported: '\(lexer.piece(token.range))'", expected: expected)
    }
    return fail("Expected \(expected), found '\(lexer.piece(token.range))'", expected: expected)
  }

  /// Goes one level down; `leave` goes up again.
  mutating func enter() throws(PredicateError) {
    guard depth < Self.maximumDepth else {
      throw fail("The predicate nests deeper than \(Self.maximumDepth) levels", .tooDeep)
    }
    depth += 1
  }

  mutating func leave() { depth -= 1 }

  // MARK: - Logic

  mutating func disjunction() throws(PredicateError) -> PredicateNode {
    var children = [try conjunction()]
    while true {
      if token.kind == .or { try advance() } else if !(try take(keyword: "OR")) { break }
      children.append(try conjunction())
    }
    return children.count == 1 ? children[0] : .or(children)
  }

  private mutating func conjunction() throws(PredicateError) -> PredicateNode {
    var children = [try negation()]
    while true {
      if token.kind == .and { try advance() } else if !(try take(keyword: "AND")) { break }
      children.append(try negation())
    }
    return children.count == 1 ? children[0] : .and(children)
  }

  private mutating func negation() throws(PredicateError) -> PredicateNode {
    var isNegated = false
    while true {
      if token.kind == .not { try advance() } else if !(try take(keyword: "NOT")) { break }
      isNegated.toggle()
    }
    let inner = try primary()
    return isNegated ? .not(inner) : inner
  }

  private mutating func primary() throws(PredicateError) -> PredicateNode {
    if token.kind == .leftParenthesis, dialect == .format || opensLogic() {
      let opening = token.range
      try enter()
      try advance()
      let inner = try disjunction()
      guard token.kind == .rightParenthesis else {
        throw token.kind == .end
          ? fail("The parenthesis is not closed", at: opening, expected: ")")
          : unexpected(expected: "AND, OR or ')'")
      }
      try advance()
      leave()
      return inner
    }
    if try take(keyword: "TRUEPREDICATE") { return .constant(true) }
    if try take(keyword: "FALSEPREDICATE") { return .constant(false) }
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
