import LarderStorage

extension PredicateParser {
  /// `a.b.@max.c`, `$x.a`, `%K.b`, `map['key'].name`, `map.@allKeys`.
  mutating func keyPath() throws(PredicateError) -> KeyPathNode {
    var path = KeyPathNode([], range: token.range)
    if case .variable(let name) = token.kind, variables.contains(name) {
      try advance()
      guard token.kind == .dot else { return path }
      try advance()
    }
    while true {
      try component(into: &path)
      while token.kind == .leftBracket { try bracket(into: &path) }
      guard token.kind == .dot else { break }
      try advance()
    }
    if token.kind == .leftParenthesis || lexer.piece(path.range).hasSuffix(":") {
      throw fail("Functions are not supported", .unsupportedOperator)
    }
    return path
  }

  private mutating func component(into path: inout KeyPathNode) throws(PredicateError) {
    let range = token.range
    switch token.kind {
    case .word(let name, _): try append(name, range, to: &path)
    case .keyPathArgument where dialect == .format:
      try append(keyPath: try takeKeyPathArgument(), range, to: &path)
    case .variable(let name) where dialect == .query && name.first == "K":
      switch try argument(indexed: name) {
      case .keyPath(let text), .value(.string(let text)): try append(keyPath: text, range, to: &path)
      case let other:
        throw fail("'$\(name)' takes a key path, not \(other.kind)", .typeMismatch, expected: "a string")
      }
    case .variable(let name):
      throw fail("The variable '$\(name)' is not bound here", expected: "a property")
    case .collectionOperator("@links") where dialect == .query: return try inverse(into: &path)
    case .collectionOperator(let name): try collectionOperator(name, range, to: &path)
    default: throw unexpected(expected: "a property's name")
    }
    path.range = path.range.through(range)
    try advance()
  }

