import LarderStorage

/// Resolves the names of a predicate against a schema and checks the types.
package struct Binder {
  let schema: StoreSchema
  let naming: PropertyNaming
  /// The predicate's text, for messages.
  let text: String

  package init(schema: StoreSchema, naming: PropertyNaming = .stored, text: String = "") {
    self.schema = schema
    self.naming = naming
    self.text = text
  }

  /// Parses and binds in one go.
  package static func bind(
    _ text: String, _ arguments: [PredicateArgument] = [], to classID: ClassID, in schema: StoreSchema,
    naming: PropertyNaming = .stored
  ) throws(PredicateError) -> BoundPredicate {
    let node = try PredicateParser.parse(text, arguments)
    return try Binder(schema: schema, naming: naming, text: text).bind(node, to: classID)
  }

  /// Binds a predicate to the objects of a class.
  package func bind(_ node: PredicateNode, to classID: ClassID) throws(PredicateError) -> BoundPredicate {
    switch node {
    case .constant(let value): return .constant(value)
    case .and(let children): return .and(try bind(children, to: classID))
    case .or(let children): return .or(try bind(children, to: classID))
    case .not(let child): return .not(try bind(child, to: classID))
    case .comparison(let comparison): return try bind(comparison, to: classID)
    }
  }

  private func bind(_ children: [PredicateNode], to classID: ClassID) throws(PredicateError) -> [BoundPredicate] {
    var bound: [BoundPredicate] = []
    bound.reserveCapacity(children.count)
    for child in children { bound.append(try bind(child, to: classID)) }
    return bound
  }

  func fail(
    _ code: PredicateError.Code, _ message: String, _ range: SourceRange?, expected: String? = nil,
    suggestion: String? = nil
  ) -> PredicateError {
    let found = range.map { range in
      String(decoding: Array(text.utf8).dropFirst(range.lower).prefix(max(0, range.upper - range.lower)), as: UTF8.self)
    }
    return PredicateError(
      code, message, text: text, range: text.isEmpty ? nil : range, found: found, expected: expected,
      suggestion: suggestion)
  }

  // MARK: - Comparisons

  private func bind(_ comparison: ComparisonNode, to classID: ClassID) throws(PredicateError) -> BoundPredicate {
    let comparison = try withPathOnTheLeft(comparison)
    switch (comparison.left, comparison.right) {
    case (.keyPath(let path), .constant(let constant)):
      return try bind(path, comparison, [constant], to: classID)
    case (.keyPath(let path), .set(let members, let range)):
      guard comparison.operation == .in || comparison.operation == .between else {
        throw fail(.typeMismatch, "\(comparison.operation.rawValue) needs one value, not a set", range)
      }
      guard comparison.operation == .in || members.count == 2 else {
        throw fail(
          .typeMismatch, "BETWEEN needs two values, not \(members.count)", range, expected: "{low, high}")
      }
      return try bind(path, comparison, members, to: classID)
    case (.keyPath(let left), .keyPath(let right)):
      return try bindColumns(left, comparison, right, to: classID)
    case (.subquery(let subquery), .constant(let constant)):
      return try bind(subquery, comparison, constant, to: classID)
    case (.subquery, let right), (.keyPath, let right):
      throw fail(
        .unsupportedOperator, "SUBQUERY is supported as SUBQUERY(…).@count compared with a number", right.range)
    case (let left, _):
      throw fail(.syntax, "A property is needed on one side of the comparison", left.range, expected: "a property")
    }
  }

  /// Turns `5 < age` into `age > 5` and `x IN list` into `ANY list == x`.
  private func withPathOnTheLeft(_ comparison: ComparisonNode) throws(PredicateError) -> ComparisonNode {
    guard case .constant(let constant) = comparison.left else { return comparison }
    guard case .keyPath = comparison.right else {
      if case .subquery = comparison.right {
        throw fail(.unsupportedOperator, "SUBQUERY must stand on the left", comparison.right.range)
      }
      throw fail(
        .syntax, "Two constants are compared: a property is needed on one side",
        comparison.left.range.through(comparison.right.range), expected: "a property")
    }
    var swapped = comparison
    swapped.left = comparison.right
    swapped.right = comparison.left
    if comparison.operation == .in {
      swapped.operation = .equal
      swapped.quantifier = comparison.quantifier ?? .any
      return swapped
    }
    guard let mirrored = comparison.operation.mirrored else {
      throw fail(
        .unsupportedOperator, "\(comparison.operation.rawValue) needs its property on the left", constant.range,
        expected: "a property")
    }
    swapped.operation = mirrored
    return swapped
  }

  private func bind(
    _ path: KeyPathNode, _ comparison: ComparisonNode, _ constants: [ConstantNode], to classID: ClassID
  ) throws(PredicateError) -> BoundPredicate {
    if path.isSelf { return try bindSelf(comparison, constants, classID) }
    if path.aggregate != nil { return try bindAggregate(path, comparison, constants, to: classID) }
    let resolved = try resolve(path, in: classID)
    try checkQuantifier(comparison, resolved, path)
    let bound = try bind(resolved, comparison, constants)
    return comparison.quantifier == Quantifier.none ? .not(bound) : bound
  }

  private func checkQuantifier(
    _ comparison: ComparisonNode, _ resolved: ResolvedPath, _ path: KeyPathNode
  ) throws(PredicateError) {
    if resolved.crossesToMany, comparison.quantifier == nil {
      throw fail(
        .quantifier, "'\(path.text)' leads through a collection: write ANY or NONE before it, or use an aggregate",
        path.range, expected: "ANY, NONE or a collection operator", suggestion: "ANY \(path.text)")
    }
    if !resolved.crossesToMany, let quantifier = comparison.quantifier {
      throw fail(
        .quantifier, "\(quantifier.rawValue) needs a path through a collection; '\(path.text)' has one value",
        comparison.quantifierRange)
    }
  }

  private func bind(
    _ resolved: ResolvedPath, _ comparison: ComparisonNode, _ constants: [ConstantNode]
  ) throws(PredicateError) -> BoundPredicate {
    let column = resolved.column
    try check(comparison.operation, comparison.options, column, resolved, comparison.operatorRange)
    var inner: BoundPredicate
    var whenNil = false
    if column.type == .link {
      let matched = try objects(constants, resolved, comparison)
      inner = linkPredicate(column, comparison, matched)
      whenNil = matched.includesNull != (comparison.operation == .notEqual)
    } else {
      var values: [StoredValue] = []
      for constant in constants { values.append(try convert(constant, resolved)) }
      let test = ValueTest(column.type, comparison.operation, values, options: comparison.options)
      whenNil = test.matches(.null)
      inner =
        column.collection == .none
        ? .value(column.id, test)
        : .anyValue(ListStep(column: column.id, target: nil, elementType: column.type), test)
    }
    if resolved.crossesToMany { whenNil = false }
    return wrap(inner, resolved.steps, whenNil: whenNil)
  }

  /// Puts the hops of a path around what is asked at its end.
  func wrap(_ inner: BoundPredicate, _ steps: [PathStep], whenNil: Bool) -> BoundPredicate {
    steps.reversed().reduce(inner) { inner, step in
      switch step {
      case .link(let link): .through(link, inner, whenNil: whenNil)
      case .list(let list): .anyElement(list, inner)
      }
    }
  }
}
