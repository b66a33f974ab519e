import LarderStorage

extension Binder {
  /// `a op b` for two columns (Q-71), or a column and an aggregate (Q-57).
  func bindColumns(
    _ left: KeyPathNode, _ comparison: ComparisonNode, _ right: KeyPathNode, to classID: ClassID
  ) throws(PredicateError) -> BoundPredicate {
    guard comparison.operation != .in, comparison.operation != .between, comparison.operation != .text else {
      throw scope.fail(
        .unsupportedOperator,
        "\(comparison.operation.rawValue) compares a property with constants, not with '\(right.text)'",
        right.range, expected: "constants")
    }
    guard comparison.quantifier == nil else {
      throw scope.fail(.quantifier, "Two properties are compared without ANY or NONE", comparison.quantifierRange)
    }
    guard left.aggregate == nil || right.aggregate == nil else {
      throw scope.fail(
        .unsupportedAggregate, "An aggregate cannot be compared with another aggregate", right.aggregateRange)
    }
    let (first, second) = (try columnOperand(left, classID), try columnOperand(right, classID))
    let areNumbers = first.type.map { types.isNumeric($0) } == true && second.type.map { types.isNumeric($0) } == true
    guard
      first.type == second.type || (areNumbers && first.isAggregate != second.isAggregate)
        || (first.type == .mixed && second.type != .link) || (second.type == .mixed && first.type != .link)
    else {
      throw scope.fail(
        .typeMismatch,
        "'\(left.text)' is \(first.type?.displayName ?? "of any type"), compared with '\(right.text)', which is \(second.type?.displayName ?? "of any type")",
        right.range, expected: first.type?.displayName)
    }
    guard first.target == second.target || first.type == .mixed || second.type == .mixed else {
      throw scope.fail(.typeMismatch, "'\(left.text)' and '\(right.text)' link to different classes", right.range)
    }
    try check(comparison.operation, comparison.options, first, comparison.operatorRange)
    return .compare(first.operand, comparison.operation, comparison.options, second.operand)
  }

  func check(
    _ operation: ComparisonOperator, _ options: TextOptions, _ operand: TypedOperand, _ range: SourceRange
  ) throws(PredicateError) {
    if operand.isAggregate, operation.isTextual {
      throw scope.fail(.unsupportedOperator, "\(operation.rawValue) is not available for aggregates", range)
    }
    guard let type = operand.type else { return }
    try types.check(operation, options, type, range) { "\(type.displayName) property '\(operand.name)'" }
  }

  private func columnOperand(_ path: KeyPathNode, _ classID: ClassID) throws(PredicateError) -> TypedOperand {
    guard !path.isSelf else {
      throw scope.fail(.unsupportedOperator, "SELF can be compared with objects only", path.range)
    }
    let operand = try pathOperand(path, classID)
    guard !operand.isToMany else {
      throw scope.fail(
        .quantifier, "'\(path.text)' leads through a collection, which cannot be compared with another property",
        path.range)
    }
    return operand
  }

  /// A path with or without an aggregate, whatever it crosses.
  func pathOperand(_ path: KeyPathNode, _ classID: ClassID) throws(PredicateError) -> TypedOperand {
    if path.countsLinks { return try LinkCounter(paths: paths).side(path, classID) }
    if path.aggregate != nil {
      let (operand, type, resolved) = try aggregateOperand(path, classID)
      return TypedOperand(
        operand: operand, type: type, isToMany: false, isAggregate: true, name: resolved.name, range: path.range)
    }
    let resolved = try paths.resolve(path, in: classID)
    let type: ColumnType? =
      switch resolved.measure {
      case .length: .int
      case .type: .string
      case nil: resolved.type
      }
    var operand = BoundOperand.reach(resolved.reach)
    if resolved.isPlain, resolved.source == nil, let links = resolved.links {
      operand = .path(BoundPath(links: links, column: resolved.column.id, type: resolved.type))
    }
    return TypedOperand(
      operand: operand, type: type, isToMany: resolved.crossesToMany, target: resolved.target, name: resolved.name,
      range: path.range)
  }

  // MARK: - Subscripts

