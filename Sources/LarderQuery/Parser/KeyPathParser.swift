/// Reads the key paths of sorting and DISTINCT: `a.b`, `map[key]`, `map['key']`, `list.@count`, `list.@max.price` (Q-150).
enum KeyPathParser {
  /// The path; positions count UTF-8. The error's message is a reason, to be completed by the caller.
  package static func parse(_ text: String) throws(PredicateError) -> KeyPathNode {
    var path = KeyPathNode([], range: SourceRange(0, text.utf8.count))
    var offset = 0
    for part in try parts(text) {
      let range = SourceRange(offset, offset + part.utf8.count)
      offset = range.upper + 1
      try append(String(part), range, to: &path)
    }
    if path.components.count == 1, path.components[0].subscripts.isEmpty, path.aggregate == nil,
      path.components[0].name.lowercased() == "self"
    {
      path.components = []
    }
    return path
  }

  /// The pieces between dots that stand outside of brackets.
  private static func parts(_ text: String) throws(PredicateError) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var isInBrackets = false
    for index in text.indices {
      switch text[index] {
      case "[": isInBrackets = true
      case "]": isInBrackets = false
      case "." where !isInBrackets:
        parts.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    parts.append(text[start...])
    if parts.contains("") { throw PredicateError(.unsupportedSort, "the key path has an empty component") }
    return parts
  }

  private static func append(
    _ part: String, _ range: SourceRange, to path: inout KeyPathNode
  ) throws(PredicateError) {
    if part.first == "@" {
      guard let aggregate = AggregateOperator(rawValue: part), path.aggregate == nil, !path.components.isEmpty else {
        throw PredicateError(
          .unsupportedSort, "the collection operator '\(part)' is not supported here",
          suggestion: Nearest.name(to: part, among: AggregateOperator.allCases.map(\.rawValue)))
      }
      path.aggregate = aggregate
      path.aggregateRange = range
      return
    }
    guard path.components.count < PredicateParser.maximumDepth else {
      throw PredicateError(.tooDeep, "it has more than \(PredicateParser.maximumDepth) components")
    }
    let pieces = part.split(separator: "[", maxSplits: 1, omittingEmptySubsequences: false)
    var component = KeyPathNode.Component(String(pieces[0]), range)
    if pieces.count == 2 {
      guard pieces[1].last == "]", !pieces[0].isEmpty else {
        throw PredicateError(.unsupportedSort, "a bracket is not closed")
      }
      let key = String(pieces[1].dropLast())
      let quote = key.first.map { $0 == "'" || $0 == "\"" ? String($0) : "" } ?? ""
      guard !key.contains(quote + "][") else {
        throw PredicateError(.unsupportedSort, "a property takes one subscript here")
      }
      component.subscripts = [SubscriptNode(.key(unquoted(key)), range)]
    }
    if path.aggregate == nil { path.components.append(component) } else { path.trailing.append(component) }
  }

  private static func unquoted(_ key: String) -> String {
    guard let first = key.first, first == "'" || first == "\"", key.count >= 2, key.last == first else { return key }
    return String(key.dropFirst().dropLast())
  }
}
