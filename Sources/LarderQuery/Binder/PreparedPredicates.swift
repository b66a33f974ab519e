import LarderLocks
import LarderStorage

/// One comparison of a column with an argument, bound before: only the argument is exchanged.
private struct PreparedComparison {
  let column: ColumnID
  let type: ColumnType
  let operation: ComparisonOperator
  let options: TextOptions

  /// nil where more hangs on the argument than the constant: links, lists, paths, several conditions.
  init?(_ bound: BoundPredicate) {
    guard case .value(let column, let test) = bound, test.values.count == 1, test.type != .link else { return nil }
    self.column = column
    type = test.type
    operation = test.operation
    options = test.options
  }

  /// nil where the argument may not fit: binding again finds out, and says why.
  func predicate(_ argument: PredicateArgument) -> BoundPredicate? {
    guard case .value(let value) = argument, let converted = TypeChecker.convert(value, to: type) else { return nil }
    return .value(column, ValueTest(type, operation, [converted], options: options))
  }
}

/// Predicates with one argument that a Realm used lately, as they were bound: they are neither parsed nor resolved again.
///
/// May be used by any number of threads. Everything that does not fit goes the whole way, so that results and errors
/// are those of `Binder`.
package final class PreparedPredicates: Sendable {
  private struct Entry {
    var text: String
    var schema: StoreSchema
    var classID: ClassID
    var comparison: PreparedComparison
  }

  private struct State {
    var entries: [Entry] = []
    var next = 0
  }

  private static let capacity = 16
  private let state = Lock(State())

  package init() {}

  /// Parses, resolves and checks a predicate. Throws `PredicateError`. The naming must be the same in all calls.
  package func bind(
    _ text: String, _ arguments: [PredicateArgument], to classID: ClassID, in schema: StoreSchema,
    naming: PropertyNaming
  ) throws(PredicateError) -> BoundPredicate {
    guard arguments.count == 1 else { return try bindAnew(text, arguments, to: classID, in: schema, naming: naming) }
    if let known = find(text, classID, schema)?.predicate(arguments[0]) { return known }
    let bound = try bindAnew(text, arguments, to: classID, in: schema, naming: naming)
    if ParsedPredicates.isKnown(text), let comparison = PreparedComparison(bound) {
      remember(Entry(text: text, schema: schema, classID: classID, comparison: comparison))
    }
    return bound
  }

  private func bindAnew(
    _ text: String, _ arguments: [PredicateArgument], to classID: ClassID, in schema: StoreSchema,
    naming: PropertyNaming
  ) throws(PredicateError) -> BoundPredicate {
    let node = try ParsedPredicates.parse(text, arguments)
    return try Binder(schema: schema, naming: naming, text: text).bind(node, to: classID)
  }

  private func find(_ text: String, _ classID: ClassID, _ schema: StoreSchema) -> PreparedComparison? {
    state.withLock { state in
      for index in state.entries.indices
      where state.entries[index].classID == classID && state.entries[index].schema === schema
        && state.entries[index].text == text
      {
        return state.entries[index].comparison
      }
      return nil
    }
  }

  private func remember(_ entry: Entry) {
    state.withLock { state in
      if state.entries.count < Self.capacity {
        state.entries.append(entry)
      } else {
        state.entries[state.next] = entry
        state.next = (state.next + 1) % Self.capacity
      }
    }
  }
}
