import LarderStorage

/// A condition on groups, in the language of predicates: `count > 100 AND average(delay) > 5` (Q-77).
package struct GroupCondition: Hashable, Sendable {
  /// What it asks for, in the order of the columns of rows that it is asked with.
  package let terms: [GroupTerm]
  private let predicate: BoundPredicate

  /// Reads and binds a condition. Columns that it names and that no one else asked for are among its terms.
  ///
  /// - Parameter type: The type of a column; throws for one that there cannot be.
  /// - Throws: `PredicateError`.
  package init(
    _ text: String, _ arguments: [PredicateArgument] = [], keys: [String], reading textReader: Binder.TextReader? = nil,
    type: (GroupTerm) throws -> ColumnType
  ) throws {
    let named = try GroupConditionText(text, keys: keys)
    terms = named.terms.map(\.term)
    var columns: [ColumnDescriptor] = []
    for (number, entry) in named.terms.enumerated() {
      columns.append(
        ColumnDescriptor(
          id: ColumnID(rawValue: UInt16(number + 1)), name: entry.name, type: try type(entry.term), isOptional: true))
    }
    let row = ClassDescriptor(id: ClassID(rawValue: 1), name: "Group", columns: columns)
    let schema = StoreSchema(classes: [row], schemaVersion: 0)
    do throws(PredicateError) {
      let node = try PredicateParser.parse(named.rewritten, arguments)
      predicate = try Binder(schema: schema, text: named.rewritten, textReader: textReader).bind(node, to: row.id)
    } catch {
      var located = error
      if located.text == named.rewritten { located.text = text }
      throw located
    }
    try Self.check(predicate, text)
  }

  /// Whether it holds for a row's values of its terms.
  package func holds(_ row: [StoredValue]) -> Bool { Self.holds(predicate, row) }

  private static func check(_ predicate: BoundPredicate, _ text: String) throws {
    switch predicate {
    case .and(let parts), .or(let parts): for part in parts { try check(part, text) }
    case .not(let part): try check(part, text)
    case .constant, .value: return
    case .compare(let left, _, _, let right) where isPlain(left) && isPlain(right): return
    default:
      throw PredicateError(
        .unsupportedOperator, "A condition on groups compares columns with values and with each other", text: text)
    }
  }

  private static func isPlain(_ operand: BoundOperand) -> Bool {
    switch operand {
    case .constant, .path: true
    case .arithmetic(_, let left, let right): isPlain(left) && isPlain(right)
    case .function(_, let inner): isPlain(inner)
    default: false
    }
  }

  private static func holds(_ predicate: BoundPredicate, _ row: [StoredValue]) -> Bool {
    switch predicate {
    case .constant(let answer): answer
    case .and(let parts): parts.allSatisfy { holds($0, row) }
    case .or(let parts): parts.contains { holds($0, row) }
    case .not(let part): !holds(part, row)
    case .value(let column, let test): test.matches(row[Int(column.rawValue) - 1])
    case .compare(let left, let operation, let options, let right):
      ValueTest.compare(value(left, row), operation, options, value(right, row))
    default: false
    }
  }

  private static func value(_ operand: BoundOperand, _ row: [StoredValue]) -> StoredValue {
    switch operand {
    case .constant(let value): value
    case .path(let path): row[Int(path.column.rawValue) - 1]
    case .arithmetic(let operation, let left, let right):
      Arithmetic.apply(operation, value(left, row), value(right, row))
    case .function(let function, let inner): function.apply(value(inner, row))
    default: .null
    }
  }
}

/// A condition on groups with names in place of `average(delay)` and `country.name`, each as long as what it replaces wherever that can be,
/// so that positions of mistakes are right.
struct GroupConditionText {
  private(set) var rewritten = ""
  private(set) var terms: [(term: GroupTerm, name: String)] = []
  private let keys: [String]

  init(_ text: String, keys: [String]) throws(PredicateError) {
    self.keys = keys
    for key in keys { _ = name(of: .key(key), key) }
    if !keys.contains("count") { _ = name(of: .aggregate(.count, ""), "count") }
    var rest = text[...]
    while let first = rest.first {
      if first == "\"" || first == "'" {
        copyQuoted(first, &rest)
      } else if first.isLetter || first == "_" {
        try copyWord(&rest)
      } else if first.isNumber || first == "$" || first == "%" {
        let run = rest.prefix { $0.isNumber || $0.isLetter || $0 == "." || $0 == "$" || $0 == "%" }
        rewritten += run
        rest = rest.dropFirst(run.count)
      } else {
        rewritten.append(rest.removeFirst())
      }
    }
  }

  private mutating func copyQuoted(_ quote: Character, _ rest: inout Substring) {
    rewritten.append(rest.removeFirst())
    while let next = rest.first {
      rewritten.append(rest.removeFirst())
      if next == quote { return }
      if next == "\\", !rest.isEmpty { rewritten.append(rest.removeFirst()) }
    }
  }

  private mutating func copyWord(_ rest: inout Substring) throws(PredicateError) {
    let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "@" }
    var after = rest.dropFirst(word.count)
    let space = after.prefix { $0 == " " }
    after = after.dropFirst(space.count)
    if after.first == "(", GroupTerm.functions.contains(word.lowercased()), let close = after.firstIndex(of: ")") {
      let piece = rest[...close]
      rewritten += name(of: try GroupTerm(String(piece)), String(piece))
      rest = rest[rest.index(after: close)...]
      return
    }
    let text = String(word)
    rewritten += keys.contains(text) ? name(of: .key(text), text) : text
    rest = rest.dropFirst(word.count)
  }

  /// The name of a term: of letters, digits and underscores, and no other's.
  private mutating func name(of term: GroupTerm, _ piece: String) -> String {
    if let known = terms.first(where: { $0.term == term }) { return known.name }
    var name = String(piece.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    while terms.contains(where: { $0.name == name }) { name += "_" }
    terms.append((term, name))
    return name
  }
}
