import Foundation
import LarderQuery
import LarderStorage

/// A node of Foundation's predicates that has a translation.
///
/// Declared beside the conformances: they are found at run time alone, and a linker takes a file out of a static archive only when
/// something refers to a name in it, as the cast to this protocol does.
protocol TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term
}

extension PredicateExpressions.Variable: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    .path(try translation.path(of: key))
  }
}

extension PredicateExpressions.KeyPath: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    if let length = try TextLength.translated(self, translation) { return length }
    if let isEmpty = try EmptyValues.translated(self, translation) { return isEmpty }
    let base = try translation.path(root)
    if let type = Root.Output.self as? ObjectBase.Type {
      let name = QueryNames.shared.name(of: keyPath, Output.self) {
        _KeyPathTrace.names(of: keyPath, from: type).joined(separator: ".")
      }
      return .path(base.appending(name.text, isCollection: name.isCollection))
    }
    if let type = Root.Output.self as? any CountedCollection.Type {
      let count = base.aggregated(.count)
      if keyPath == type.countKeyPath { return .path(count) }
      if keyPath == type.isEmptyKeyPath {
        return .condition(.comparison(.path(count), .equal, [], .constant(.value(.int(0)))))
      }
    }
    throw PredicateError(
      .unsupportedOperator, "A property of \(Root.Output.self) in a #Predicate cannot be turned into a query")
  }
}

extension PredicateExpressions.Value: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    if let range = value as? any ValueRange { return try range.term() }
    return .constant(try PredicateArguments.argument(value))
  }
}

extension PredicateExpressions.NilLiteral: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term { .constant(.null) }
}

/// A collection whose `count` and `isEmpty` can be queried. Their key paths are those of the type itself: the ones of a
/// protocol are others.
private protocol CountedCollection {
  static var countKeyPath: AnyKeyPath { get }
  static var isEmptyKeyPath: AnyKeyPath { get }
}

extension List: CountedCollection {
  fileprivate static var countKeyPath: AnyKeyPath { \List<Element>.count }
  fileprivate static var isEmptyKeyPath: AnyKeyPath { \List<Element>.isEmpty }
}

extension MutableSet: CountedCollection {
  fileprivate static var countKeyPath: AnyKeyPath { \MutableSet<Element>.count }
  fileprivate static var isEmptyKeyPath: AnyKeyPath { \MutableSet<Element>.isEmpty }
}

extension Map: CountedCollection {
  fileprivate static var countKeyPath: AnyKeyPath { \Map<Key, Value>.count }
  fileprivate static var isEmptyKeyPath: AnyKeyPath { \Map<Key, Value>.isEmpty }
}

extension LinkingObjects: CountedCollection {
  fileprivate static var countKeyPath: AnyKeyPath { \LinkingObjects<Element>.count }
  fileprivate static var isEmptyKeyPath: AnyKeyPath { \LinkingObjects<Element>.isEmpty }
}

/// `isEmpty` of texts and data, and `count` and `isEmpty` of the elements that satisfy a condition, in a #Predicate.
private enum EmptyValues {
  /// Nil for any other key path.
  static func translated<Root, Output>(
    _ expression: PredicateExpressions.KeyPath<Root, Output>, _ translation: PredicateTranslation
  ) throws -> PredicateTranslation.Term? {
    switch expression.keyPath as AnyKeyPath {
    case \String.isEmpty: return try isEmpty(expression.root, .string(""), translation)
    case \Data.isEmpty: return try isEmpty(expression.root, .data(Data()), translation)
    default: break
    }
    guard let filtered = Root.Output.self as? any FilteredElements.Type,
      case .elements(let condition) = try translation.term(expression.root)
    else { return nil }
    if expression.keyPath == filtered.countKeyPath { return .computed(.count(condition)) }
    guard expression.keyPath == filtered.isEmptyKeyPath else { return nil }
    return .condition(.comparison(.count(condition), .equal, [], .constant(.value(.int(0)))))
  }

  private static func isEmpty(
    _ expression: any PredicateExpression, _ empty: StoredValue, _ translation: PredicateTranslation
  ) throws -> PredicateTranslation.Term {
    .condition(try translation.compared(translation.term(expression), .equal, .constant(.value(empty))))
  }
}

/// The array that `filter` gives in a predicate.
private protocol FilteredElements {
  static var countKeyPath: AnyKeyPath { get }
  static var isEmptyKeyPath: AnyKeyPath { get }
}

extension Array: FilteredElements {
  fileprivate static var countKeyPath: AnyKeyPath { \[Element].count }
  fileprivate static var isEmptyKeyPath: AnyKeyPath { \[Element].isEmpty }
}

// MARK: - Logic

extension PredicateExpressions.Conjunction: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    .condition(.and([try translation.condition(lhs), try translation.condition(rhs)]))
  }
}

