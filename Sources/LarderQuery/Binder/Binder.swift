import LarderStorage

/// Resolves the names of a predicate against a schema and checks the types.
package struct Binder {
  package typealias TextReader = @Sendable (String, ColumnType) -> StoredValue?

  let scope: BindingScope

  /// - Parameters:
  ///   - text: The predicate's text, for messages.
  ///   - textReader: Reads a text as a value of a type that the language has no literals for; nil when it is none.
  package init(
    schema: StoreSchema, naming: PropertyNaming = .stored, text: String = "", dialect: PredicateDialect = .format,
    textReader: TextReader? = nil
  ) {
    scope = BindingScope(schema: schema, naming: naming, text: text, dialect: dialect, textReader: textReader)
  }

  /// Follows key paths.
  var paths: PathResolver { PathResolver(scope: scope) }

  /// Checks operators and converts constants.
  var types: TypeChecker { TypeChecker(scope: scope) }

  private var objects: ObjectBinder { ObjectBinder(binder: self) }

  /// The greatest depth of a tree that a program built; text has a limit of its own.
  package static let maximumDepth = 400

  /// Parses and binds in one go.
  package static func bind(
    _ text: String, _ arguments: [PredicateArgument] = [], to classID: ClassID, in schema: StoreSchema,
    naming: PropertyNaming = .stored, dialect: PredicateDialect = .format
  ) throws(PredicateError) -> BoundPredicate {
    let node = try PredicateParser.parse(text, arguments, dialect: dialect)
    return try Binder(schema: schema, naming: naming, text: text, dialect: dialect).bind(
      node, to: classID)
  }

  /// Binds a predicate to the objects of a class.
  package func bind(_ node: PredicateNode, to classID: ClassID) throws(PredicateError) -> BoundPredicate {
    try bind(node, to: classID, depth: 0)
  }

  private func bind(_ node: PredicateNode, to classID: ClassID, depth: Int) throws(PredicateError) -> BoundPredicate {
    guard depth < Self.maximumDepth else {
      throw scope.fail(.tooDeep, "The predicate nests deeper than \(Self.maximumDepth) levels", nil)
    }
    switch node {
    case .constant(let value): return .constant(value)
    case .and(let children): return .and(try bind(children, to: classID, depth: depth + 1))
    case .or(let children): return .or(try bind(children, to: classID, depth: depth + 1))
    case .not(let child): return .not(try bind(child, to: classID, depth: depth + 1))
    case .comparison(let comparison): return try bind(comparison, to: classID)
    }
  }

  private func bind(_ children: [PredicateNode], to classID: ClassID, depth: Int) throws(PredicateError)
    -> [BoundPredicate]
  {
    var bound: [BoundPredicate] = []
    bound.reserveCapacity(children.count)
    for child in children { bound.append(try bind(child, to: classID, depth: depth)) }
    return bound
  }

  // MARK: - Comparisons

  private func bind(_ given: ComparisonNode, to classID: ClassID) throws(PredicateError) -> BoundPredicate {
    let given = ConstantFolding.folded(given, scope.dialect)
    if given.left.isComputed || given.right.isComputed,
      let bound = try ExpressionBinder(binder: self).bind(given, to: classID)
    {
      return bound
    }
    if scope.dialect == .query, let bound = try QueryLanguageBinder(binder: self).bindQuery(given, to: classID) {
      return bound
    }
    let comparison = try withPathOnTheLeft(given)
    switch (comparison.left, comparison.right) {
    case (.keyPath(let path), .constant(let constant)):
      return try bind(path, comparison, [constant], to: classID)
    case (.keyPath(let path), .set(let members, let range)):
      guard comparison.operation == .in || comparison.operation == .between else {
        throw scope.fail(.typeMismatch, "\(comparison.operation.rawValue) needs one value, not a set", range)
      }
      guard comparison.operation == .in || members.count == 2 else {
        throw scope.fail(
          .typeMismatch, "BETWEEN needs two values, not \(members.count)", range, expected: "{low, high}")
      }
      return try bind(path, comparison, members, to: classID)
    case (.keyPath(let left), .keyPath(let right)):
      return try bindColumns(left, comparison, right, to: classID)
    case (.subquery(let subquery), .constant(let constant)):
      return try bind(subquery, comparison, constant, to: classID)
    case (.subquery, let right), (.keyPath, let right):
      throw scope.fail(
        .unsupportedOperator, "SUBQUERY is supported as SUBQUERY(…).@count compared with a number", right.range)
    case (let left, _):
      throw scope.fail(
        .syntax, "A property is needed on one side of the comparison", left.range, expected: "a property")
    }
  }

  /// Turns `5 < age` into `age > 5` and `x IN list` into `ANY list == x`.
  private func withPathOnTheLeft(_ comparison: ComparisonNode) throws(PredicateError) -> ComparisonNode {
    guard case .constant(let constant) = comparison.left else { return comparison }
    guard case .keyPath = comparison.right else {
      if case .subquery = comparison.right {
        throw scope.fail(.unsupportedOperator, "SUBQUERY must be on the left", comparison.right.range)
      }
      throw scope.twoConstants(comparison.left.range, comparison.right.range)
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
      throw scope.fail(
        .unsupportedOperator, "\(comparison.operation.rawValue) needs its property on the left", constant.range,
        expected: "a property")
    }
    swapped.operation = mirrored
    return swapped
  }

  func bind(
    _ path: KeyPathNode, _ comparison: ComparisonNode, _ constants: [ConstantNode], to classID: ClassID
  ) throws(PredicateError) -> BoundPredicate {
    if path.isSelf { return try objects.bindSelf(comparison, constants, classID) }
    if path.aggregate != nil { return try bindAggregate(path, comparison, constants, to: classID) }
    let resolved = try paths.resolve(path, in: classID)
    let comparison = try quantified(comparison, resolved, path)
    if constants.count == 1, case .area(let area) = constants[0].value {
      return try objects.bindArea(area, resolved, comparison, constants[0].range)
    }
    let bound =
      resolved.isPlain
      ? try bind(resolved, comparison, constants) : try bindReached(resolved, comparison, constants)
    return comparison.quantifier == Quantifier.none ? .not(bound) : bound
  }

  /// Checks ANY and NONE against the path; RQL puts in ANY where there is none.
  private func quantified(
    _ comparison: ComparisonNode, _ resolved: ResolvedPath, _ path: KeyPathNode
  ) throws(PredicateError) -> ComparisonNode {
    var comparison = comparison
    if resolved.crossesToMany, comparison.quantifier == nil {
      // A wildcard says by itself that any element will do.
      guard scope.dialect == .query || path.hasWildcard else {
        throw scope.fail(
          .quantifier, "'\(path.text)' leads through a collection: write ANY or NONE before it, or use an aggregate",
          path.range, expected: "ANY, NONE or a collection operator", suggestion: "ANY \(path.text)")
      }
      comparison.quantifier = .any
    }
    if !resolved.crossesToMany, let quantifier = comparison.quantifier {
      // One value of any type may be a collection.
      guard resolved.type == .mixed else {
        throw scope.fail(
          .quantifier, "\(quantifier.rawValue) needs a path through a collection; '\(path.text)' has one value",
          comparison.quantifierRange)
      }
    }
    return comparison
  }

  private func bind(
    _ resolved: ResolvedPath, _ comparison: ComparisonNode, _ constants: [ConstantNode]
  ) throws(PredicateError) -> BoundPredicate {
    try types.check(comparison.operation, comparison.options, resolved, comparison.operatorRange)
    if resolved.type == .link {
      let bound = try objects.bindLink(resolved, comparison, constants)
      return wrap(bound.predicate, resolved.steps, whenNil: bound.whenNil && !resolved.crossesToMany)
    }
    if let simple = try emptyNeedle(resolved, comparison, constants) ?? textAboveNil(resolved, comparison, constants) {
      return simple
    }
    // Over a nil link a property is nil, whatever it is declared as.
    let acceptsNull = scope.dialect == .query || resolved.crossesLink
    var values: [StoredValue] = []
    for constant in constants { values.append(try types.convert(constant, resolved, acceptsNull: acceptsNull)) }
    let test = ValueTest(resolved.type, comparison.operation, values, options: comparison.options)
    let inner: BoundPredicate = resolved.listStep.map { .anyValue($0, test) } ?? .value(resolved.column.id, test)
    return wrap(inner, resolved.steps, whenNil: test.matches(.null) && !resolved.crossesToMany)
  }

  /// In RQL every text holds the empty text, and everything holds nil; nil for any other comparison.
  private func emptyNeedle(
    _ resolved: ResolvedPath, _ comparison: ComparisonNode, _ constants: [ConstantNode]
  ) throws(PredicateError) -> BoundPredicate? {
    guard scope.dialect == .query, [.beginsWith, .endsWith, .contains].contains(comparison.operation),
      case .value(let needle)? = constants.first?.value, needle.isNull || needle.textBytes?.isEmpty == true
    else { return nil }
    guard needle.isNull else {
      let test = ValueTest(resolved.type, .notEqual, [.null])
      let inner: BoundPredicate = resolved.listStep.map { .anyValue($0, test) } ?? .value(resolved.column.id, test)
      return wrap(inner, resolved.steps, whenNil: false)
    }
    guard resolved.crossesToMany else { return .constant(true) }
    return .quantified(
      QuantifiedComparison(.reach(resolved.reach), .any, .contains, .matchesEmpty, .constant(.null), nil))
  }

  /// Text of the object itself is ordered with nil before every value; nil for any other comparison.
  private func textAboveNil(
    _ resolved: ResolvedPath, _ comparison: ComparisonNode, _ constants: [ConstantNode]
  ) -> BoundPredicate? {
    guard resolved.type == .string, resolved.isOptional, resolved.source == nil, resolved.steps.isEmpty,
      case .value(.null)? = constants.first?.value
    else { return nil }
    switch comparison.operation {
    case .greater: return .value(resolved.column.id, ValueTest(.string, .notEqual, [.null]))
    case .greaterOrEqual: return .constant(true)
    default: return nil
    }
  }

  /// Puts the hops of a path around what is asked at its end.
  func wrap(_ inner: BoundPredicate, _ steps: [BoundReach.Step], whenNil: Bool) -> BoundPredicate {
    steps.reversed().reduce(inner) { inner, step in
      switch step {
      case .link(let link): .through(link, inner, whenNil: whenNil)
      case .elements(let list), .element(let list, _): .anyElement(list, inner)
      }
    }
  }
}
