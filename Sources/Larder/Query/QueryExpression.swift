import LarderQuery

/// A path that a `Query` means, with the places where it enters a collection.
struct QueryPath {
  var components: [KeyPathNode.Component] = []
  var aggregate: AggregateOperator?
  var trailing: [KeyPathNode.Component] = []
  /// Number of components up to and including each collection on the way.
  var collections: [Int] = []
  /// The reason why the path cannot be; reported when the condition is used.
  var problem: PredicateError?

  /// The path with a property after it.
  func appending(_ keyPath: String, isCollection: Bool) -> QueryPath {
    var path = self
    if keyPath.utf8.contains(UInt8(ascii: ".")) {
      for name in keyPath.split(separator: ".") { path.components.append(.init(String(name))) }
    } else if !keyPath.isEmpty {
      path.components.append(.init(keyPath))
    }
    if isCollection { path.collections.append(path.components.count) }
    guard !keyPath.isEmpty else { return path.failing("A property that is not stored cannot be queried") }
    if components.last?.subscripts.isEmpty == false { return path.failing("No property can follow a subscript") }
    return path
  }

  /// The path with brackets after it.
  func appending(_ selector: SubscriptNode.Selector) -> QueryPath {
    var path = self
    guard let last = path.components.indices.last else { return failing("A subscript must follow a property") }
    path.components[last].subscripts.append(SubscriptNode(selector))
    // One element is picked: the path leads through one collection less.
    if path.collections.last == path.components.count { path.collections.removeLast() }
    return path
  }

  func appending(_ part: KeyPathNode.MapPart) -> QueryPath {
    var path = self
    if let last = path.components.indices.last { path.components[last].part = part }
    return path
  }

  /// The path with a collection operator; it stands after the last collection, before the properties of its elements
  ///
  func aggregated(_ aggregate: AggregateOperator) -> QueryPath {
    var path = self
    path.aggregate = aggregate
    guard let end = collections.last else {
      return path.failing("\(aggregate.rawValue) needs a path through a collection")
    }
    path.components = Array(components.prefix(end))
    path.trailing = Array(components.dropFirst(end))
    return path
  }

  func failing(_ message: String) -> QueryPath {
    var path = self
    path.problem = path.problem ?? PredicateError(.unsupportedOperator, message)
    return path
  }

  /// The name of the property that the path is, without anything before or after it; nil for other paths.
  var onlyProperty: String? {
    guard components.count == 1, collections.isEmpty, aggregate == nil, problem == nil else { return nil }
    let only = components[0]
    return only.subscripts.isEmpty && only.part == nil && only.originClass == nil ? only.name : nil
  }

  /// Number of components that lead to the collection that a subquery counts elements of; zero for a path that does not begin
  /// with it: its names are those of the elements.
  func prefix(of root: [KeyPathNode.Component]) -> Int {
    collections.contains(root.count) && components.starts(with: root) ? root.count : 0
  }

  /// Returns true if a comparison asks for any of several values.
  func isToMany(within root: [KeyPathNode.Component] = []) -> Bool {
    guard aggregate == nil else { return false }
    let prefix = prefix(of: root)
    return collections.contains { $0 > prefix }
      || components.dropFirst(prefix).contains { $0.subscripts.contains { $0.selector == .any } }
  }

  /// The path up to the first collection after the one of the subquery around it.
  func root(behind outer: [KeyPathNode.Component]) -> [KeyPathNode.Component]? {
    let prefix = prefix(of: outer)
    return collections.first { $0 > prefix }.map { Array(components.prefix($0)) }
  }

  func node(within root: [KeyPathNode.Component] = []) -> KeyPathNode {
    KeyPathNode(Array(components.dropFirst(prefix(of: root))), aggregate: aggregate, trailing: trailing)
  }
}

/// A side of a comparison.
indirect enum QueryOperand {
  case path(QueryPath)
  case constant(PredicateArgument)
  case set([PredicateArgument])
  /// Number of elements of one collection that satisfy the condition.
  case count(QueryCondition)
  case arithmetic(ArithmeticOperator, QueryOperand, QueryOperand)
  /// A function of one value; a part of a date with the name of its time zone, nil for UTC.
  case function(QueryFunction, QueryOperand, timeZone: String?)

  /// A constant; one that cannot be compared is reported when the condition is used.
  init(value: Any) {
    do {
      self = .constant(try PredicateArguments.argument(value))
    } catch {
      self = Self.faulty(error)
    }
  }

  /// Constants, for IN and BETWEEN.
  init(values: some Sequence) {
    do {
      self = .set(try values.map { try PredicateArguments.argument($0) })
    } catch {
      self = Self.faulty(error)
    }
  }

  /// The paths that it is computed of, without those of subqueries.
  var paths: [QueryPath] {
    switch self {
    case .path(let path): [path]
    case .constant, .set, .count: []
    case .arithmetic(_, let left, let right): left.paths + right.paths
    case .function(_, let argument, _): argument.paths
    }
  }

  /// The conditions of the subqueries that it is computed of.
  var counted: [QueryCondition] {
    switch self {
    case .count(let condition): [condition]
    case .path, .constant, .set: []
    case .arithmetic(_, let left, let right): left.counted + right.counted
    case .function(_, let argument, _): argument.counted
    }
  }

  private static func faulty(_ error: any Error) -> QueryOperand {
    .path(QueryPath().failing((error as? Realm.Error)?.message ?? "\(error)"))
  }

  /// True if constants are text.
  var holdsText: Bool {
    if case .set(let values) = self, case .value(.string)? = values.first { true } else { false }
  }
}
