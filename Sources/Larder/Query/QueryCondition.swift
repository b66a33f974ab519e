import LarderQuery

/// The condition of a `Query<Bool>`, before it is clear what its paths begin at.
indirect enum QueryCondition {
  /// A Bool property by itself: it is true.
  case flag(QueryPath)
  case comparison(QueryOperand, ComparisonOperator, TextOptions, QueryOperand)
  case and([QueryCondition])
  case or([QueryCondition])
  case not(QueryCondition)

  /// The condition as a predicate. Throws where its parts do not go together, and where they nest too deeply.
  func predicate() throws(PredicateError) -> PredicateNode {
    // Before anything that follows the whole tree: a program can build one that is deeper than the stack.
    guard !nests(deeperThan: Binder.maximumDepth) else {
      throw PredicateError(.tooDeep, "The condition nests deeper than \(Binder.maximumDepth) levels")
    }
    return try node(within: [])
  }

  /// A comparison of one property with a constant, and nothing else.
  struct SimpleComparison {
    let property: String
    let operation: ComparisonOperator
    let options: TextOptions
    let argument: PredicateArgument
  }

  /// The condition, where it is a comparison of one property with a constant.
  var simpleComparison: SimpleComparison? {
    guard case .comparison(.path(let path), let operation, let options, .constant(let argument)) = self,
      let property = path.onlyProperty
    else { return nil }
    return SimpleComparison(property: property, operation: operation, options: options, argument: argument)
  }

  fileprivate func nests(deeperThan levels: Int) -> Bool {
    guard levels > 0 else { return true }
    return switch self {
    case .flag: false
    case .comparison(let left, _, _, let right): left.nests(deeperThan: levels) || right.nests(deeperThan: levels)
    case .and(let children), .or(let children): children.contains { $0.nests(deeperThan: levels - 1) }
    case .not(let child): child.nests(deeperThan: levels - 1)
    }
  }

  /// - Parameter root: The collection that the subquery around the condition counts elements of; empty outside of one.
  fileprivate func node(within root: [KeyPathNode.Component]) throws(PredicateError) -> PredicateNode {
    switch self {
    case .flag(let path):
      return try Self.comparison(.path(path), .equal, [], .constant(.value(.bool(true))), root)
    case .comparison(let left, let operation, let options, let right):
      return try Self.comparison(left, operation, options, right, root)
    case .and(let children): return .and(try Self.nodes(children, root))
    case .or(let children): return .or(try Self.nodes(children, root))
    case .not(let child): return .not(try child.node(within: root))
    }
  }

  private static func nodes(
    _ children: [QueryCondition], _ root: [KeyPathNode.Component]
  ) throws(PredicateError) -> [PredicateNode] {
    var nodes: [PredicateNode] = []
    for child in children { nodes.append(try child.node(within: root)) }
    return nodes
  }

  private static func comparison(
    _ left: QueryOperand, _ operation: ComparisonOperator, _ options: TextOptions, _ right: QueryOperand,
    _ root: [KeyPathNode.Component]
  ) throws(PredicateError) -> PredicateNode {
    var quantifier: Quantifier?
    if case .path(let path) = left, path.isToMany(within: root) { quantifier = .any }
    if case .path(let path) = right, path.isToMany(within: root) {
      throw PredicateError(.quantifier, "Two collections cannot be compared: only one side may be a collection")
    }
    return .comparison(
      ComparisonNode(
        quantifier: quantifier, left: try operand(left, root), operation: operation, options: options,
        right: try operand(right, root)))
  }

  fileprivate static func operand(
    _ operand: QueryOperand, _ root: [KeyPathNode.Component]
  ) throws(PredicateError) -> OperandNode {
    switch operand {
    case .path(let path):
      if let problem = path.problem { throw problem }
      return .keyPath(path.node(within: root))
    case .constant(let value): return .constant(ConstantNode(value))
    case .set(let values): return .set(values.map { ConstantNode($0) }, SourceRange(0, 0))
    case .count(let condition): return .subquery(try condition.subquery(within: root))
    case .arithmetic(let operation, let left, let right):
      return .arithmetic(operation, try self.operand(left, root), try self.operand(right, root))
    case .function(let function, let argument, let timeZone):
      let zone = timeZone.map { ConstantNode(.value(.string($0))) }
      return .function(FunctionNode(function, of: try self.operand(argument, root), timeZone: zone))
    }
  }
}

