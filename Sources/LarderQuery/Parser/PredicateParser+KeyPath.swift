import LarderStorage

extension PredicateParser {
  /// `a.b.@max.c`, `$x.a`, `%K.b`, `map['key'].name`, `map.@allKeys`.
  mutating func keyPath() throws(PredicateError) -> KeyPathNode {
    var path = KeyPathNode([], range: tokens.current.range)
    if case .variable(let name) = tokens.current.kind, variables.contains(name) {
      try tokens.advance()
      guard tokens.current.kind == .dot else { return path }
      try tokens.advance()
    }
    while true {
      try component(into: &path)
      while tokens.current.kind == .leftBracket { try bracket(into: &path) }
      guard tokens.current.kind == .dot else { break }
      try tokens.advance()
    }
    if tokens.current.kind == .leftParenthesis || tokens.lexer.piece(path.range).hasSuffix(":") {
      throw tokens.fail("Functions are not supported", .unsupportedOperator)
    }
    return path
  }

  private mutating func component(into path: inout KeyPathNode) throws(PredicateError) {
    let range = tokens.current.range
    switch tokens.current.kind {
    case .word(let name, _): try append(name, range, to: &path)
    case .keyPathArgument where tokens.dialect == .format:
      try append(keyPath: try arguments.nextKeyPath(tokens), range, to: &path)
    case .variable(let name) where tokens.dialect == .query && name.first == "K":
      switch try arguments.argument(indexed: name, tokens) {
      case .keyPath(let text), .value(.string(let text)): try append(keyPath: text, range, to: &path)
      case let other:
        throw tokens.fail("'$\(name)' takes a key path, not \(other.kind)", .typeMismatch, expected: "a string")
      }
    case .variable(let name):
      throw tokens.fail("The variable '$\(name)' is not bound here", expected: "a property")
    case .collectionOperator("@links") where tokens.dialect == .query: return try inverse(into: &path)
    case .collectionOperator(let name): try collectionOperator(name, range, to: &path)
    default: throw tokens.unexpected(expected: "a property's name")
    }
    path.range = path.range.through(range)
    try tokens.advance()
  }