  /// A path with subscripts against constants (Q-59, Q-61): the type of a map's values is not checked.
  func bindReached(
    _ resolved: ResolvedPath, _ comparison: ComparisonNode, _ constants: [ConstantNode]
  ) throws(PredicateError) -> BoundPredicate {
    if resolved.measure == nil {
      try types.check(comparison.operation, comparison.options, resolved, comparison.operatorRange)
    }
    var values: [StoredValue] = []
    for constant in constants { if let value = try loose(constant, resolved) { values.append(value) } }
    let reach = BoundOperand.reach(resolved.reach)
    let isToMany = resolved.crossesToMany
    // An empty needle is in every text, nil in everything (Q-107).
    let isSubstring = [.beginsWith, .endsWith, .contains].contains(comparison.operation)
    let options = scope.dialect == .query && isSubstring ? comparison.options.union(.matchesEmpty) : comparison.options
    if values.count < constants.count, comparison.operation != .in {
      // Nothing is equal to a detached object, everything is another one (Q-42).
      let isNegated = comparison.operation == .notEqual
      return .quantified(
        QuantifiedComparison(
          reach, isToMany ? .any : nil, isNegated ? .notEqual : .equal, [], .constants([]), isNegated ? .all : .any))
    }
    func one(_ operation: ComparisonOperator, _ value: StoredValue) -> BoundPredicate {
      isToMany
        ? .quantified(
          QuantifiedComparison(reach, .any, operation, options, .constant(value), nil))
        : .compare(reach, operation, options, .constant(value))
    }
    switch comparison.operation {
    case .in:
      return .quantified(
        QuantifiedComparison(reach, isToMany ? .any : nil, .equal, options, .constants(values), .any))
    case .between where isToMany:
      return .quantified(QuantifiedComparison(reach, .any, .between, [], .constants(values), nil))
    case .between: return .and([one(.greaterOrEqual, values[0]), one(.lessOrEqual, values[1])])
    default: return one(comparison.operation, values[0])
    }
  }

  /// Converts where that can be done; otherwise the values are simply not equal. nil for a detached object.
  private func loose(_ constant: ConstantNode, _ resolved: ResolvedPath) throws(PredicateError) -> StoredValue? {
    switch constant.value {
    case .detachedObject where resolved.type == .link && resolved.measure == nil: return nil
    case .object(let link, _) where resolved.type == .link && link.classID == resolved.target: return .link(link.key)
    case .value(.null): return .null
    case .value(let value) where resolved.measure != nil: return value
    case .value(let value):
      return TypeChecker.convert(value, to: resolved.type) ?? types.read(value, resolved.type) ?? value
    default: return try types.convert(constant, resolved, acceptsNull: true)
    }
  }

  // MARK: - Aggregates

  /// `list.@count`, `list.@max.name` (Q-52 to Q-57).
  func aggregateOperand(_ path: KeyPathNode, _ classID: ClassID) throws(PredicateError)
    -> (BoundOperand, ColumnType, ResolvedPath)
  {
    guard let aggregate = path.aggregate else { throw scope.fail(.syntax, "An aggregate is needed", path.range) }
    let resolved = try paths.resolve(path, in: classID)
    let isNested = resolved.type == .mixed && resolved.source == nil
    guard resolved.source != nil || (isNested && aggregate == .count && scope.dialect == .query) else {
      throw scope.fail(
        .unsupportedAggregate, "\(aggregate.rawValue) needs a collection; '\(resolved.name)' is none",
        path.aggregateRange)
    }
    if aggregate == .count {
      guard path.trailing.isEmpty else {
        throw scope.fail(.unsupportedAggregate, "@count must end the key path", path.aggregateRange)
      }
      return (.aggregate(resolved.reach, .count), .int, resolved)
    }
    let (reach, end) = try aggregated(path, resolved, aggregate)
    let type: ColumnType =
      switch (aggregate, end.type) {
      case (.average, .decimal128), (.average, .mixed), (.sum, .mixed): .decimal128
      case (.average, _): .double
      default: end.type
      }
    return (.aggregate(reach, aggregate), type, end)
  }

  private func aggregated(
    _ path: KeyPathNode, _ resolved: ResolvedPath, _ aggregate: AggregateOperator
  ) throws(PredicateError) -> (BoundReach, ResolvedPath) {
    var end = resolved
    var reach = resolved.reach
    if resolved.type == .link, let target = resolved.target, let step = resolved.listStep {
      guard path.trailing.count == 1 else {
        throw scope.fail(
          .unsupportedAggregate, "\(aggregate.rawValue) over objects needs one property after it", path.aggregateRange,
          expected: "\(aggregate.rawValue).property")
      }
      end = try paths.resolve(path.trailing, of: path, in: target)
      guard end.source == nil, end.isPlain else {
        throw scope.fail(
          .unsupportedAggregate, "\(aggregate.rawValue) over objects needs a property of one value after it",
          path.aggregateRange)
      }
      reach = BoundReach(steps: resolved.steps + [.elements(step)], end: .column(end.column.id, end.type))
    } else if !path.trailing.isEmpty {
      throw scope.fail(
        .unsupportedAggregate, "\(aggregate.rawValue) over values must end the key path", path.aggregateRange)
    }
    let isOrderedOnly = end.type == .date && (aggregate == .min || aggregate == .max)
    guard isOrderedOnly || types.isNumeric(end.type) || end.type == .mixed else {
      throw scope.fail(
        .unsupportedAggregate, "\(aggregate.rawValue) is not available for \(end.type.displayName) values",
        path.aggregateRange)
    }
    return (reach, end)
  }

