import LarderStorage

/// A predicate over the elements of a collection of values: only `SELF` can be compared.
package indirect enum ElementPredicate: Hashable, Sendable {
  case constant(Bool)
  case and([ElementPredicate])
  case or([ElementPredicate])
  case not(ElementPredicate)
  case test(ValueTest)

  package func matches(_ value: StoredValue) -> Bool {
    switch self {
    case .constant(let answer): answer
    case .and(let children): children.allSatisfy { $0.matches(value) }
    case .or(let children): children.contains { $0.matches(value) }
    case .not(let child): !child.matches(value)
    case .test(let test): test.matches(value)
    }
  }
}

extension Binder {
  /// Binds a predicate to the elements of a collection of values. Throws `PredicateError`.
  package func bindElements(
    _ node: PredicateNode, _ type: ColumnType, isOptional: Bool
  ) throws(PredicateError) -> ElementPredicate {
    switch node {
    case .constant(let answer): return .constant(answer)
    case .and(let children): return .and(try bindElements(children, type, isOptional))
    case .or(let children): return .or(try bindElements(children, type, isOptional))
    case .not(let child): return .not(try bindElements(child, type, isOptional: isOptional))
    case .comparison(let comparison): return .test(try test(comparison, type, isOptional))
    }
  }

  private func bindElements(
    _ children: [PredicateNode], _ type: ColumnType, _ isOptional: Bool
  ) throws(PredicateError) -> [ElementPredicate] {
    var bound: [ElementPredicate] = []
    for child in children { bound.append(try bindElements(child, type, isOptional: isOptional)) }
    return bound
  }

  private func test(
    _ given: ComparisonNode, _ type: ColumnType, _ isOptional: Bool
  ) throws(PredicateError) -> ValueTest {
    var comparison = given
    if case .constant = given.left, case .keyPath = given.right, let mirrored = given.operation.mirrored {
      (comparison.left, comparison.right, comparison.operation) = (given.right, given.left, mirrored)
    }
    guard case .keyPath(let path) = comparison.left, path.isSelf, comparison.quantifier == nil else {
      throw scope.fail(
        .unsupportedOperator, "Elements that are values have no properties: compare SELF", comparison.left.range,
        expected: "SELF")
    }
    let column = ColumnDescriptor(id: .presence, name: "SELF", type: type, isOptional: isOptional)
    let resolved = ResolvedPath(
      steps: [], column: column, owner: ClassDescriptor(id: ClassID(rawValue: 0), name: "collection"))
    try types.check(comparison.operation, comparison.options, resolved, comparison.operatorRange)
    var constants: [ConstantNode]
    switch comparison.right {
    case .constant(let constant): constants = [constant]
    case .set(let members, _): constants = members
    case .keyPath, .subquery, .arithmetic, .function:
      throw scope.fail(.unsupportedOperator, "SELF is compared with constants only", comparison.right.range)
    }
    if comparison.operation == .between, constants.count != 2 {
      throw scope.fail(
        .typeMismatch, "BETWEEN needs two values, not \(constants.count)", comparison.right.range,
        expected: "{low, high}")
    }
    var values: [StoredValue] = []
    for constant in constants { values.append(try types.convert(constant, resolved)) }
    return ValueTest(type, comparison.operation, values, options: comparison.options)
  }
}
