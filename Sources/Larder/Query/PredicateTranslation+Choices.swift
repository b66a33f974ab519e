import Foundation
import LarderQuery
import LarderStorage

// Values that depend on conditions: `x ?? y` and `a ? b : c`. The query language has none, so that a comparison of such a value becomes one
// of each alternative under its condition.
extension PredicateTranslation {
  /// A value, and when it is the one.
  struct Alternative {
    let condition: QueryCondition
    let term: Term
  }

  /// The greatest number of alternatives that a term may have; those of both sides of a comparison multiply.
  private static let maximumAlternatives = 64

  /// Returns the condition that holds when the condition made of the chosen alternative does.
  static func chosen(
    _ alternatives: [Alternative], _ make: (Term) throws -> QueryCondition
  ) throws -> QueryCondition {
    .or(try alternatives.map { .and([$0.condition, try make($0.term)]) })
  }

  /// A term as alternatives; one without a condition where there is nothing to choose.
  func alternatives(_ term: Term) -> [Alternative] {
    switch term {
    case .choice(let alternatives): alternatives
    // A constant or a choice that is made of an optional is nil without it.
    case .optional(let isThere, let inner):
      switch inner {
      case .constant, .choice:
        alternatives(inner).map { Alternative(condition: .and([isThere, $0.condition]), term: $0.term) }
          + [Alternative(condition: .not(isThere), term: .constant(.null))]
      default: [Alternative(condition: .and([]), term: inner)]
      }
    default: [Alternative(condition: .and([]), term: term)]
    }
  }

  /// A term that is one of those made of the alternatives of another.
  func each(_ term: Term, _ make: (Term) throws -> Term) throws -> Term {
    let alternatives = alternatives(term)
    if alternatives.count == 1 { return try make(alternatives[0].term) }
    return try Self.choice(
      alternatives.flatMap { outer in
        try self.alternatives(make(outer.term)).map {
          Alternative(condition: .and([outer.condition, $0.condition]), term: $0.term)
        }
      })
  }

  private static func choice(_ alternatives: [Alternative]) throws -> Term {
    try verify(alternatives.count)
    return .choice(alternatives)
  }

  private static func verify(_ count: Int) throws {
    guard count <= maximumAlternatives else {
      throw PredicateError(
        .tooDeep, "A #Predicate has more than \(maximumAlternatives) combinations of what ?? and ? : give")
    }
  }

  /// `condition ? first : second`.
  func choice(_ condition: QueryCondition, _ first: Term, _ second: Term) throws -> Term {
    func under(_ condition: QueryCondition, _ term: Term) -> [Alternative] {
      alternatives(term).map { Alternative(condition: .and([condition, $0.condition]), term: $0.term) }
    }
    return try Self.choice(under(condition, first) + under(.not(condition), second))
  }

  /// `first ?? second`.
  func coalesced(_ first: Term, _ second: Term) throws -> Term {
    switch first {
    case .condition: return first
    case .optional(let isThere, .condition(let condition)):
      return .condition(.or([.and([isThere, condition]), .and([.not(isThere), try self.condition(second)])]))
    case .constant(let value): return value.isNull ? second : first
    case .path, .computed: return try choice(compared(first, .notEqual, .constant(.null)), first, second)
    case .optional(_, .path(let path)): return try coalesced(.path(path), second)
    case .choice, .optional: return try each(first) { try coalesced($0, second) }
    case .range, .elements:
      throw PredicateError(.unsupportedOperator, "?? in a #Predicate needs a value before it")
    }
  }

  /// Returns the condition of a comparison, made for each pair of alternatives.
  func compared(
    _ first: Term, _ operation: ComparisonOperator, _ second: Term, _ options: TextOptions = []
  ) throws -> QueryCondition {
    let (left, right) = (alternatives(first), alternatives(second))
    if left.count == 1, right.count == 1 {
      return try plain(left[0].term, operation, right[0].term, options)
    }
    try Self.verify(left.count * right.count)
    return try Self.chosen(left) { left in
      try Self.chosen(right) { right in try plain(left, operation, right, options) }
    }
  }

  private func plain(
    _ first: Term, _ operation: ComparisonOperator, _ second: Term, _ options: TextOptions
  ) throws -> QueryCondition {
    if case .constant(.value(let a)) = first, case .constant(.value(let b)) = second {
      return ValueTest.compare(a, operation, options, b) ? .and([]) : .or([])
    }
    return .comparison(try operand(first), operation, options, try operand(second))
  }
}

extension PredicateArgument {
  /// True if it is nil.
  fileprivate var isNull: Bool { if case .value(.null) = self { true } else { false } }
}

extension PredicateExpressions.NilCoalesce: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    try translation.coalesced(translation.term(lhs), translation.term(rhs))
  }
}

extension PredicateExpressions.Conditional: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    let condition = try translation.condition(test)
    let (first, second) = (try translation.term(trueBranch), try translation.term(falseBranch))
    guard Output.self == Bool.self else { return try translation.choice(condition, first, second) }
    return .condition(
      .or([
        .and([condition, try translation.condition(first)]),
        .and([.not(condition), try translation.condition(second)]),
      ]))
  }
}