extension PredicateExpressions.Disjunction: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    .condition(.or([try translation.condition(lhs), try translation.condition(rhs)]))
  }
}

extension PredicateExpressions.Negation: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    .condition(.not(try translation.condition(wrapped)))
  }
}

// MARK: - Comparisons

extension PredicateExpressions.Equal: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    try translation.comparison(lhs, .equal, rhs)
  }
}

extension PredicateExpressions.NotEqual: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    try translation.comparison(lhs, .notEqual, rhs)
  }
}

extension PredicateExpressions.Comparison: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    let operation: ComparisonOperator =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: throw PredicateError(.unsupportedOperator, "A comparison of a #Predicate is not known")
      }
    return try translation.comparison(lhs, operation, rhs)
  }
}

// MARK: - Optionals

extension PredicateExpressions.OptionalFlatMap: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    let path = try translation.path(wrapped)
    let term = try translation.binding(variable.key, to: path).term(transform)
    // Without a value a condition does not hold, whatever it says of nil.
    let isThere = QueryCondition.comparison(.path(path), .notEqual, [], .constant(.null))
    guard case .optional(let inner, let made) = term else { return .optional(isThere: isThere, term) }
    return .optional(isThere: .and([isThere, inner]), made)
  }
}

extension PredicateExpressions.ForcedUnwrap: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    try translation.term(inner)
  }
}

// MARK: - Ranges

/// A range as a constant.
private protocol ValueRange {
  func term() throws -> PredicateTranslation.Term
}

extension Range: ValueRange {
  fileprivate func term() throws -> PredicateTranslation.Term {
    .range(
      lower: try PredicateArguments.argument(lowerBound), upper: try PredicateArguments.argument(upperBound),
      includesUpper: false)
  }
}

extension ClosedRange: ValueRange {
  fileprivate func term() throws -> PredicateTranslation.Term {
    .range(
      lower: try PredicateArguments.argument(lowerBound), upper: try PredicateArguments.argument(upperBound),
      includesUpper: true)
  }
}

extension PredicateExpressions.Range: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    .range(lower: try translation.constant(lower), upper: try translation.constant(upper), includesUpper: false)
  }
}

extension PredicateExpressions.ClosedRange: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    .range(lower: try translation.constant(lower), upper: try translation.constant(upper), includesUpper: true)
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    guard case .range(let lower, let upper, let includesUpper) = try translation.term(range) else {
      throw PredicateError(.unsupportedOperator, "The bounds of a range in a #Predicate must be constants")
    }
    let value = try translation.term(element)
    return .condition(
      .and([
        try translation.compared(value, .greaterOrEqual, .constant(lower)),
        try translation.compared(value, includesUpper ? .lessOrEqual : .less, .constant(upper)),
      ]))
  }
}

// MARK: - Collections and text

extension PredicateExpressions.SequenceContains: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    let wanted = try translation.term(element)
    switch try translation.term(sequence) {
    case .path(let collection): return .condition(try translation.compared(.path(collection), .equal, wanted))
    case .constant(.list(let members)):
      return .condition(
        try PredicateTranslation.chosen(translation.alternatives(wanted)) { wanted in
          guard case .constant = wanted else {
            return .comparison(try translation.operand(wanted), .in, [], .set(members))
          }
          return .or(try members.map { try translation.compared(wanted, .equal, .constant($0)) })
        })
    default: throw PredicateError(.unsupportedOperator, "contains in a #Predicate needs a collection")
    }
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    let elements = try translation.path(sequence)
    let matching = try translation.binding(variable.key, to: elements).condition(test)
    return .condition(.comparison(.count(matching), .greater, [], .constant(.value(.int(0)))))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    let elements = try translation.path(sequence)
    let matching = try translation.binding(variable.key, to: elements).condition(test)
    return .condition(.comparison(.count(.not(matching)), .equal, [], .constant(.value(.int(0)))))
  }
}

extension PredicateExpressions.Filter: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    let elements = try translation.path(sequence)
    return .elements(try translation.binding(variable.key, to: elements).condition(filter))
  }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    try translation.text(base, .contains, other)
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatablePredicate {
  func translated(_ translation: PredicateTranslation) throws -> PredicateTranslation.Term {
    try translation.text(base, .beginsWith, prefix)
  }
}

extension PredicateTranslation {
  /// A search in text. In Swift every text holds the empty one, in queries none does.
  fileprivate func text(
    _ base: any PredicateExpression, _ operation: ComparisonOperator, _ other: any PredicateExpression
  ) throws -> Term {
    let needle = try term(other)
    if case .constant(.value(.string(""))) = needle { return .condition(.and([])) }
    return .condition(try compared(try term(base), operation, needle))
  }
}
