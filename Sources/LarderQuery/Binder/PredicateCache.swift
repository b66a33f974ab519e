import LarderLocks
import LarderStorage

/// One comparison of a column, of the object or at the end of a path of links, with an argument, bound before: only the argument is exchanged.
private struct PreparedComparison {
  private let column: ColumnID
  private let type: ColumnType
  private let operation: ComparisonOperator
  private let options: TextOptions
  private let steps: [LinkStep]

  /// nil where more hangs on the argument than the constant: links and nil, lists, paths through collections, several conditions.
  init?(_ bound: BoundPredicate, _ argument: PredicateArgument) {
    guard case .value(let given) = argument, !given.isNull else { return nil }
    var (steps, inner, answers) = ([LinkStep](), bound, [Bool]())
    while case .through(let step, let next, let whenNil) = inner {
      steps.append(step)
      answers.append(whenNil)
      inner = next
    }
    guard case .value(let column, let test) = inner, test.values.count == 1, test.type != .link else { return nil }
    guard test.first?.isNull == false, answers.allSatisfy({ $0 == test.matches(.null) }) else { return nil }
    self.column = column
    self.steps = steps
    type = test.type
    operation = test.operation
    options = test.options
  }

  /// nil where the argument may not fit: binding again finds out, and says why.
  func predicate(_ argument: PredicateArgument) -> BoundPredicate? {
    guard case .value(let value) = argument, !value.isNull, let converted = TypeChecker.convert(value, to: type) else {
      return nil
    }
    let test = ValueTest(type, operation, only: converted, options: options)
    guard !steps.isEmpty else { return .value(column, test) }
    let whenNil = test.matches(.null)
    return steps.reversed().reduce(.value(column, test)) { .through($1, $0, whenNil: whenNil) }
  }
}

/// A cache of predicates that were used before, in two levels: the trees of their texts, for all Realms of the process, and comparisons with one
/// argument as they were bound, for one Realm, which are neither parsed nor resolved again: those of texts, and those written in Swift.
///
/// May be used by any number of threads, and is bounded. Everything that does not fit goes the whole way, so that results and errors are those of
/// `PredicateParser` and `Binder`.
package final class PredicateCache: Sendable {
  /// The form in which a comparison was given.
  private enum Form: Hashable {
    case text(String)
    /// A property by its name, compared in Swift.
    case property(String, ComparisonOperator, TextOptions)
  }

  private struct Entry {
    var form: Form
    var schema: StoreSchema
    var classID: ClassID
    var comparison: PreparedComparison
  }

  private struct State {
    var entries: [Entry] = []
    var next = 0
  }

  private static let templates = Lock<[String: PredicateTemplate]>([:])
  private let state = Lock(State())

  package init() {}

  // MARK: - Texts

  /// The same as `PredicateParser.parse`, without parsing a text again.
  package static func parse(_ text: String, _ arguments: [PredicateArgument]) throws(PredicateError) -> PredicateNode {
    if let template = templates.withLock({ $0[text] }), template.arguments == arguments.count {
      return template.node(arguments)
    }
    let template = try PredicateParser.parseTemplate(text, arguments)
    if template.isReusable, text.utf8.count <= CachePolicy.longestPredicate {
      templates.withLock {
        if $0.count >= CachePolicy.predicateTexts { $0.removeAll(keepingCapacity: true) }
        $0[text] = template
      }
    }
    return template.node
  }

  // MARK: - Bound comparisons

  /// Parses, resolves and checks a predicate. Throws `PredicateError`. The naming must be the same in all calls.
  package func bind(
    _ text: String, _ arguments: [PredicateArgument], to classID: ClassID, in schema: StoreSchema,
    naming: PropertyNaming
  ) throws(PredicateError) -> BoundPredicate {
    if arguments.count == 1 { return try bind(text, arguments[0], to: classID, in: schema, naming: naming) }
    return try Self.bind(text, arguments, to: classID, in: schema, naming: naming)
  }

  /// The same with one argument.
  package func bind(
    _ text: String, _ argument: PredicateArgument, to classID: ClassID, in schema: StoreSchema, naming: PropertyNaming
  ) throws(PredicateError) -> BoundPredicate {
    if let known = find(.text(text), classID, schema)?.predicate(argument) { return known }
    let bound = try Self.bind(text, [argument], to: classID, in: schema, naming: naming)
    // A text without a template has a tree that depends on its arguments; what is computed with them is no argument.
    if Self.templates.withLock({ $0[text].map { !$0.computes } ?? false }),
      let comparison = PreparedComparison(bound, argument)
    {
      remember(Entry(form: .text(text), schema: schema, classID: classID, comparison: comparison))
    }
    return bound
  }

  /// Resolves and checks a comparison of a property with a constant. Throws `PredicateError`. The naming must be the same in all calls.
  ///
  /// - Parameter property: A name as a condition written in Swift has it, without dots.
  package func bind(
    property: String, _ operation: ComparisonOperator, _ options: TextOptions, _ argument: PredicateArgument,
    to classID: ClassID, in schema: StoreSchema, naming: PropertyNaming
  ) throws(PredicateError) -> BoundPredicate {
    let form = Form.property(property, operation, options)
    if let known = find(form, classID, schema)?.predicate(argument) { return known }
    let node = PredicateNode.comparison(
      ComparisonNode(
        left: .keyPath(KeyPathNode([KeyPathNode.Component(property)])), operation: operation, options: options,
        right: .constant(ConstantNode(argument))))
    let bound = try Binder(schema: schema, naming: naming, text: "").bind(node, to: classID)
    if let comparison = PreparedComparison(bound, argument) {
      remember(Entry(form: form, schema: schema, classID: classID, comparison: comparison))
    }
    return bound
  }

  private static func bind(
    _ text: String, _ arguments: [PredicateArgument], to classID: ClassID, in schema: StoreSchema,
    naming: PropertyNaming
  ) throws(PredicateError) -> BoundPredicate {
    try Binder(schema: schema, naming: naming, text: text).bind(parse(text, arguments), to: classID)
  }

  private func find(_ form: Form, _ classID: ClassID, _ schema: StoreSchema) -> PreparedComparison? {
    state.withLock { state in
      for index in state.entries.indices
      where state.entries[index].classID == classID && state.entries[index].schema === schema
        && state.entries[index].form == form
      {
        return state.entries[index].comparison
      }
      return nil
    }
  }

  private func remember(_ entry: Entry) {
    state.withLock { state in
      if state.entries.count < CachePolicy.boundComparisons {
        state.entries.append(entry)
      } else {
        state.entries[state.next] = entry
        state.next = (state.next + 1) % CachePolicy.boundComparisons
      }
    }
  }
}
