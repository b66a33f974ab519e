extension PredicateParser {
  /// `a.b.@max.c`, `$x.a`, `%K.b`.
  mutating func keyPath() throws(PredicateError) -> KeyPathNode {
    var path = KeyPathNode([], range: token.range)
    if case .variable(let name) = token.kind {
      guard variables.contains(name) else {
        throw fail("The variable '$\(name)' is not bound here", expected: "a property")
      }
      try advance()
      guard token.kind == .dot else { return path }
      try advance()
    }
    while true {
      try component(into: &path)
      guard token.kind == .dot else { break }
      try advance()
    }
    if token.kind == .leftBracket {
      throw fail("Subscripts are not supported yet", .notSupportedYet)
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
    case .keyPathArgument:
      let text = try takeKeyPathArgument()
      for name in text.split(separator: ".", omittingEmptySubsequences: false) {
        guard !name.isEmpty else {
          throw fail("The key path '\(text)' has an empty component", at: range, expected: "a property")
        }
        if name.first == "@" {
          try aggregate(String(name), range, to: &path)
        } else {
          try append(String(name), range, to: &path)
        }
      }
    case .collectionOperator(let name): try aggregate(name, range, to: &path)
    default: throw unexpected(expected: "a property's name")
    }
    path.range = path.range.through(range)
    try advance()
  }

  private mutating func append(_ name: String, _ range: SourceRange, to path: inout KeyPathNode)
    throws(PredicateError)
  {
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

  private func aggregate(_ name: String, _ range: SourceRange, to path: inout KeyPathNode) throws(PredicateError) {
    guard let aggregate = AggregateOperator(rawValue: name) else {
      throw fail(
        "'\(name)' is not a collection operator", .unknownOperator, at: range,
        expected: "@count, @min, @max, @sum, @avg",
        suggestion: name.lowercased() == "@average"
          ? "@avg" : Nearest.name(to: name, among: AggregateOperator.allCases.map(\.rawValue)))
    }
    guard path.aggregate == nil else {
      throw fail("A key path may hold one collection operator", at: range)
    }
    guard !path.components.isEmpty else {
      throw fail("'\(name)' must follow a collection", at: range, expected: "a property")
    }
    path.aggregate = aggregate
    path.aggregateRange = range
  }

  /// `SUBQUERY(path, $x, predicate).@count` (Q-68).
  mutating func subquery() throws(PredicateError) -> SubqueryNode {
    let start = token.range
    guard depth < Self.maximumDepth else {
      throw fail("The predicate nests deeper than \(Self.maximumDepth) levels", .tooDeep)
    }
    depth += 1
    defer { depth -= 1 }
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
    guard token.kind == .collectionOperator("@count") else { throw unexpected(expected: "'@count'") }
    let range = start.through(token.range)
    try advance()
    return SubqueryNode(path: path, predicate: predicate, range: range)
  }
}