  func bindAggregate(
    _ path: KeyPathNode, _ comparison: ComparisonNode, _ constants: [ConstantNode], to classID: ClassID
  ) throws(PredicateError) -> BoundPredicate {
    guard comparison.quantifier == nil else {
      throw scope.fail(.quantifier, "An aggregate is compared without ANY or NONE", comparison.quantifierRange)
    }
    let found = path.countsLinks ? nil : try aggregateOperand(path, classID)
    let operand: BoundOperand
    if let found { operand = found.0 } else { operand = try LinkCounter(paths: paths).operand(path, classID) }
    guard !comparison.operation.isTextual else {
      throw scope.fail(
        .unsupportedOperator, "\(comparison.operation.rawValue) is not available for aggregates",
        comparison.operatorRange)
    }
    var values: [StoredValue] = []
    for constant in constants { values.append(try aggregateConstant(constant, path, found?.2)) }
    let comparisons: [BoundPredicate] =
      switch comparison.operation {
      case .between:
        [
          .compare(operand, .greaterOrEqual, [], .constant(values[0])),
          .compare(operand, .lessOrEqual, [], .constant(values[1])),
        ]
      case .in: values.map { .compare(operand, .equal, [], .constant($0)) }
      default: [.compare(operand, comparison.operation, [], .constant(values[0]))]
      }
    if comparison.operation == .in { return .or(comparisons) }
    return comparisons.count == 1 ? comparisons[0] : .and(comparisons)
  }

  private func aggregateConstant(
    _ constant: ConstantNode, _ path: KeyPathNode, _ resolved: ResolvedPath?
  ) throws(PredicateError) -> StoredValue {
    guard case .value(let value) = constant.value else {
      throw scope.fail(.typeMismatch, "'\(path.text)' is compared with \(constant.value.kind)", constant.range)
    }
    switch (path.aggregate, value) {
    case (.count, .int), (.count, .double), (.count, .float), (.average, .int), (.average, .double), (.average, .float),
      (.average, .decimal128):
      return value
    case (.min, .null), (.max, .null), (.average, .null): return .null
    case (.count, _), (.average, _), (.sum, .null):
      throw scope.fail(
        .typeMismatch, "'\(path.text)' is a number, compared with \(constant.value.kind)", constant.range,
        expected: "a number")
    default:
      guard let resolved else { return value }
      return try types.convert(constant, resolved)
    }
  }

  /// `SUBQUERY(path, $x, …).@count op number` (Q-68, Q-69).
  func bind(
    _ subquery: SubqueryNode, _ comparison: ComparisonNode, _ constant: ConstantNode, to classID: ClassID
  ) throws(PredicateError) -> BoundPredicate {
    guard comparison.quantifier == nil else {
      throw scope.fail(.quantifier, "SUBQUERY takes no ANY or NONE", subquery.range)
    }
    let count = try countOperand(subquery, classID)
    switch (comparison.operation, constant.value) {
    case (.equal, .value(.int)), (.notEqual, .value(.int)), (.less, .value(.int)), (.lessOrEqual, .value(.int)),
      (.greater, .value(.int)), (.greaterOrEqual, .value(.int)):
      break
    default:
      throw scope.fail(
        .typeMismatch, "SUBQUERY(…).@count is compared with a whole number", constant.range, expected: "an integer")
    }
    guard case .value(let number) = constant.value else {
      throw scope.fail(.typeMismatch, "A number is needed", constant.range)
    }
    return .compare(count, comparison.operation, [], .constant(number))
  }

  func countOperand(_ subquery: SubqueryNode, _ classID: ClassID) throws(PredicateError) -> BoundOperand {
    guard subquery.path.aggregate == nil, !subquery.path.isSelf else {
      throw scope.fail(.quantifier, "SUBQUERY takes a plain collection", subquery.range)
    }
    let resolved = try paths.resolve(subquery.path, in: classID)
    guard resolved.crossesToMany, resolved.type == .link, let target = resolved.target, resolved.isPlain else {
      throw scope.fail(
        .unsupportedOperator, "SUBQUERY needs a collection of objects; '\(resolved.name)' is none",
        subquery.path.range)
    }
    return .count(resolved.reach, try bind(subquery.predicate, to: target))
  }
}
