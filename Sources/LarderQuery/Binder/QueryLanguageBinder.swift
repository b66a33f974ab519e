import LarderStorage

/// Binds what RQL allows beyond the format language.
struct QueryLanguageBinder {
  let binder: Binder

  /// nil where the comparison has the same meaning in both languages.
  func bindQuery(_ comparison: ComparisonNode, to classID: ClassID) throws(PredicateError) -> BoundPredicate? {
    if try isShared(comparison, classID) { return nil }
    var left = try queryOperand(comparison.left, classID)
    var right = try queryOperand(comparison.right, classID)
    if left.operand.isConstant, right.operand.isConstant {
      throw binder.scope.twoConstants(left.range, right.range)
    }
    try checkQuantifier(comparison.quantifier, left)
    try checkQuantifier(comparison.rightQuantifier, right)
    try check(comparison, left, right)
    (left.operand, right.operand) = (try fitted(left, to: right), try fitted(right, to: left))
    var operation = comparison.operation
    var (leftQuantifier, rightQuantifier) = (comparison.quantifier, comparison.rightQuantifier)
    if operation == .in {
      operation = .equal
      rightQuantifier = rightQuantifier ?? .any
    }
    if case .constant(let value) = right.operand, let type = left.type, type != .mixed {
      right.operand = .constant(TypeChecker.convert(value, to: type) ?? value)
    }
    let bothMany = left.isToMany && right.isToMany
    if left.isToMany, leftQuantifier == nil, !bothMany || rightQuantifier != nil { leftQuantifier = .any }
    if right.isToMany, rightQuantifier == nil, !bothMany || leftQuantifier != nil { rightQuantifier = .any }
    let options = comparison.options.union(operation.isTextual && operation != .like ? .matchesEmpty : [])
    guard left.isToMany || right.isToMany else { return .compare(left.operand, operation, options, right.operand) }
    return .quantified(
      QuantifiedComparison(left.operand, leftQuantifier, operation, options, right.operand, rightQuantifier))
  }

  /// Returns true if it is a plain path against constants, which both languages read alike.
  private func isShared(_ comparison: ComparisonNode, _ classID: ClassID) throws(PredicateError) -> Bool {
    guard comparison.rightQuantifier == nil, comparison.quantifier != .all else { return false }
    switch (comparison.left, comparison.right) {
    case (.keyPath(let path), .constant):
      if path.measure != nil { return false }
      return path.isSelf || path.aggregate != nil || !path.components.isEmpty
    case (.constant, .keyPath): return !comparison.operation.isTextual
    case (.keyPath(let path), .set):
      return comparison.operation == .in || comparison.operation == .between || path.isSelf
    case (.subquery, .constant): return true
    default: return false
    }
  }

  private func queryOperand(_ operand: OperandNode, _ classID: ClassID) throws(PredicateError) -> TypedOperand {
    switch operand {
    case .keyPath(let path):
      guard !path.isSelf else {
        throw binder.scope.fail(.unsupportedOperator, "SELF can be compared with objects only", path.range)
      }
      return try binder.pathOperand(path, classID)
    case .constant(let constant):
      let value = try plain(constant)
      var type = value.type
      if case .object = value { type = .link }
      return TypedOperand(operand: .constant(value), type: type, isToMany: false, name: "", range: constant.range)
    case .set(let members, let range):
      var values: [StoredValue] = []
      for member in members { values.append(try plain(member)) }
      return TypedOperand(operand: .constants(values), type: nil, isToMany: true, name: "", range: range)
    case .subquery(let subquery):
      return TypedOperand(
        operand: try binder.countOperand(subquery, classID), type: .int, isToMany: false, isAggregate: true, name: "",
        range: subquery.range)
    case .arithmetic, .function: return try ExpressionBinder(binder: binder).operand(operand, classID)
    }
  }

  private func plain(_ constant: ConstantNode) throws(PredicateError) -> StoredValue {
    switch constant.value {
    case .value(let value): return value
    case .object(let link, _): return .object(link)
    default:
      throw binder.scope.fail(
        .typeMismatch, "\(constant.value.kind) cannot stand here", constant.range, expected: "a value")
    }
  }

  // MARK: - Checks

  /// Objects given as constants, as the other side holds them: links by their key, values of any type with their class.
  private func fitted(_ side: TypedOperand, to other: TypedOperand) throws(PredicateError) -> BoundOperand {
    guard other.type == .link else { return side.operand }
    func fitted(_ value: StoredValue) throws(PredicateError) -> StoredValue {
      guard case .object(let link) = value else { return value }
      guard let target = other.target, link.classID != target else { return .link(link.key) }
      let names = [target, link.classID].map { binder.scope.schema[$0]?.name ?? "another class" }
      throw binder.scope.fail(
        .wrongObject, "'\(other.name)' links to '\(names[0])', compared with '\(names[1])'", side.range)
    }
    switch side.operand {
    case .constant(let value): return .constant(try fitted(value))
    case .constants(let values):
      var links: [StoredValue] = []
      for value in values { links.append(try fitted(value)) }
      return .constants(links)
    default: return side.operand
    }
  }

  private func checkQuantifier(_ quantifier: Quantifier?, _ operand: TypedOperand) throws(PredicateError) {
    guard let quantifier, !operand.isToMany, operand.type != .mixed else { return }
    throw binder.scope.fail(.quantifier, "\(quantifier.rawValue) needs a list", operand.range)
  }

  private func check(
    _ comparison: ComparisonNode, _ left: TypedOperand, _ right: TypedOperand
  ) throws(PredicateError) {
    if comparison.operation == .between {
      throw binder.scope.fail(.unsupportedOperator, "BETWEEN needs two constants", right.range, expected: "{low, high}")
    }
    for (side, other) in [(left, right), (right, left)] {
      if let type = side.type, !side.operand.isConstant || comparison.operation.isTextual {
        try binder.types.check(comparison.operation, comparison.options, type, comparison.operatorRange) {
          side.name.isEmpty ? "\(type.displayName) value" : "\(type.displayName) property '\(side.name)'"
        }
      }
      guard let type = side.type, let otherType = other.type else { continue }
      // A link is of one class, an object in a mixed value of any.
      let isOfAnyType = type == .mixed || otherType == .mixed
      let isLinkToMixed = isOfAnyType && (type == .link || otherType == .link) && type != otherType
      guard !isOfAnyType || (isLinkToMixed && !side.operand.isConstant && !other.operand.isConstant) else { continue }
      let isFitting =
        type == otherType || (binder.types.isNumeric(type) && binder.types.isNumeric(otherType))
        || (side.operand.isConstant && fits(side.operand, otherType)) || fits(other.operand, type)
      guard isFitting else {
        throw binder.scope.fail(
          .typeMismatch, "\(type.displayName) cannot be compared with \(otherType.displayName)",
          left.range.through(right.range), expected: type.displayName)
      }
    }
    let isSequence =
      left.isToMany && right.isToMany && comparison.quantifier == nil && comparison.rightQuantifier == nil
    if isSequence, ![.equal, .notEqual, .in].contains(comparison.operation) {
      throw binder.scope.fail(
        .unsupportedOperator, "Two lists are compared with == or != only", comparison.operatorRange, expected: "==")
    }
  }

  private func fits(_ operand: BoundOperand, _ type: ColumnType) -> Bool {
    guard case .constant(let value) = operand else { return false }
    return value.isNull || TypeChecker.convert(value, to: type) != nil
  }
}

extension BoundOperand {
  var isConstant: Bool {
    switch self {
    case .constant, .constants: true
    default: false
    }
  }
}
