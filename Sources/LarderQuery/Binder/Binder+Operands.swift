import LarderStorage

extension Binder {
  /// `a op b` for two columns, or a column and an aggregate.
  func bindColumns(
    _ left: KeyPathNode, _ comparison: ComparisonNode, _ right: KeyPathNode, to classID: ClassID
  ) throws(PredicateError) -> BoundPredicate {
    guard comparison.operation != .in, comparison.operation != .between else {
      return try bindContains(left, comparison, right, to: classID)
    }
    guard comparison.quantifier == nil else {
      throw fail(.quantifier, "Two properties are compared without ANY or NONE", comparison.quantifierRange)
    }
    guard left.aggregate == nil || right.aggregate == nil else {
      throw fail(
        .unsupportedAggregate, "An aggregate cannot be compared with another aggregate", right.aggregateRange)
    }
    let (first, second) = (try operand(left, classID), try operand(right, classID))
    guard
      first.type == second.type
        || (isNumeric(first.type) && isNumeric(second.type) && first.isAggregate != second.isAggregate)
    else {
      throw fail(
        .typeMismatch,
        "'\(left.text)' is \(first.type.displayName), compared with '\(right.text)', which is \(second.type.displayName)",
        right.range, expected: first.type.displayName)
    }
    try check(
      comparison.operation, comparison.options, first.resolved.column, first.resolved, comparison.operatorRange,
      first.isAggregate)
    return .compare(first.operand, comparison.operation, comparison.options, second.operand)
  }

  private func check(
    _ operation: ComparisonOperator, _ options: TextOptions, _ column: ColumnDescriptor, _ resolved: ResolvedPath,
    _ range: SourceRange, _ isAggregate: Bool
  ) throws(PredicateError) {
    guard isAggregate else { return try check(operation, options, column, resolved, range) }
    guard !operation.isTextual else {
      throw fail(.unsupportedOperator, "\(operation.rawValue) is not available for aggregates", range)
    }
  }

  /// `key path IN key path`: only `SELF IN list` would make sense, and neither is supported.
  private func bindContains(
    _ left: KeyPathNode, _ comparison: ComparisonNode, _ right: KeyPathNode, to classID: ClassID
  ) throws(PredicateError) -> BoundPredicate {
    throw fail(
      .unsupportedOperator,
      "\(comparison.operation.rawValue) compares a property with constants, not with '\(right.text)'",
      right.range, expected: "constants")
  }

  private struct TypedOperand {
    var operand: BoundOperand
    var type: ColumnType
    var resolved: ResolvedPath
    var isAggregate: Bool
  }

  private func operand(_ path: KeyPathNode, _ classID: ClassID) throws(PredicateError) -> TypedOperand {
    guard !path.isSelf else {
      throw fail(.unsupportedOperator, "SELF can be compared with objects only", path.range)
    }
    if path.aggregate != nil {
      let (operand, type, resolved) = try aggregateOperand(path, classID)
      return TypedOperand(operand: operand, type: type, resolved: resolved, isAggregate: true)
    }
    guard let (bound, resolved) = try resolveScalar(path.components, of: path, in: classID) else {
      throw fail(
        .quantifier, "'\(path.text)' leads through a collection, which cannot be compared with another property",
        path.range)
    }
    return TypedOperand(operand: .path(bound), type: bound.type, resolved: resolved, isAggregate: false)
  }

  // MARK: - Aggregates

  /// `list.@count`, `list.@max.name`.
  private func aggregateOperand(_ path: KeyPathNode, _ classID: ClassID) throws(PredicateError)
    -> (BoundOperand, ColumnType, ResolvedPath)
  {
    guard let aggregate = path.aggregate else { throw fail(.syntax, "An aggregate is needed", path.range) }
    let resolved = try resolve(path, in: classID)
    guard resolved.column.collection != .none else {
      throw fail(
        .unsupportedAggregate, "\(aggregate.rawValue) needs a collection; '\(resolved.name)' is none",
        path.aggregateRange)
    }
    guard aggregate != .allKeys, aggregate != .allValues else {
      throw fail(.unsupportedAggregate, "\(aggregate.rawValue) is available for maps only", path.aggregateRange)
    }
    guard let links = resolved.links else {
      throw fail(
        .notSupportedYet, "Aggregates over a collection inside a collection are not supported yet", path.range)
    }
    let step = ListStep(
      column: resolved.column.id, target: resolved.column.target, elementType: resolved.column.type)
    if aggregate == .count {
      guard path.trailing.isEmpty else {
        throw fail(.unsupportedAggregate, "@count must end the key path", path.aggregateRange)
      }
      return (.aggregate(links: links, step, .count, element: nil), .int, resolved)
    }
    let (element, elementType, end) = try aggregatedElement(path, resolved, aggregate)
    let type = aggregate == .average && elementType != .decimal128 ? .double : elementType
    return (.aggregate(links: links, step, aggregate, element: element), type, end)
  }

