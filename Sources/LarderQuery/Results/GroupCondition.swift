import LarderStorage

/// A condition on groups, in the language of predicates: `count > 100 AND average(delay) > 5`.
package struct GroupCondition: Hashable, Sendable {
  /// The terms of the condition, in the order of the columns of the rows that it is evaluated with.
  package let terms: [GroupTerm]
  private let predicate: BoundPredicate

  /// Reads and binds a condition. Columns that it names and that no one else asked for are among its terms.
  ///
  /// - Parameters:
  ///   - keys: What rows are grouped by: paths, and what is computed, which the condition may write with other spaces and parentheses.
  ///   - names: Other names of columns.
  ///   - type: The type of a column; throws for one that there cannot be.
  /// - Throws: `PredicateError`.
  package init(
    _ text: String, _ arguments: [PredicateArgument] = [], keys: [String], names: [String: GroupTerm] = [:],
    reading textReader: Binder.TextReader? = nil, type: (GroupTerm) throws -> ColumnType
  ) throws {
    let computed = ComputedKeys(keys)
    let named = try GroupConditionText(text, keys: keys.filter { !computed.texts.contains($0) }, names: names)
    let columns = named.terms + computed.texts.map { (term: .key($0), name: $0) }
    terms = columns.map(\.term)
    var descriptors: [ColumnDescriptor] = []
    for (number, entry) in columns.enumerated() {
      descriptors.append(
        ColumnDescriptor(
          id: ColumnID(rawValue: UInt16(number + 1)), name: entry.name, type: try type(entry.term), isOptional: true))
    }
    let row = ClassDescriptor(id: ClassID(rawValue: 1), name: "Group", columns: descriptors)
    let schema = StoreSchema(classes: [row], schemaVersion: 0)
    do throws(PredicateError) {
      let node = computed.replaced(in: try PredicateParser.parse(named.rewritten, arguments))
      predicate = try Binder(schema: schema, text: named.rewritten, textReader: textReader).bind(node, to: row.id)
    } catch {
      var located = error
      if located.text == named.rewritten { located.text = text }
      throw located
    }
    try Self.check(predicate, text)
  }

  /// Returns true if it holds for a row's values of its terms.
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
