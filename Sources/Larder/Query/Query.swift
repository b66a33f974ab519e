import LarderQuery

/// A condition or a property in the closure of `where`: `people.where { $0.age > 30 && $0.dogs.name == "Rex" }`.
///
/// Nothing is evaluated in the closure; it runs once and describes the condition, with the values it captured at that
/// time. A bare Bool property is the condition that it is true. A comparison of a collection, or of a property after one,
/// asks for any element. What cannot be queried is reported by `where` itself: misuse, or an error of `throwing.where`.
@dynamicMemberLookup
public struct Query<T> {
  enum Content {
    case path(QueryPath)
    case condition(QueryCondition)
    case count(QueryCondition)
    /// A value computed of properties.
    case computed(QueryOperand)
  }

  let content: Content

  init(_ content: Content) { self.content = content }
  init(_ path: QueryPath) { content = .path(path) }

  /// The objects or elements themselves.
  static var root: Query<T> { Query(QueryPath()) }

  /// The path of a property; a condition has none.
  var path: QueryPath {
    switch content {
    case .path(let path): path
    case .condition, .count: QueryPath().failing("A condition has no properties")
    case .computed: QueryPath().failing("What is computed has no properties, no elements and no aggregates")
    }
  }

  var operand: QueryOperand {
    switch content {
    case .path(let path): .path(path)
    case .count(let condition): .count(condition)
    case .computed(let operand): operand
    case .condition: .path(path)
    }
  }

  var condition: QueryCondition {
    switch content {
    case .path(let path): .flag(path)
    case .condition(let condition): condition
    case .count, .computed: .flag(path)
    }
  }

  /// The condition as a tree. Throws `PredicateError` for what cannot be asked.
  func predicate() throws -> PredicateNode { try condition.predicate() }

  // MARK: - Making conditions

  /// Returns the query of an arithmetic operation on two values.
  static func computed(_ operation: ArithmeticOperator, _ left: QueryOperand, _ right: QueryOperand) -> Query<T> {
    Query(.computed(.arithmetic(operation, left, right)))
  }

  /// Returns the query of a function's result.
  func applying<Result>(_ function: QueryFunction, in timeZone: String? = nil) -> Query<Result> {
    Query<Result>(.computed(.function(function, operand, timeZone: timeZone)))
  }

  // The defaults are no literals: an empty literal of an option set is made from an array, by code that is not specialized for it.
  func compared<Value>(
    _ operation: ComparisonOperator, _ value: Value, options: StringOptions = StringOptions(rawValue: 0)
  ) -> Query<Bool> {
    Query<Bool>(.condition(.comparison(operand, operation, options.textOptions, QueryOperand(value: value))))
  }

  func compared<Other>(
    _ operation: ComparisonOperator, with other: Query<Other>, options: StringOptions = StringOptions(rawValue: 0)
  ) -> Query<Bool> {
    Query<Bool>(.condition(.comparison(operand, operation, options.textOptions, other.operand)))
  }

  func compared<Values: Sequence>(with values: Values) -> Query<Bool> {
    Query<Bool>(.condition(.comparison(operand, .in, [], QueryOperand(values: values))))
  }

  func between(_ lower: Any, _ upper: Any, includesUpper: Bool) -> Query<Bool> {
    let bounds = QueryOperand(values: [lower, upper])
    // Text has an order, but no BETWEEN.
    if includesUpper, !bounds.holdsText { return Query<Bool>(.condition(.comparison(operand, .between, [], bounds))) }
    return Query<Bool>(.condition(.and(range(of: (operand, operand), lower, upper, includesUpper))))
  }

  private func range(
    of sides: (QueryOperand, QueryOperand), _ lower: Any, _ upper: Any, _ includesUpper: Bool
  ) -> [QueryCondition] {
    [
      .comparison(sides.0, .greaterOrEqual, [], QueryOperand(value: lower)),
      .comparison(sides.1, includesUpper ? .lessOrEqual : .less, [], QueryOperand(value: upper)),
    ]
  }

