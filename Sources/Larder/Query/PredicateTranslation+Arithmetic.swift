import Foundation
import LarderQuery

extension PredicateExpressions.Arithmetic: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    let operation: ArithmeticOperator =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      @unknown default: throw PredicateError(.unsupportedOperator, "An operator of a #Predicate is not known")
      }
    return try translation.computed(operation, lhs, rhs)
  }
}

extension PredicateExpressions.FloatDivision: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    try translation.computed(.divide, lhs, rhs)
  }
}

extension PredicateExpressions.IntDivision: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    try translation.computed(.divide, lhs, rhs)
  }
}

extension PredicateExpressions.IntRemainder: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    try translation.computed(.remainder, lhs, rhs)
  }
}

extension PredicateExpressions.UnaryMinus: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    try translation.each(translation.term(wrapped)) { term in
      .computed(.arithmetic(.subtract, .constant(.value(.int(0))), try translation.operand(term)))
    }
  }
}

extension PredicateTranslation {
  fileprivate func computed(
    _ operation: ArithmeticOperator, _ left: any PredicateExpression, _ right: any PredicateExpression
  ) throws -> Term {
    let second = try term(right)
    return try each(term(left)) { left in
      try each(second) { .computed(.arithmetic(operation, try operand(left), try operand($0))) }
    }
  }
}

/// `text.unicodeScalars.count` and `data.count` in a #Predicate.
enum TextLength {
  /// nil for any other key path. Throws for `count` of a text, which counts letters as people see them: queries cannot.
  static func translated<Root, Output>(
    _ expression: PredicateExpressions.KeyPath<Root, Output>, _ translation: PredicateTranslation
  ) throws -> PredicateTranslation.Term? {
    switch expression.keyPath as AnyKeyPath {
    case \Data.count: return try length(of: expression.root, translation)
    case \String.UnicodeScalarView.count:
      guard let scalars = expression.root as? any ScalarsOfText else { return nil }
      return try length(of: scalars.text, translation)
    case \String.count:
      throw PredicateError(
        .unsupportedOperator, "count of a text in a #Predicate cannot be turned into a query. Use unicodeScalars.count")
    default: return nil
    }
  }

  private static func length(
    of expression: any PredicateExpression, _ translation: PredicateTranslation
  ) throws -> PredicateTranslation.Term {
    .computed(.function(.length, try translation.operand(expression), timeZone: nil))
  }
}

/// `text.unicodeScalars`.
private protocol ScalarsOfText {
  var text: any PredicateExpression { get }
}

extension PredicateExpressions.KeyPath: ScalarsOfText where Root.Output == String {
  fileprivate var text: any PredicateExpression { root }
}
