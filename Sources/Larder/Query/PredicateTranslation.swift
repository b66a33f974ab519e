import Foundation
import LarderQuery

/// Turns Foundation's `Predicate` into a condition of the query language.
///
/// Nodes of the predicate that conform to `TranslatablePredicate` are understood; any other is an error that names it.
struct PredicateTranslation {
  /// The meaning of a part of the predicate.
  indirect enum Term {
    case path(QueryPath)
    /// A value computed of properties and constants.
    case computed(QueryOperand)
    case constant(PredicateArgument)
    case condition(QueryCondition)
    case range(lower: PredicateArgument, upper: PredicateArgument, includesUpper: Bool)
    /// Elements of a collection that satisfy a condition.
    case elements(QueryCondition)
    /// A term made of a value that may be nil, and the condition that there is one.
    case optional(isThere: QueryCondition, Term)
    /// Values under conditions of which exactly one holds: what `??` and `? :` give.
    case choice([Alternative])
  }

  private var variables: [PredicateExpressions.VariableID: QueryPath] = [:]

  /// The condition of a predicate over the objects of a class. Throws `PredicateError` for what has no translation.
  static func condition<Element>(_ predicate: Predicate<Element>) throws -> QueryCondition {
    var translation = PredicateTranslation()
    translation.variables[predicate.variable.key] = QueryPath()
    return try translation.condition(predicate.expression)
  }

  func term(_ expression: any PredicateExpression) throws -> Term {
    guard let known = expression as? any TranslatablePredicate else {
      let name = "\(type(of: expression))".prefix { $0 != "<" }
      throw PredicateError(
        .unsupportedOperator, "\(name) in a #Predicate cannot be turned into a query. Use where or filter")
    }
    return try known.translated(self)
  }

  func condition(_ expression: any PredicateExpression) throws -> QueryCondition {
    try condition(try term(expression))
  }

  func condition(_ term: Term) throws -> QueryCondition {
    switch term {
    case .condition(let condition): return condition
    case .path(let path): return .flag(path)
    case .constant(.value(.bool(let answer))): return answer ? .and([]) : .or([])
    case .optional(let isThere, let inner): return .and([isThere, try condition(inner)])
    case .choice(let alternatives): return try Self.chosen(alternatives) { try condition($0) }
    case .computed, .constant, .range, .elements:
      throw PredicateError(.typeMismatch, "A condition is needed in a #Predicate")
    }
  }

  func operand(_ expression: any PredicateExpression) throws -> QueryOperand { try operand(try term(expression)) }

  func operand(_ term: Term) throws -> QueryOperand {
    switch term {
    case .path(let path): return .path(path)
    case .computed(let operand): return operand
    case .constant(let value): return .constant(value)
    // Over a nil link a property is nil.
    case .optional(_, let inner): return try operand(inner)
    case .condition, .range, .elements, .choice:
      throw PredicateError(.unsupportedOperator, "Conditions in a #Predicate cannot be compared with each other")
    }
  }

  func path(_ expression: any PredicateExpression) throws -> QueryPath {
    guard case .path(let path) = try term(expression) else {
      throw PredicateError(.unsupportedOperator, "A property is needed in a #Predicate")
    }
    return path
  }

  func constant(_ expression: any PredicateExpression) throws -> PredicateArgument {
    guard case .constant(let value) = try term(expression) else {
      throw PredicateError(.unsupportedOperator, "A value that hangs on no property is needed in a #Predicate")
    }
    return value
  }

  func path(of variable: PredicateExpressions.VariableID) throws -> QueryPath {
    guard let path = variables[variable] else { throw PredicateError(.syntax, "A #Predicate has an unknown variable") }
    return path
  }

  /// The same with one more variable.
  func binding(_ variable: PredicateExpressions.VariableID, to path: QueryPath) -> PredicateTranslation {
    var inner = self
    inner.variables[variable] = path
    return inner
  }

  func comparison(
    _ left: any PredicateExpression, _ operation: ComparisonOperator, _ right: any PredicateExpression
  ) throws -> Term {
    let (first, second) = (try term(left), try term(right))
    if let asked = try asked(first, operation, second) ?? asked(second, operation, first) { return .condition(asked) }
    return .condition(try compared(first, operation, second))
  }

  /// Returns the condition that `condition == true` or `condition != true` asks, the form of conditions after an optional; nil for any other
  /// comparison.
  private func asked(_ side: Term, _ operation: ComparisonOperator, _ other: Term) throws -> QueryCondition? {
    guard case .constant(.value(.bool(let answer))) = other, operation == .equal || operation == .notEqual else {
      return nil
    }
    switch side {
    case .condition(let condition): return answer == (operation == .equal) ? condition : .not(condition)
    case .optional(let isThere, .condition(let condition)):
      let holds = QueryCondition.and([isThere, answer ? condition : .not(condition)])
      return operation == .equal ? holds : .not(holds)
    default: return nil
    }
  }
}