  /// All elements are between the bounds, and there are some.
  func elementsBetween(_ lower: Any, _ upper: Any, includesUpper: Bool) -> Query<Bool> {
    let ends = (QueryOperand.path(path.aggregated(.min)), QueryOperand.path(path.aggregated(.max)))
    return Query<Bool>(.condition(.and(range(of: ends, lower, upper, includesUpper))))
  }

  func aggregated<Result>(_ aggregate: AggregateOperator) -> Query<Result> { Query<Result>(path.aggregated(aggregate)) }

  /// A property after this path.
  func member<Root: ObjectBase, Value>(_ keyPath: KeyPath<Root, Value>) -> Query<Value> {
    let name = QueryNames.shared.name(of: keyPath)
    return Query<Value>(path.appending(name.text, isCollection: name.isCollection))
  }

  // MARK: - Equality

  /// Equal to a value; nil is a value where `T` is optional. An object is equal to its own row only.
  public static func == (_ lhs: Query<T>, _ rhs: T) -> Query<Bool> { lhs.compared(.equal, rhs) }
  /// Two properties of one object are equal; two collections cannot be compared.
  public static func == (_ lhs: Query<T>, _ rhs: Query<T>) -> Query<Bool> { lhs.compared(.equal, with: rhs) }
  /// Not equal to a value.
  public static func != (_ lhs: Query<T>, _ rhs: T) -> Query<Bool> { lhs.compared(.notEqual, rhs) }
  /// Two properties of one object are not equal.
  public static func != (_ lhs: Query<T>, _ rhs: Query<T>) -> Query<Bool> { lhs.compared(.notEqual, with: rhs) }

  /// Equal to one of the values; to none where there are none.
  public func `in`<U>(_ collection: U) -> Query<Bool> where U: Sequence, U.Element == T {
    compared(with: collection)
  }

  // MARK: - Properties

  /// A property.
  public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> where T: ObjectBase { self.member(member) }

  /// A collection: comparisons ask for any element.
  public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> where T: ObjectBase, V: RealmCollectionBase {
    self.member(member)
  }

  // MARK: - Tests

  /// A query over nothing, for tests of conditions.
  public static func _constructForTesting() -> Query<T> { root }

  /// The condition as text of the predicate format and its arguments.
  public func _constructPredicate() -> (String, [Any]) {
    let (text, arguments) = orMisuse { PredicatePrinter.write(try predicate()) }
    return (text, arguments.map { PredicateArguments.value($0) })
  }
}

extension Query where T == Bool {
  /// The condition does not hold; a bare Bool property is false.
  public static prefix func ! (_ query: Query<T>) -> Query<Bool> {
    if case .not(let child) = query.condition { return Query(.condition(child)) }
    return Query(.condition(.not(query.condition)))
  }

  /// Both conditions hold.
  public static func && (_ lhs: Query<T>, _ rhs: Query<T>) -> Query<Bool> {
    if case .and(let children) = lhs.condition { return Query(.condition(.and(children + [rhs.condition]))) }
    if case .and(let children) = rhs.condition { return Query(.condition(.and([lhs.condition] + children))) }
    return Query(.condition(.and([lhs.condition, rhs.condition])))
  }

  /// At least one of the conditions holds.
  public static func || (_ lhs: Query<T>, _ rhs: Query<T>) -> Query<Bool> {
    if case .or(let children) = lhs.condition { return Query(.condition(.or(children + [rhs.condition]))) }
    if case .or(let children) = rhs.condition { return Query(.condition(.or([lhs.condition] + children))) }
    return Query(.condition(.or([lhs.condition, rhs.condition])))
  }

  /// Number of elements of one collection that satisfy the whole condition: `($0.dogs.age > 3 && $0.dogs.name == "x").count`.
  /// All parts must begin at the same collection.
  public var count: Query<Int> { Query<Int>(.count(condition)) }
}

extension Query where T: OptionalProtocol {
  /// A property at the end of a link. Without an object it is nil.
  public subscript<V>(dynamicMember member: KeyPath<T.Wrapped, V>) -> Query<V> where T.Wrapped: ObjectBase {
    self.member(member)
  }
}
