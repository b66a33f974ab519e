/// The tokens of a text, one at a time, with the errors that name their places.
struct TokenStream {
  let dialect: PredicateDialect
  var lexer: Lexer
  private(set) var current: Token
  private(set) var previous: Token?
  private(set) var depth = 0

  init(_ text: String, dialect: PredicateDialect) throws(PredicateError) {
    var lexer = Lexer(text, dialect: dialect)
    current = try lexer.next()
    self.lexer = lexer
    self.dialect = dialect
  }

  mutating func advance() throws(PredicateError) {
    previous = current
    current = try lexer.next()
  }

  /// The kind of the token after the current one; nil where there is none.
  var following: Token.Kind? {
    var lexer = lexer
    return try? lexer.next().kind
  }

  /// The keyword before the current place, as it is written, where a property can be meant by it: an operator follows at once (F-127).
  var propertyLikeKeyword: Token? {
    guard let previous, case .word(let word, false) = previous.kind,
      ["ANY", "SOME", "ALL", "NONE", "NOT"].contains(word.uppercased())
    else { return nil }
    switch current.kind {
    case .comparison: return previous
    case .word(let operation, false) where ComparisonOperator(rawValue: operation.uppercased()) != nil:
      // `ANY in == 1` has its property.
      if case .comparison? = following { return nil }
      return previous
    default: return nil
    }
  }

  /// The error of a keyword that is where a property or a value must be.
  func keywordAsProperty(_ keyword: Token) -> PredicateError {
    let name = lexer.piece(keyword.range)
    return fail(
      "Expected a property or a value, found the keyword \(name.uppercased()); a property of this name is written '#\(name)'",
      at: keyword.range, expected: "a property or a value", suggestion: "#\(name)")
  }

  func isKeyword(_ keyword: String) -> Bool {
    if case .word(let word, false) = current.kind { return Keyword.matches(word, keyword) }
    return false
  }

  mutating func take(keyword: String) throws(PredicateError) -> Bool {
    guard isKeyword(keyword) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ kind: Token.Kind, _ name: String) throws(PredicateError) {
    guard current.kind == kind else { throw unexpected(expected: name) }
    try advance()
  }

  func fail(
    _ message: String, _ code: PredicateError.Code = .syntax, at range: SourceRange? = nil, expected: String? = nil,
    suggestion: String? = nil
  ) -> PredicateError {
    let range = range ?? current.range
    return PredicateError(
      code, message, text: lexer.text, range: range, found: lexer.piece(range), expected: expected,
      suggestion: suggestion)
  }

  func unexpected(expected: String) -> PredicateError {
    if current.kind == .end { return fail("The predicate ends too early: expected \(expected)", expected: expected) }
    return fail("Expected \(expected), found '\(lexer.piece(current.range))'", expected: expected)
  }

  /// The error for a word that is where an operator must be.
  func unknownOperator(_ word: String) -> PredicateError {
    if word == "MATCHES" {
      return fail("MATCHES is not supported", .unsupportedOperator, suggestion: "LIKE")
    }
    let aliases = [
      "STARTSWITH": "BEGINSWITH", "HASPREFIX": "BEGINSWITH", "BEGINS": "BEGINSWITH", "HASSUFFIX": "ENDSWITH",
      "ENDS": "ENDSWITH", "ILIKE": "LIKE[c]", "IS": "==", "EQ": "==", "EQUALS": "==", "NE": "!=", "LT": "<",
      "GT": ">", "HAS": "CONTAINS", "INCLUDES": "CONTAINS",
    ]
    let names = ComparisonOperator.allCases.map(\.rawValue).filter { $0.count > 1 && $0.first?.isLetter == true }
    let isLogic = word == "AND" || word == "OR"
    return fail(
      isLogic
        ? "A comparison operator is missing before \(word)"
        : "'\(lexer.piece(current.range))' is not an operator",
      isLogic ? .syntax : .unknownOperator, expected: "a comparison operator",
      suggestion: isLogic ? nil : aliases[word] ?? Nearest.name(to: word, among: names))
  }

  /// Goes one level down; `leave` goes up again.
  mutating func enter() throws(PredicateError) {
    guard depth < PredicateParser.maximumDepth else {
      throw fail("The predicate nests deeper than \(PredicateParser.maximumDepth) levels", .tooDeep)
    }
    depth += 1
  }

  mutating func leave(_ levels: Int = 1) { depth -= levels }
}