  private func append(keyPath text: String, _ range: SourceRange, to path: inout KeyPathNode) throws(PredicateError) {
    for name in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard !name.isEmpty else {
        throw tokens.fail("The key path '\(text)' has an empty component", at: range, expected: "a property")
      }
      if name.first == "@" {
        try collectionOperator(String(name), range, to: &path)
      } else {
        try append(String(name), range, to: &path)
      }
    }
  }

  private func append(_ name: String, _ range: SourceRange, to path: inout KeyPathNode) throws(PredicateError) {
    guard path.measure == nil else { throw tokens.fail("Nothing may follow @type", at: range) }
    let component = KeyPathNode.Component(name, range)
    if path.aggregate == nil {
      path.components.append(component)
    } else {
      path.trailing.append(component)
    }
    guard path.components.count + path.trailing.count <= Self.maximumDepth else {
      throw tokens.fail("The key path has more than \(Self.maximumDepth) components", .tooDeep, at: range)
    }
  }

  /// `@links.Class.property`, and `@links.@count` (Q-106).
  private mutating func inverse(into path: inout KeyPathNode) throws(PredicateError) {
    let start = tokens.current.range
    try tokens.advance()
    try tokens.expect(.dot, "'.Class.property'")
    if [.collectionOperator("@count"), .collectionOperator("@size")].contains(tokens.current.kind) {
      guard path.aggregate == nil, path.measure == nil else {
        throw tokens.fail("A key path may hold one collection operator")
      }
      path.aggregate = .count
      path.aggregateRange = tokens.current.range
      path.countsLinks = true
      path.range = path.range.through(tokens.current.range)
      return try tokens.advance()
    }
    guard case .word(let className, _) = tokens.current.kind else { throw tokens.unexpected(expected: "a class name") }
    try tokens.advance()
    try tokens.expect(.dot, "'.property'")
    guard case .word(let name, _) = tokens.current.kind else { throw tokens.unexpected(expected: "a property's name") }
    try append(name, start.through(tokens.current.range), to: &path)
    path.components[path.components.count - 1].originClass = className
    path.range = path.range.through(tokens.current.range)
    try tokens.advance()
  }

  private func collectionOperator(_ given: String, _ range: SourceRange, to path: inout KeyPathNode)
    throws(PredicateError)
  {
    let aliases = tokens.dialect == .query ? ["@size": "@count", "@keys": "@allKeys", "@values": "@allValues"] : [:]
    let name = aliases[given] ?? given
    guard !path.components.isEmpty else {
      throw tokens.fail("'\(given)' must follow a collection", at: range, expected: "a property")
    }
    if let part = KeyPathNode.MapPart(rawValue: name), path.aggregate == nil {
      path.components[path.components.count - 1].part = part
      return
    }
    if tokens.dialect == .query, name == "@type" {
      path.measure = .type
      return
    }
    guard let aggregate = AggregateOperator(rawValue: name) else {
      throw tokens.fail(
        "'\(given)' is not a collection operator", .unknownOperator, at: range,
        expected: "@count, @min, @max, @sum, @avg",
        suggestion: given.lowercased() == "@average"
          ? "@avg" : Nearest.name(to: given, among: AggregateOperator.allCases.map(\.rawValue)))
    }
    guard path.aggregate == nil else {
      throw tokens.fail("A key path may hold one collection operator", at: range)
    }
    path.aggregate = aggregate
    path.aggregateRange = range
  }

  // MARK: - Subscripts

  /// `['key']`, `[0]`, `[%@]`, `[%K]`; in RQL also `[*]`, `[FIRST]`, `[LAST]` and `[SIZE]`.
  private mutating func bracket(into path: inout KeyPathNode) throws(PredicateError) {
    let opening = tokens.current.range
    try tokens.advance()
    let range = tokens.current.range
    let selector = try self.selector()
    try tokens.advance()
    guard tokens.current.kind == .rightBracket else { throw tokens.unexpected(expected: "']'") }
    let whole = opening.through(tokens.current.range)
    if let selector {
      guard path.aggregate == nil, let last = path.components.indices.last else {
        throw tokens.fail("A subscript must follow a property", at: opening)
      }
      path.components[last].subscripts.append(SubscriptNode(selector, whole))
      guard path.components[last].subscripts.count <= Self.maximumDepth else {
        throw tokens.fail("The key path has more than \(Self.maximumDepth) subscripts", .tooDeep, at: range)
      }
    } else {
      guard path.aggregate == nil else { throw tokens.fail("A key path may hold one collection operator", at: range) }
      path.aggregate = .count
      path.aggregateRange = range
    }
    path.range = path.range.through(tokens.current.range)
    try tokens.advance()
  }

  /// Reads the content of brackets; nil for `SIZE`.
  private mutating func selector() throws(PredicateError) -> SubscriptNode.Selector? {
    let range = tokens.current.range
    switch tokens.current.kind {
    case .string(let key): return .key(key)
    case .integer(let position): return .position(position)
    case .argument where tokens.dialect == .format: return try selector(try arguments.next(tokens), range)
    case .keyPathArgument where tokens.dialect == .format:
      let name = try arguments.nextKeyPath(tokens)
      if name == "#any" { return .any }
      throw tokens.fail("'%K' in brackets takes \"#any\", not \"\(name)\"", .typeMismatch, expected: "#any")
    case .variable(let name) where tokens.dialect == .query:
      return try selector(try arguments.argument(indexed: name, tokens), range)
    case .arithmetic(.multiply) where tokens.dialect == .query: return .any
    case .word(let word, false) where tokens.dialect == .query && Keyword.matches(word, "FIRST"): return .first
    case .word(let word, false) where tokens.dialect == .query && Keyword.matches(word, "LAST"): return .last
    case .word(let word, false) where tokens.dialect == .query && Keyword.matches(word, "SIZE"): return nil
    default:
      throw tokens.fail(
        "A subscript must be a string or an integer, not '\(tokens.lexer.piece(range))'", .typeMismatch,
        expected: "a key in quotes or a position")
    }
  }

  private func selector(_ argument: PredicateArgument, _ range: SourceRange) throws(PredicateError)
    -> SubscriptNode.Selector
  {
    switch argument {
    case .value(.string(let key)): return .key(key)
    case .value(.int(let position)): return .position(position)
    default:
      throw tokens.fail(
        "A subscript must be a string or an integer, not \(argument.kind)", .typeMismatch, at: range,
        expected: "a key in quotes or a position")
    }
  }

  // MARK: - SUBQUERY

  /// `SUBQUERY(path, $x, predicate).@count` (Q-68).
  mutating func subquery() throws(PredicateError) -> SubqueryNode {
    let start = tokens.current.range
    try tokens.enter()
    try tokens.advance()
    try tokens.expect(.leftParenthesis, "'('")
    let path = try keyPath()
    try tokens.expect(.comma, "','")
    guard case .variable(let variable) = tokens.current.kind else {
      throw tokens.unexpected(expected: "a variable such as $x")
    }
    guard !variables.contains(variable) else { throw tokens.fail("The variable '$\(variable)' is used already") }
    try tokens.advance()
    try tokens.expect(.comma, "','")
    variables.append(variable)
    let predicate = try disjunction()
    variables.removeLast()
    try tokens.expect(.rightParenthesis, "')'")
    try tokens.expect(.dot, "'.@count'")
    let isCount = tokens.current.kind == .collectionOperator("@count")
    guard isCount || (tokens.dialect == .query && tokens.current.kind == .collectionOperator("@size")) else {
      throw tokens.unexpected(expected: "'@count'")
    }
    let range = start.through(tokens.current.range)
    try tokens.advance()
    tokens.leave()
    return SubqueryNode(path: path, predicate: predicate, range: range)
  }
}
