import LarderStorage

/// Writes a tree as text that parses to the same tree. Values without a literal become arguments.
package struct PredicatePrinter {
  private let dialect: PredicateDialect
  /// True if the text is for a reader: it has the values, as messages show them, in place of arguments.
  private var isDescription = false
  private var arguments: [PredicateArgument] = []
  private var subqueries = 0

  /// The text and the arguments of a predicate. AND and OR of fewer than two, and double negations, are written simplified.
  package static func write(
    _ node: PredicateNode, dialect: PredicateDialect = .format
  ) -> (text: String, arguments: [PredicateArgument]) {
    var printer = PredicatePrinter(dialect: dialect)
    let text = printer.text(node.normalized)
    return (text, printer.arguments)
  }

  /// The text and the arguments of one side of a comparison.
  package static func write(_ operand: OperandNode) -> (text: String, arguments: [PredicateArgument]) {
    var printer = PredicatePrinter(dialect: .format)
    let text = printer.text(operand, isTop: true)
    return (text, printer.arguments)
  }

  /// The text of a predicate for a reader, with its values; it need not parse.
  package static func describe(_ node: PredicateNode) -> String {
    var printer = PredicatePrinter(dialect: .format)
    printer.isDescription = true
    return printer.text(node.normalized)
  }

  /// The same of one side of a comparison.
  static func describe(_ operand: OperandNode) -> String {
    var printer = PredicatePrinter(dialect: .format)
    printer.isDescription = true
    return printer.text(operand, isTop: true)
  }

  private init(dialect: PredicateDialect) { self.dialect = dialect }

  private mutating func text(_ node: PredicateNode) -> String {
    switch node {
    case .constant(let answer): return answer ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let children): return children.map { inParentheses($0) }.joined(separator: " AND ")
    case .or(let children): return children.map { inParentheses($0) }.joined(separator: " OR ")
    case .not(let child): return "NOT " + inParentheses(child)
    case .comparison(let comparison): return text(comparison)
    }
  }

  private mutating func inParentheses(_ node: PredicateNode) -> String {
    switch node {
    case .constant, .comparison: text(node)
    case .and, .or, .not: "(\(text(node)))"
    }
  }

  private mutating func text(_ comparison: ComparisonNode) -> String {
    let left = (comparison.quantifier.map { $0.rawValue + " " } ?? "") + text(comparison.left, isTop: true)
    let right = (comparison.rightQuantifier.map { $0.rawValue + " " } ?? "") + text(comparison.right, isTop: true)
    return "\(left) \(comparison.operation.rawValue)\(comparison.options.text) \(right)"
  }

  // MARK: - Operands

  private mutating func text(_ operand: OperandNode, isTop: Bool = false) -> String {
    switch operand {
    case .keyPath(let path): return text(path)
    case .constant(let constant): return text(constant.value)
    case .set(let members, _): return "{" + members.map { text($0.value) }.joined(separator: ", ") + "}"
    case .subquery(let subquery):
      subqueries += 1
      let variable = "$x\(subqueries)"
      let path = text(subquery.path)
      return "SUBQUERY(\(path), \(variable), \(text(subquery.predicate))).@count"
    case .arithmetic(let operation, let left, let right):
      let inner = "\(text(left)) \(operation.rawValue) \(text(right))"
      return isTop ? inner : "(\(inner))"
    case .function(let call):
      let zone = call.timeZone.map { ", " + text($0.value) } ?? ""
      return "\(call.function.rawValue)(\(text(call.argument, isTop: true))\(zone))"
    }
  }

  private mutating func text(_ path: KeyPathNode) -> String {
    guard !path.isSelf else { return "SELF" }
    var parts = path.components.map { text($0) }
    if path.countsLinks { parts.append("@links") }
    if let aggregate = path.aggregate { parts.append(aggregate.rawValue) }
    parts += path.trailing.map { text($0) }
    if let measure = path.measure { parts.append(measure.rawValue) }
    return parts.joined(separator: ".")
  }

  private mutating func text(_ component: KeyPathNode.Component) -> String {
    var text = component.originClass.map { "@links.\($0)." } ?? ""
    text += name(component.name)
    for selector in component.subscripts { text += bracket(selector.selector) }
    if let part = component.part { text += "." + part.rawValue }
    return text
  }

  private mutating func name(_ name: String) -> String {
    guard Self.isWord(name) else { return argument(.keyPath(name), placeholder: "%K", prefix: "$K") }
    let upper = name.uppercased()
    let isReserved =
      Keyword.all.contains(upper) || (dialect == .query && ["INF", "INFINITY", "NAN", "UUID", "OID"].contains(upper))
    return isReserved ? "#" + name : name
  }

  private static func isWord(_ name: String) -> Bool {
    guard let first = name.utf8.first, Lexer.isWordStart(first) else { return false }
    return !name.unicodeScalars.contains("\u{A0}")
      && name.utf8.allSatisfy { Lexer.isWordStart($0) || Lexer.isDigit($0) }
  }

  private mutating func bracket(_ selector: SubscriptNode.Selector) -> String {
    switch selector {
    case .key(let key): "[\(Self.quoted(key))]"
    case .position(let position): "[\(position)]"
    case .any: dialect == .query ? "[*]" : "[\(argument(.keyPath("#any"), placeholder: "%K", prefix: "$K"))]"
    case .first: "[FIRST]"
    case .last: "[LAST]"
    case .keys: ".@keys"
    case .values: ".@values"
    }
  }

  // MARK: - Constants

  private mutating func text(_ value: PredicateArgument) -> String {
    switch value {
    case .value(.null): "NIL"
    case .value(.bool(let flag)): flag ? "TRUE" : "FALSE"
    case .value(.int(let number)): "\(number)"
    case .value(.double(let number)) where number.isFinite: "\(number)"
    case .value(.string(let text)): Self.quoted(text)
    default: argument(value, placeholder: "%@", prefix: "$")
    }
  }

  private mutating func argument(_ value: PredicateArgument, placeholder: String, prefix: String) -> String {
    if isDescription { return Self.description(of: value) }
    arguments.append(value)
    return dialect == .query ? "\(prefix)\(arguments.count - 1)" : placeholder
  }

  private static func description(of value: PredicateArgument) -> String {
    switch value {
    case .value(.link), .value(.object), .object, .detachedObject: "an object"
    case .value(let value): value.shortDescription
    case .keyPath(let path): path
    case .list(let members):
      "{" + members.prefix(8).map { description(of: $0) }.joined(separator: ", ") + (members.count > 8 ? ", …}" : "}")
    case .dictionary(let entries): "a dictionary of \(entries.count)"
    case .members(let className, _): "\(className) by its contents"
    case .area(.box): "a box"
    case .area(.circle): "a circle"
    case .area(.polygon): "a polygon"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": quoted += "\\'"
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "'"
  }
}