extension QueryOperand {
  /// Returns the computed value as a tree. Throws where its parts do not go together, and where they nest too deeply.
  func node() throws(PredicateError) -> OperandNode {
    guard !nests(deeperThan: Binder.maximumDepth) else {
      throw PredicateError(.tooDeep, "What is computed nests deeper than \(Binder.maximumDepth) levels")
    }
    return try QueryCondition.operand(self, [])
  }
}

// Subqueries.
extension QueryCondition {
  /// Number of the elements of one collection that satisfy the condition. A path that leads through no collection names a
  /// property of the elements.
  ///
  /// Within another subquery the paths either go on from its collection, or are those of its elements, as RealmSwift reads them:
  /// `$0.friends` in a condition on friends.
  private func subquery(within outer: [KeyPathNode.Component]) throws(PredicateError) -> SubqueryNode {
    if let root = try commonRoot(behind: outer) {
      let path = KeyPathNode(Array(root.dropFirst(root.starts(with: outer) ? outer.count : 0)))
      return SubqueryNode(path: path, predicate: try node(within: root))
    }
    if !outer.isEmpty, let root = try commonRoot(behind: []) {
      return SubqueryNode(path: KeyPathNode(root), predicate: try node(within: root))
    }
    guard let path = ownPaths.first else {
      throw PredicateError(.unsupportedOperator, "A subquery needs a condition on the elements of a collection")
    }
    throw PredicateError(
      .unsupportedOperator,
      "A subquery counts elements of a collection; '\(path.node().text)' does not lead through one")
  }

  /// The collection that the condition is about, after that of the subquery around it; nil where no path leads through one.
  private func commonRoot(behind outer: [KeyPathNode.Component]) throws(PredicateError) -> [KeyPathNode.Component]? {
    var root: [KeyPathNode.Component]?
    let paths = ownPaths.filter { !$0.collections.isEmpty }
    for path in paths {
      guard let own = path.root(behind: outer) else { continue }
      if let root, root != own { throw Self.mixed(root, own) }
      root = own
    }
    guard let root else { return paths.isEmpty ? try nestedRoot(behind: outer) : nil }
    // A path that ends at the collection around this one is about that.
    if let other = paths.first(where: { $0.prefix(of: root) == 0 }) { throw Self.mixed(root, other.components) }
    return root
  }

  /// The collection that conditions of the subqueries within go on from.
  private func nestedRoot(behind outer: [KeyPathNode.Component]) throws(PredicateError) -> [KeyPathNode.Component]? {
    var root: [KeyPathNode.Component]?
    for path in nestedPaths {
      guard let own = path.root(behind: outer), path.root(behind: own) != nil else { continue }
      if let root, root != own { throw Self.mixed(root, own) }
      root = own
    }
    return root
  }

  private static func mixed(_ a: [KeyPathNode.Component], _ b: [KeyPathNode.Component]) -> PredicateError {
    PredicateError(
      .unsupportedOperator,
      "A subquery is about one collection, not about '\(KeyPathNode(a).text)' and '\(KeyPathNode(b).text)'")
  }

  /// The paths of the condition, without those of subqueries within.
  private var ownPaths: [QueryPath] {
    operands.flatMap(\.paths)
  }

  /// The paths of the subqueries within.
  private var nestedPaths: [QueryPath] {
    operands.flatMap(\.counted).flatMap { $0.ownPaths + $0.nestedPaths }
  }

  private var operands: [QueryOperand] {
    switch self {
    case .flag(let path): [.path(path)]
    case .comparison(let left, _, _, let right): [left, right]
    case .and(let children), .or(let children): children.flatMap(\.operands)
    case .not(let child): child.operands
    }
  }
}

extension QueryOperand {
  fileprivate func nests(deeperThan levels: Int) -> Bool {
    guard levels > 0 else { return true }
    return switch self {
    case .path, .constant, .set: false
    case .count(let condition): condition.nests(deeperThan: levels - 1)
    case .arithmetic(_, let left, let right):
      left.nests(deeperThan: levels - 1) || right.nests(deeperThan: levels - 1)
    case .function(_, let argument, _): argument.nests(deeperThan: levels - 1)
    }
  }
}