  private func aggregatedElement(
    _ path: KeyPathNode, _ resolved: ResolvedPath, _ aggregate: AggregateOperator
  ) throws(PredicateError) -> (BoundPath?, ColumnType, ResolvedPath) {
    var end = resolved
    var element: BoundPath?
    if resolved.column.type == .link, let target = resolved.column.target {
      guard path.trailing.count == 1, let found = try resolveScalar(path.trailing, of: path, in: target) else {
        throw fail(
          .unsupportedAggregate, "\(aggregate.rawValue) over objects needs one property after it", path.aggregateRange,
          expected: "\(aggregate.rawValue).property")
      }
      (element, end) = (found.path, found.resolved)
    } else if !path.trailing.isEmpty {
      throw fail(
        .unsupportedAggregate, "\(aggregate.rawValue) over values must end the key path", path.aggregateRange)
    }
    let type = end.column.type
    let isOrderedOnly = type == .date && (aggregate == .min || aggregate == .max)
    guard
      isOrderedOnly || (isNumeric(type) && type != .decimal128)
        || (type == .decimal128 && (aggregate == .min || aggregate == .max))
    else {
      throw fail(
        .unsupportedAggregate, "\(aggregate.rawValue) is not available for \(type.displayName) values",
        path.aggregateRange)
    }
    return (element, type, end)
  }

  func bindAggregate(
    _ path: KeyPathNode, _ comparison: ComparisonNode, _ constants: [ConstantNode], to classID: ClassID
  ) throws(PredicateError) -> BoundPredicate {
    guard comparison.quantifier == nil else {
      throw fail(.quantifier, "An aggregate is compared without ANY or NONE", comparison.quantifierRange)
    }
    let (operand, type, resolved) = try aggregateOperand(path, classID)
    guard !comparison.operation.isTextual else {
      throw fail(
        .unsupportedOperator, "\(comparison.operation.rawValue) is not available for aggregates",
        comparison.operatorRange)
    }
    var values: [StoredValue] = []
    for constant in constants { values.append(try aggregateConstant(constant, path, type, resolved)) }
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
    _ constant: ConstantNode, _ path: KeyPathNode, _ type: ColumnType, _ resolved: ResolvedPath
  ) throws(PredicateError) -> StoredValue {
    guard case .value(let value) = constant.value else {
      throw fail(.typeMismatch, "'\(path.text)' is compared with \(constant.value.kind)", constant.range)
    }
    switch (path.aggregate, value) {
    case (.count, .int), (.count, .double), (.count, .float), (.average, .int), (.average, .double), (.average, .float):
      return value
    case (.min, .null), (.max, .null), (.average, .null): return .null
    case (.count, _), (.average, _), (.sum, .null):
      throw fail(
        .typeMismatch, "'\(path.text)' is a number, compared with \(constant.value.kind)", constant.range,
        expected: "a number")
    default: return try convert(constant, resolved)
    }
  }

  /// `SUBQUERY(path, $x, …).@count op number`.
  func bind(
    _ subquery: SubqueryNode, _ comparison: ComparisonNode, _ constant: ConstantNode, to classID: ClassID
  ) throws(PredicateError) -> BoundPredicate {
    guard comparison.quantifier == nil, subquery.path.aggregate == nil, !subquery.path.isSelf else {
      throw fail(.quantifier, "SUBQUERY takes a plain collection and no ANY or NONE", subquery.range)
    }
    let resolved = try resolve(subquery.path, in: classID)
    guard resolved.column.collection != .none, resolved.column.type == .link, let target = resolved.column.target
    else {
      throw fail(
        .unsupportedOperator, "SUBQUERY needs a collection of objects; '\(resolved.name)' is none",
        subquery.path.range)
    }
    guard let links = resolved.links else {
      throw fail(
        .notSupportedYet, "SUBQUERY over a collection inside a collection is not supported yet", subquery.path.range)
    }
    switch (comparison.operation, constant.value) {
    case (.equal, .value(.int)), (.notEqual, .value(.int)), (.less, .value(.int)), (.lessOrEqual, .value(.int)),
      (.greater, .value(.int)), (.greaterOrEqual, .value(.int)):
      break
    default:
      throw fail(
        .typeMismatch, "SUBQUERY(…).@count is compared with a whole number", constant.range, expected: "an integer")
    }
    guard case .value(let number) = constant.value else {
      throw fail(.typeMismatch, "A number is needed", constant.range)
    }
    let step = ListStep(column: resolved.column.id, target: target, elementType: .link)
    let inner = try bind(subquery.predicate, to: target)
    return .compare(.count(links: links, step, inner), comparison.operation, [], .constant(number))
  }
}
