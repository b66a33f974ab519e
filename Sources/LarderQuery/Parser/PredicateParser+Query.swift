import Foundation
import LarderStorage

/// What RQL has beyond the format language (section B).
extension PredicateParser {
  // MARK: - Arithmetic

  /// `a + b * c`.
  mutating func sum() throws(PredicateError) -> OperandNode {
    try operators(of: 1) { parser throws(PredicateError) in
      try parser.operators(of: 2) { parser throws(PredicateError) in try parser.factor() }
    }
  }

  private mutating func operators(
    of precedence: Int, _ operand: (inout PredicateParser) throws(PredicateError) -> OperandNode
  ) throws(PredicateError) -> OperandNode {
    var left = try operand(&self)
    var levels = 0
    defer { depth -= levels }
    while case .arithmetic(let operation?) = token.kind, operation.precedence == precedence {
      // A chain makes a tree as deep as it is long.
      try enter()
      levels += 1
      try advance()
      left = .arithmetic(operation, left, try operand(&self))
    }
    return left
  }

  private mutating func factor() throws(PredicateError) -> OperandNode {
    guard token.kind == .leftParenthesis else { return try simpleOperand() }
    try enter()
    try advance()
    let inner = try sum()
    try expect(.rightParenthesis, "an operator or ')'")
    leave()
    return inner
  }

