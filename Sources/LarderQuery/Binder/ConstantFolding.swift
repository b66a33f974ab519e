import Foundation
import LarderStorage

/// Works out what hangs on constants alone, so that `age > 6 * 7` is a comparison with a constant, for which there are indexes.
enum ConstantFolding {
  static func folded(_ comparison: ComparisonNode, _ dialect: PredicateDialect) -> ComparisonNode {
    guard comparison.left.isComputed || comparison.right.isComputed else { return comparison }
    var result = comparison
    result.left = folded(comparison.left, dialect)
    result.right = folded(comparison.right, dialect)
    return result
  }

  /// Returns the operand with its constant parts computed. A part that cannot be computed is left as it is: binding it says why.
  static func folded(_ operand: OperandNode, _ dialect: PredicateDialect) -> OperandNode {
    switch operand {
    case .keyPath, .constant, .set, .subquery: return operand
    case .arithmetic(let written, let left, let right):
      let (first, second) = (folded(left, dialect), folded(right, dialect))
      guard let a = number(first), let b = number(second) else { return .arithmetic(written, first, second) }
      let value = Arithmetic.apply(NumberOperation(written, dialect), a, b)
      // Nil is what `1 / 0` comes to, and has no type to go on with.
      guard value != .null else { return .arithmetic(written, first, second) }
      return .constant(ConstantNode(.value(value), operand.range))
    case .function(var call):
      call.argument = folded(call.argument, dialect)
      guard case .constant(let constant) = call.argument, case .value(let value) = constant.value,
        let type = value.type,
        let function = try? ExpressionBinder.function(call, { _, _, _ in FunctionFault() }), function.takes(type)
      else { return .function(call) }
      return .constant(ConstantNode(.value(function.apply(value)), call.range))
    }
  }

  private struct FunctionFault: Error {}

  private static func number(_ operand: OperandNode) -> StoredValue? {
    guard case .constant(let constant) = operand, case .value(let value) = constant.value, let type = value.type,
      TypeChecker.isNumeric(type)
    else { return nil }
    return value
  }
}
