/// Looks ahead in a text for whether a parenthesis holds a condition, and not a number: only a condition has a comparison outside of
/// SUBQUERYs.
struct LogicLookahead {
  private var lexer: Lexer
  /// Parentheses that are open.
  private var open = 1
  /// The numbers of open parentheses at which SUBQUERYs began.
  private var subqueries: [Int] = []
  private var entersSubquery = false
  private var followsOperator = false
  private var isInOptions = false
  private var followsValue = false

  /// - Parameter lexer: After the parenthesis.
  init(_ lexer: Lexer) { self.lexer = lexer }

  /// Returns true if a condition comes; what cannot be read counts as one, so that reading it reports the error.
  mutating func opensLogic() -> Bool {
    while open > 0 {
      guard let token = try? lexer.next() else { return true }
      if isLogic(token) { return true }
    }
    return false
  }

  private mutating func isLogic(_ token: Token) -> Bool {
    let (entered, followed, isAfterValue) = (entersSubquery, followsOperator, followsValue)
    followsValue = token.kind.endsValue
    (entersSubquery, followsOperator) = (false, false)
    switch token.kind {
    case .end: return true
    case .leftParenthesis:
      open += 1
      if entered { subqueries.append(open) }
    case .rightParenthesis:
      if subqueries.last == open { subqueries.removeLast() }
      open -= 1
    case .leftBracket: isInOptions = followed
    case .rightBracket:
      // A minus after options begins a number.
      if isInOptions { lexer.beginValue() }
      isInOptions = false
    case .comparison, .and, .or, .not:
      if subqueries.isEmpty { return true }
      followsOperator = true
    case .word(let word, false): return isLogic(word.uppercased(), isAfterValue)
    default: break
    }
    return false
  }

  private mutating func isLogic(_ word: String, _ isAfterValue: Bool) -> Bool {
    let operation = ComparisonOperator(rawValue: word)
    // A property may be called text.
    followsOperator = (operation != nil && (operation != .text || isAfterValue)) || word == "GEOWITHIN"
    if followsOperator { lexer.beginValue() }
    entersSubquery = word == "SUBQUERY"
    return subqueries.isEmpty && (followsOperator || word == "TRUEPREDICATE" || word == "FALSEPREDICATE")
  }
}