  /// Whether the parenthesis at the current place holds a condition, and not a number: only a condition has a comparison
  /// outside of SUBQUERYs.
  func opensLogic() -> Bool {
    var ahead = lexer
    var open = 1
    var subqueries: [Int] = []
    var (entersSubquery, followsOperator, isInOptions, followsValue) = (false, false, false, false)
    while open > 0 {
      // What cannot be read is reported by reading it as a condition.
      guard let token = try? ahead.next() else { return true }
      let (entered, followed, isBehindValue) = (entersSubquery, followsOperator, followsValue)
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
        if isInOptions { ahead.followsValue = false }
        isInOptions = false
      case .comparison, .and, .or, .not:
        if subqueries.isEmpty { return true }
        followsOperator = true
      case .word(let word, false):
        let upper = word.uppercased()
        let operation = ComparisonOperator(rawValue: upper)
        // A property may be called text.
        followsOperator = (operation != nil && (operation != .text || isBehindValue)) || upper == "GEOWITHIN"
        if followsOperator { ahead.followsValue = false }
        let isLogic = followsOperator || upper == "TRUEPREDICATE" || upper == "FALSEPREDICATE"
        if isLogic, subqueries.isEmpty { return true }
        entersSubquery = upper == "SUBQUERY"
      default: break
      }
    }
    return false
  }

  // MARK: - Arguments

  /// `$0`, `$K0`.
  mutating func indexedArgument(_ name: String) throws(PredicateError) -> OperandNode {
    if name.first == "K", Int(name.dropFirst()) != nil { return .keyPath(try keyPath()) }
    let constant = try constant()
    if case .list(let members) = constant.value {
      return .set(members.map { ConstantNode($0, constant.range) }, constant.range)
    }
    return .constant(constant)
  }

  /// The argument that a variable's name stands for.
  mutating func argument(indexed name: String) throws(PredicateError) -> PredicateArgument {
    let digits = name.first == "K" ? String(name.dropFirst()) : name
    guard let index = Int(digits) else {
      throw fail("The variable '$\(name)' is not bound here", expected: "an argument such as $0")
    }
    guard index < arguments.count else {
      throw fail("Argument \(index) is missing", .missingArgument, expected: "a value for each argument")
    }
    nextArgument = max(nextArgument, index + 1)
    return arguments[index]
  }

  // MARK: - Literals

  func isQueryConstant(_ word: String) -> Bool {
    switch word.lowercased() {
    case "inf", "infinity", "nan": true
    case "uuid", "oid", "binary", "obj": lexer.peek() == UInt8(ascii: "(")
    default: false
    }
  }

  /// `inf`, `nan`, `uuid(…)`, `oid(…)`, `binary("…")`, `obj("Class", key)`; nil for a property's name.
  mutating func queryConstant(_ word: String, _ range: SourceRange) throws(PredicateError) -> ConstantNode? {
    guard isQueryConstant(word) else { return nil }
    let value: PredicateArgument
    switch word.lowercased() {
    case "inf", "infinity": value = .value(.double(.infinity))
    case "nan": value = .value(.double(.nan))
    case "obj": return try objectLiteral(range)
    case "binary":
      try advance()
      try expect(.leftParenthesis, "'('")
      guard case .string(let text) = token.kind else { throw unexpected(expected: "a string") }
      try advance()
      let end = token.range
      try expect(.rightParenthesis, "')'")
      return ConstantNode(.value(.data(Data(text.utf8))), range.through(end))
    default:
      lexer.position += 1
      let (text, inner) = try lexer.rawUntilParenthesis(word)
      let type: ColumnType = word.lowercased() == "uuid" ? .uuid : .objectId
      guard let identifier = StoredValue(identifier: text, type: type) else {
        throw fail("'\(text)' is no \(type.displayName)", at: inner, expected: type.displayName)
      }
      try advance()
      return ConstantNode(.value(identifier), SourceRange(range.lower, inner.upper + 1))
    }
    try advance()
    return ConstantNode(value, range)
  }

  private mutating func objectLiteral(_ start: SourceRange) throws(PredicateError) -> ConstantNode {
    try advance()
    try expect(.leftParenthesis, "'('")
    guard case .string(let className) = token.kind else { throw unexpected(expected: "a class name in quotes") }
    try advance()
    try expect(.comma, "','")
    let key = try constant()
    let range = start.through(token.range)
    try expect(.rightParenthesis, "')'")
    return ConstantNode(
      .members(className: className, [.init(PredicateArgument.primaryKeyName, key.value)]), range)
  }

  static func timestamp(_ seconds: Int64, _ nanoseconds: Int64) -> Timestamp {
    nanoseconds < 0
      ? Timestamp(seconds: seconds - 1, nanoseconds: UInt32(1_000_000_000 + nanoseconds))
      : Timestamp(seconds: seconds, nanoseconds: UInt32(nanoseconds))
  }

  // MARK: - Steps

  /// `SORT(a ASC, b.c DESC) DISTINCT(a) LIMIT(5)` in any order and number.
  mutating func clauses() throws(PredicateError) -> [QueryClause] {
    var clauses: [QueryClause] = []
    while true {
      if try take(keyword: "SORT") {
        clauses.append(.sort(try list { parser throws(PredicateError) in try parser.sortCriterion() }))
      } else if try take(keyword: "DISTINCT") {
        clauses.append(.distinct(try list { parser throws(PredicateError) in try parser.keyPath() }))
      } else if try take(keyword: "LIMIT") {
        clauses.append(try limit())
      } else {
        return clauses
      }
    }
  }

  private mutating func list<Item>(
    _ item: (inout PredicateParser) throws(PredicateError) -> Item
  ) throws(PredicateError) -> [Item] {
    try expect(.leftParenthesis, "'('")
    var items = [try item(&self)]
    while token.kind == .comma {
      try advance()
      items.append(try item(&self))
    }
    try expect(.rightParenthesis, "',' or ')'")
    return items
  }

  private mutating func sortCriterion() throws(PredicateError) -> QueryClause.Criterion {
    let path = try keyPath()
    for (word, ascending) in [("ASC", true), ("ASCENDING", true), ("DESC", false), ("DESCENDING", false)]
    where try take(keyword: word) { return .init(path, isAscending: ascending) }
    throw unexpected(expected: "ASC or DESC")
  }

  private mutating func limit() throws(PredicateError) -> QueryClause {
    try expect(.leftParenthesis, "'('")
    guard case .integer(let count) = token.kind, count >= 0 else {
      throw unexpected(expected: "a number that is not negative")
    }
    try advance()
    try expect(.rightParenthesis, "')'")
    return .limit(Int(clamping: count))
  }
}

extension PredicateArgument {
  /// The member that stands for the primary key, whatever its name.
  package static let primaryKeyName = "@primaryKey"
}