  private func append(keyPath text: String, _ range: SourceRange, to path: inout KeyPathNode) throws(PredicateError) {
    for name in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard !name.isEmpty else {
        throw fail("The key path '\(text)' has an empty component", at: range, expected: "a property")
      }
      if name.first == "@" {
        try collectionOperator(String(name), range, to: &path)
      } else {
        try append(String(name), range, to: &path)
      }
    }
  }

  private func append(_ name: String, _ range: SourceRange, to path: inout KeyPathNode) throws(PredicateError) {
    guard path.measure == nil else { throw fail("Nothing may follow @type", at: range) }
    let component = KeyPathNode.Component(name, range)
    if path.aggregate == nil {
      path.components.append(component)
    } else {
      path.trailing.append(component)
    }
    guard path.components.count + path.trailing.count <= Self.maximumDepth else {
      throw fail("The key path has more than \(Self.maximumDepth) components", .tooDeep, at: range)
    }
  }

  /// `@links.Class.property` (Q-106).
  private mutating func inverse(into path: inout KeyPathNode) throws(PredicateError) {
    let start = token.range
    try advance()
    try expect(.dot, "'.Class.property'")
    guard case .word(let className, _) = token.kind else { throw unexpected(expected: "a class name") }
    try advance()
    try expect(.dot, "'.property'")
    guard case .word(let name, _) = token.kind else { throw unexpected(expected: "a property's name") }
    try append(name, start.through(token.range), to: &path)
    path.components[path.components.count - 1].originClass = className
    path.range = path.range.through(token.range)
    try advance()
  }

  private func collectionOperator(_ given: String, _ range: SourceRange, to path: inout KeyPathNode)
    throws(PredicateError)
  {
    let aliases = dialect == .query ? ["@size": "@count", "@keys": "@allKeys", "@values": "@allValues"] : [:]
    let name = aliases[given] ?? given
    guard !path.components.isEmpty else {
      throw fail("'\(given)' must follow a collection", at: range, expected: "a property")
    }
    if let part = KeyPathNode.MapPart(rawValue: name), path.aggregate == nil {
      path.components[path.components.count - 1].part = part
      return
    }
    if dialect == .query, name == "@type" {
      path.measure = .type
      return
    }
    guard let aggregate = AggregateOperator(rawValue: name) else {
      throw fail(
        "'\(given)' is not a collection operator", .unknownOperator, at: range,
        expected: "@count, @min, @max, @sum, @avg",
        suggestion: given.lowercased() == "@average"
          ? "@avg" : Nearest.name(to: given, among: AggregateOperator.allCases.map(\.rawValue)))
    }
    guard path.aggregate == nil else {
      throw fail("A key path may hold one collection operator", at: range)
    }
    path.aggregate = aggregate
    path.aggregateRange = range
  }

  // MARK: - Subscripts

  /// `['key']`, `[0]`, `[%@]`, `[%K]`; in RQL also `[*]`, `[FIRST]`, `[LAST]` and `[SIZE]`.
  private mutating func bracket(into path: inout KeyPathNode) throws(PredicateError) {
    let opening = token.range
    try advance()
    let range = token.range
    var selector: SubscriptNode.Selector?
    switch token.kind {
    case .string(let key): selector = .key(key)
    case .integer(let position): selector = .position(position)
    case .argument where dialect == .format: selector = try self.selector(try takeSubscriptArgument(), range)
    case .keyPathArgument where dialect == .format:
      let name = try takeKeyPathArgument()
      guard name == "#any" else {
        throw fail("'%K' in brackets takes \"#any\", not \"\(name)\"", .typeMismatch, expected: "#any")
      }
      selector = .any
    case .variable(let name) where dialect == .query: selector = try self.selector(try argument(indexed: name), range)
    case .arithmetic(.multiply) where dialect == .query: selector = .any
    case .word(let word, false) where dialect == .query && Keyword.matches(word, "FIRST"): selector = .first
    case .word(let word, false) where dialect == .query && Keyword.matches(word, "LAST"): selector = .last
    case .word(let word, false) where dialect == .query && Keyword.matches(word, "SIZE"):
      guard path.aggregate == nil else { throw fail("A key path may hold one collection operator", at: range) }
      path.aggregate = .count
      path.aggregateRange = range
    default:
      throw fail(
        "A subscript must be a string or an integer, not '\(lexer.piece(range))'", .typeMismatch,
        expected: "a key in quotes or a position")
    }
    try advance()
    guard token.kind == .rightBracket else { throw unexpected(expected: "']'") }
    let whole = opening.through(token.range)
    if let selector {
      guard path.aggregate == nil, let last = path.components.indices.last else {
        throw fail("A subscript must follow a property", at: opening)
      }
      path.components[last].subscripts.append(SubscriptNode(selector, whole))
      guard path.components[last].subscripts.count <= Self.maximumDepth else {
        throw fail("The key path has more than \(Self.maximumDepth) subscripts", .tooDeep, at: range)
      }
    }
    path.range = path.range.through(token.range)
    try advance()
  }

  private func selector(_ argument: PredicateArgument, _ range: SourceRange) throws(PredicateError)
    -> SubscriptNode.Selector
  {
    switch argument {
    case .value(.string(let key)): return .key(key)
    case .value(.int(let position)): return .position(position)
    default:
      throw fail(
        "A subscript must be a string or an integer, not \(argument.kind)", .typeMismatch, at: range,
        expected: "a key in quotes or a position")
    }
  }

  // MARK: - SUBQUERY

  /// `SUBQUERY(path, $x, predicate).@count` (Q-68).
  mutating func subquery() throws(PredicateError) -> SubqueryNode {
    let start = token.range
    try enter()
    try advance()
    try expect(.leftParenthesis, "'('")
    let path = try keyPath()
    try expect(.comma, "','")
    guard case .variable(let variable) = token.kind else { throw unexpected(expected: "a variable such as $x") }
    guard !variables.contains(variable) else { throw fail("The variable '$\(variable)' is used already") }
    try advance()
    try expect(.comma, "','")
    variables.append(variable)
    let predicate = try disjunction()
    variables.removeLast()
    try expect(.rightParenthesis, "')'")
    try expect(.dot, "'.@count'")
    let isCount = token.kind == .collectionOperator("@count")
    guard isCount || (dialect == .query && token.kind == .collectionOperator("@size")) else {
      throw unexpected(expected: "'@count'")
    }
    let range = start.through(token.range)
    try advance()
    leave()
    return SubqueryNode(path: path, predicate: predicate, range: range)
  }
}
