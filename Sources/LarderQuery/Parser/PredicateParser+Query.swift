import Foundation
import LarderStorage

/// Parses what RQL has beyond the format language (section B).
extension PredicateParser {
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

  // MARK: - Literals

  func isQueryConstant(_ word: String) -> Bool {
    switch word.lowercased() {
    case "inf", "infinity", "nan": true
    case "uuid", "oid", "binary", "obj": tokens.lexer.peek() == UInt8(ascii: "(")
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
      try tokens.advance()
      try tokens.expect(.leftParenthesis, "'('")
      guard case .string(let text) = tokens.current.kind else { throw tokens.unexpected(expected: "a string") }
      try tokens.advance()
      let end = tokens.current.range
      try tokens.expect(.rightParenthesis, "')'")
      return ConstantNode(.value(.data(Data(text.utf8))), range.through(end))
    default:
      tokens.lexer.position += 1
      let (text, inner) = try tokens.lexer.rawUntilParenthesis(word)
      let type: ColumnType = word.lowercased() == "uuid" ? .uuid : .objectId
      guard let identifier = StoredValue(identifier: text, type: type) else {
        throw tokens.fail("'\(text)' is no \(type.displayName)", at: inner, expected: type.displayName)
      }
      try tokens.advance()
      return ConstantNode(.value(identifier), SourceRange(range.lower, inner.upper + 1))
    }
    try tokens.advance()
    return ConstantNode(value, range)
  }

  private mutating func objectLiteral(_ start: SourceRange) throws(PredicateError) -> ConstantNode {
    try tokens.advance()
    try tokens.expect(.leftParenthesis, "'('")
    guard case .string(let className) = tokens.current.kind else {
      throw tokens.unexpected(expected: "a class name in quotes")
    }
    try tokens.advance()
    try tokens.expect(.comma, "','")
    let key = try constant()
    let range = start.through(tokens.current.range)
    try tokens.expect(.rightParenthesis, "')'")
    return ConstantNode(
      .members(className: className, [.init(PredicateArgument.primaryKeyName, key.value)]), range)
  }

  // MARK: - Steps

  /// `SORT(a ASC, b.c DESC) DISTINCT(a) LIMIT(5)` in any order and number.
  mutating func clauses() throws(PredicateError) -> [QueryClause] {
    var clauses: [QueryClause] = []
    while true {
      if try tokens.take(keyword: "SORT") {
        clauses.append(.sort(try list { parser throws(PredicateError) in try parser.sortCriterion() }))
      } else if try tokens.take(keyword: "DISTINCT") {
        clauses.append(.distinct(try list { parser throws(PredicateError) in try parser.operand() }))
      } else if try tokens.take(keyword: "LIMIT") {
        clauses.append(try limit())
      } else {
        return clauses
      }
    }
  }

  private mutating func list<Item>(
    _ item: (inout PredicateParser) throws(PredicateError) -> Item
  ) throws(PredicateError) -> [Item] {
    try tokens.expect(.leftParenthesis, "'('")
    var items = [try item(&self)]
    while tokens.current.kind == .comma {
      try tokens.advance()
      items.append(try item(&self))
    }
    try tokens.expect(.rightParenthesis, "',' or ')'")
    return items
  }

  private mutating func sortCriterion() throws(PredicateError) -> QueryClause.Criterion {
    let operand = try operand()
    for (word, ascending) in [("ASC", true), ("ASCENDING", true), ("DESC", false), ("DESCENDING", false)]
    where try tokens.take(keyword: word) { return .init(operand, isAscending: ascending) }
    throw tokens.unexpected(expected: "ASC or DESC")
  }

  private mutating func limit() throws(PredicateError) -> QueryClause {
    try tokens.expect(.leftParenthesis, "'('")
    guard case .integer(let count) = tokens.current.kind, count >= 0 else {
      throw tokens.unexpected(expected: "a number that is not negative")
    }
    try tokens.advance()
    try tokens.expect(.rightParenthesis, "')'")
    return .limit(Int(clamping: count))
  }
}

extension PredicateArgument {
  /// The member that means the primary key, whatever its name.
  package static let primaryKeyName = "@primaryKey"
}

extension Timestamp {
  /// `T5:3` and `T-5:-3`, where both numbers have the sign.
  init(literal seconds: Int64, _ nanoseconds: Int64) {
    self =
      nanoseconds < 0
      ? Timestamp(seconds: seconds - 1, nanoseconds: UInt32(1_000_000_000 + nanoseconds))
      : Timestamp(seconds: seconds, nanoseconds: UInt32(nanoseconds))
  }
}
