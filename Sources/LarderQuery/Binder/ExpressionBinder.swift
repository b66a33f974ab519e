import Foundation
import LarderStorage

/// Binds arithmetic and functions, and comparisons of what they give (Q-75, Q-76).
struct ExpressionBinder {
  let binder: Binder

  private var scope: BindingScope { binder.scope }

  // MARK: - Values

  /// A side of a comparison, or a part of one, with its type.
  func operand(_ node: OperandNode, _ classID: ClassID) throws(PredicateError) -> TypedOperand {
    switch node {
    case .keyPath(let path): return try property(path, classID)
    case .constant(let constant):
      guard case .value(let value) = constant.value else {
        throw scope.fail(
          .typeMismatch, "Nothing can be computed with \(constant.value.kind)", constant.range, expected: "a value")
      }
      return TypedOperand(
        operand: .constant(value), type: value.type, isToMany: false, name: "", range: constant.range)
    case .set(_, let range):
      throw scope.fail(.typeMismatch, "Nothing can be computed with a list", range, expected: "one value")
    case .subquery(let subquery):
      return TypedOperand(
        operand: try binder.countOperand(subquery, classID), type: .int, isToMany: false, isAggregate: true, name: "",
        range: subquery.range)
    case .arithmetic(let operation, let left, let right): return try arithmetic(operation, left, right, node, classID)
    case .function(let call): return try function(call, node, classID)
    }
  }

  private func property(_ path: KeyPathNode, _ classID: ClassID) throws(PredicateError) -> TypedOperand {
    guard !path.isSelf else {
      throw scope.fail(.unsupportedOperator, "SELF can be compared with objects only", path.range)
    }
    let found = try binder.pathOperand(path, classID)
    guard !found.isToMany || scope.dialect == .query else {
      throw scope.fail(
        .quantifier, "'\(path.text)' leads through a collection: compute with one value, such as an aggregate over it",
        path.range, expected: "one value", suggestion: "\(path.components[0].name).@count")
    }
    return found
  }

  private func arithmetic(
    _ operation: ArithmeticOperator, _ left: OperandNode, _ right: OperandNode, _ node: OperandNode, _ classID: ClassID
  ) throws(PredicateError) -> TypedOperand {
    let (first, firstType) = try number(left, classID)
    let (second, secondType) = try number(right, classID)
    guard !first.isToMany || !second.isToMany else {
      throw scope.fail(.quantifier, "Two collections cannot be computed with each other", node.range)
    }
    return TypedOperand(
      operand: .arithmetic(NumberOperation(operation, scope.dialect), first.operand, second.operand),
      type: Arithmetic.type(firstType, secondType), isToMany: first.isToMany || second.isToMany, name: "",
      range: node.range)
  }

  private func number(_ node: OperandNode, _ classID: ClassID) throws(PredicateError) -> (TypedOperand, ColumnType) {
    let found = try operand(node, classID)
    guard let type = found.type, TypeChecker.isNumeric(type) || type == .mixed else {
      throw scope.fail(
        .typeMismatch, "\(Self.what(node, found)); arithmetic takes numbers", node.range, expected: "a number")
    }
    return (found, type)
  }

  private func function(
    _ call: FunctionNode, _ node: OperandNode, _ classID: ClassID
  ) throws(PredicateError) -> TypedOperand {
    let argument = try operand(call.argument, classID)
    let function = try Self.function(call) { scope.fail(.typeMismatch, $0, $1, suggestion: $2) }
    guard let type = argument.type, function.takes(type) else {
      let taken = call.function.takesTimeZone ? "a date" : "text"
      throw scope.fail(
        .typeMismatch, "\(Self.what(call.argument, argument)); \(call.function.rawValue) takes \(taken)",
        call.argument.range, expected: taken)
    }
    return TypedOperand(
      operand: .function(function, argument.operand), type: function.type, isToMany: argument.isToMany, name: "",
      range: node.range)
  }

  /// The function with its time zone, or the error that is made of a message, its place, and a name that was nearly meant.
  static func function<Fault: Error>(
    _ call: FunctionNode, _ fault: (String, SourceRange, String?) -> Fault
  ) throws(Fault) -> ValueFunction {
    guard let zone = call.timeZone else { return ValueFunction(call.function) }
    guard case .value(.string(let name)) = zone.value else {
      throw fault("A time zone is given by its name, not by \(zone.value.kind)", zone.range, nil)
    }
    guard let found = TimeZone(identifier: name) else {
      throw fault(
        "There is no time zone '\(name)'", zone.range, Nearest.name(to: name, among: TimeZone.knownTimeZoneIdentifiers))
    }
    return ValueFunction(call.function, in: found)
  }

  /// `'name' is a String`, for messages.
  private static func what(_ node: OperandNode, _ operand: TypedOperand) -> String {
    let type = operand.type.map { type in
      let name = type == .link ? "object" : type.displayName
      return ("AEIOaeio".contains(name.first ?? " ") ? "an " : "a ") + name
    }
    return "'\(PredicatePrinter.describe(node))' is \(type ?? "nil")"
  }

