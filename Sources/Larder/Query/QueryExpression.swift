import LarderQuery

/// A path that a `Query` stands for, with the places where it enters a collection.
struct QueryPath {
  var components: [KeyPathNode.Component] = []
  var aggregate: AggregateOperator?
  var trailing: [KeyPathNode.Component] = []
  /// Number of components up to and including each collection on the way.
  var collections: [Int] = []
  /// Why the path cannot be; reported when the condition is used.
  var problem: PredicateError?

  /// The path with a property after it.
  func appending(_ keyPath: String, isCollection: Bool) -> QueryPath {
    var path = self
    for name in keyPath.split(separator: ".") { path.components.append(.init(String(name))) }
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

  /// Whether a comparison asks for any of several values.
  func isToMany(dropping prefix: Int = 0) -> Bool {
    guard aggregate == nil else { return false }
    return collections.contains { $0 > prefix }
      || components.dropFirst(prefix).contains { $0.subscripts.contains { $0.selector == .any } }
  }

  /// The path up to the first collection behind its first components.
  func root(behind prefix: Int) -> [KeyPathNode.Component]? {
    collections.first { $0 > prefix }.map { Array(components.prefix($0)) }
  }

  func node(dropping prefix: Int = 0) -> KeyPathNode {
    KeyPathNode(Array(components.dropFirst(prefix)), aggregate: aggregate, trailing: trailing)
  }
}

/// A side of a comparison.
indirect enum QueryOperand {
  case path(QueryPath)
  case constant(PredicateArgument)
  case set([PredicateArgument])
  /// Number of elements of one collection that satisfy the condition.
  case count(QueryCondition)

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

  private static func faulty(_ error: any Error) -> QueryOperand {
    .path(QueryPath().failing((error as? Realm.Error)?.message ?? "\(error)"))
  }

  /// Whether constants are text.
  var holdsText: Bool {
    if case .set(let values) = self, case .value(.string)? = values.first { true } else { false }
  }
}

/// What a `Query<Bool>` asks, before it is clear what its paths begin at.
indirect enum QueryCondition {
  /// A Bool property by itself: it is true.
  case flag(QueryPath)
  case comparison(QueryOperand, ComparisonOperator, TextOptions, QueryOperand)
  case and([QueryCondition])
  case or([QueryCondition])
  case not(QueryCondition)

  /// The condition as a predicate. Throws where its parts do not go together.
  func predicate() throws(PredicateError) -> PredicateNode { try node(dropping: 0) }

  private func node(dropping prefix: Int) throws(PredicateError) -> PredicateNode {
    switch self {
    case .flag(let path):
      return try Self.comparison(.path(path), .equal, [], .constant(.value(.bool(true))), prefix)
    case .comparison(let left, let operation, let options, let right):
      return try Self.comparison(left, operation, options, right, prefix)
    case .and(let children): return .and(try Self.nodes(children, prefix))
    case .or(let children): return .or(try Self.nodes(children, prefix))
    case .not(let child): return .not(try child.node(dropping: prefix))
    }
  }

  private static func nodes(_ children: [QueryCondition], _ prefix: Int) throws(PredicateError) -> [PredicateNode] {
    var nodes: [PredicateNode] = []
    for child in children { nodes.append(try child.node(dropping: prefix)) }
    return nodes
  }

  private static func comparison(
    _ left: QueryOperand, _ operation: ComparisonOperator, _ options: TextOptions, _ right: QueryOperand, _ prefix: Int
  ) throws(PredicateError) -> PredicateNode {
    var quantifier: Quantifier?
    if case .path(let path) = left, path.isToMany(dropping: prefix) { quantifier = .any }
    if case .path(let path) = right, path.isToMany(dropping: prefix) {
      throw PredicateError(.quantifier, "Two collections cannot be compared: only one side may be a collection")
    }
    return .comparison(
      ComparisonNode(
        quantifier: quantifier, left: try operand(left, prefix), operation: operation, options: options,
        right: try operand(right, prefix)))
  }

  private static func operand(_ operand: QueryOperand, _ prefix: Int) throws(PredicateError) -> OperandNode {
    switch operand {
    case .path(let path):
      if let problem = path.problem { throw problem }
      return .keyPath(path.node(dropping: prefix))
    case .constant(let value): return .constant(ConstantNode(value))
    case .set(let values): return .set(values.map { ConstantNode($0) }, SourceRange(0, 0))
    case .count(let condition):
      let root = try condition.commonRoot(behind: prefix)
      let inner = try condition.node(dropping: root.count)
      return .subquery(SubqueryNode(path: KeyPathNode(Array(root.dropFirst(prefix))), predicate: inner))
    }
  }

  // MARK: - Subqueries

  /// The collection that every path of the condition begins with, behind that of the subquery around it.
  private func commonRoot(behind prefix: Int) throws(PredicateError) -> [KeyPathNode.Component] {
    var root: [KeyPathNode.Component]?
    for path in paths {
      guard let own = path.root(behind: prefix) else {
        throw PredicateError(
          .unsupportedOperator,
          "A subquery counts elements of a collection; '\(path.node().text)' does not lead through one")
      }
      if let root, root != own {
        throw PredicateError(
          .unsupportedOperator,
          "A subquery is about one collection, not about '\(KeyPathNode(root).text)' and '\(KeyPathNode(own).text)'")
      }
      root = own
    }
    guard let root else {
      throw PredicateError(.unsupportedOperator, "A subquery needs a condition on the elements of a collection")
    }
    return root
  }

  private var paths: [QueryPath] {
    switch self {
    case .flag(let path): [path]
    case .comparison(let left, _, _, let right): Self.paths(left) + Self.paths(right)
    case .and(let children), .or(let children): children.flatMap(\.paths)
    case .not(let child): child.paths
    }
  }

  private static func paths(_ operand: QueryOperand) -> [QueryPath] {
    switch operand {
    case .path(let path): [path]
    case .constant, .set: []
    case .count(let condition): condition.paths
    }
  }
}