  // MARK: - Comparisons

  /// A comparison of what is computed. Nil in RQL where a side has several values: then it is compared as any other is there.
  func bind(_ given: ComparisonNode, to classID: ClassID) throws(PredicateError) -> BoundPredicate? {
    let isGroup = given.operation == .in || given.operation == .between
    if scope.dialect == .query, comparesLists(given, isGroup: isGroup) { return nil }
    let comparison = isGroup ? given : Self.withComputedOnTheLeft(given)
    let left = try operand(comparison.left, classID)
    if left.isToMany { return nil }
    guard comparison.quantifier == nil else {
      throw scope.fail(
        .quantifier, "What is computed has one value, and is compared without ANY or NONE", comparison.quantifierRange)
    }
    guard comparison.operation != .text else {
      throw scope.fail(
        .unsupportedOperator, "TEXT searches properties, not what is computed of them", comparison.operatorRange)
    }
    if let type = left.type {
      try binder.types.check(comparison.operation, comparison.options, type, comparison.operatorRange) {
        "\(type.displayName) value '\(PredicatePrinter.describe(comparison.left))'"
      }
    }
    if isGroup { return try bindGroup(comparison, left) }
    let right = try operand(comparison.right, classID)
    if right.isToMany { return nil }
    try check(left, right, comparison)
    let options = comparison.options.union(isForgiving(comparison.operation) ? .matchesEmpty : [])
    return .compare(left.operand, comparison.operation, options, fitted(right, to: left))
  }

  /// Returns true if RQL compares lists, or the elements of one.
  private func comparesLists(_ comparison: ComparisonNode, isGroup: Bool) -> Bool {
    if comparison.quantifier != nil || comparison.rightQuantifier != nil { return true }
    if case .set = comparison.left { return true }
    if case .set = comparison.right { return !isGroup }
    return comparison.operation == .in
  }

  /// In RQL the empty text is found in every text (Q-107).
  private func isForgiving(_ operation: ComparisonOperator) -> Bool {
    scope.dialect == .query && operation.isTextual && operation != .like
  }

  private func bindGroup(
    _ comparison: ComparisonNode, _ left: TypedOperand
  ) throws(PredicateError) -> BoundPredicate? {
    guard case .set(let members, let range) = comparison.right else {
      throw scope.fail(
        .unsupportedOperator, "\(comparison.operation.rawValue) compares what is computed with constants",
        comparison.right.range, expected: "{…} or a list")
    }
    guard comparison.operation == .in || members.count == 2 else {
      throw scope.fail(.typeMismatch, "BETWEEN needs two values, not \(members.count)", range, expected: "{low, high}")
    }
    var values: [BoundOperand] = []
    for member in members {
      let value = try operand(.constant(member), ClassID(rawValue: 0))
      try check(left, value, comparison)
      values.append(fitted(value, to: left))
    }
    if comparison.operation == .in {
      return .or(values.map { .compare(left.operand, .equal, comparison.options, $0) })
    }
    return .and([
      .compare(left.operand, .greaterOrEqual, [], values[0]), .compare(left.operand, .lessOrEqual, [], values[1]),
    ])
  }

  /// Turns `8 < distance / airTime` around, where the operator can be.
  private static func withComputedOnTheLeft(_ comparison: ComparisonNode) -> ComparisonNode {
    guard case .constant = comparison.left, let mirrored = comparison.operation.mirrored else { return comparison }
    var swapped = comparison
    (swapped.left, swapped.right, swapped.operation) = (comparison.right, comparison.left, mirrored)
    return swapped
  }

  private func check(
    _ left: TypedOperand, _ right: TypedOperand, _ comparison: ComparisonNode
  ) throws(PredicateError) {
    guard let type = left.type, let other = right.type, type != .mixed, other != .mixed else { return }
    guard type == other || (TypeChecker.isNumeric(type) && TypeChecker.isNumeric(other)) else {
      throw scope.fail(
        .typeMismatch,
        "'\(PredicatePrinter.describe(comparison.left))' is \(type.displayName), compared with \(other.displayName)",
        right.range, expected: type.displayName)
    }
  }

  /// A constant as the other side has its values, where these are no whole numbers: as a property of the type converts it (Q-36 to Q-41).
  private func fitted(_ side: TypedOperand, to other: TypedOperand) -> BoundOperand {
    guard case .constant(let value) = side.operand, let type = other.type, TypeChecker.isNumeric(type), type != .int
    else { return side.operand }
    // Arithmetic rounds its result to a double; a whole number that it is compared with is rounded the same way.
    if type == .double, case .int(let number) = value { return .constant(.double(Double(number))) }
    return .constant(TypeChecker.convert(value, to: type) ?? value)
  }
}
