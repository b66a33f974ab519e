import LarderQuery
import LarderStorage
import LarderSyncProtocol

/// A query that a device subscribes to, or the rule of a role: checked against the server's schema, and asked one object at a time.
///
/// Text is in the language of predicates, its constants in it or given for `%@`. What subscriptions may ask for is less than what local
/// queries may (Y-18). A value; may be used from any thread. Making one parses the text; asking it costs some 100 ns a comparison.
public struct SubscriptionQuery: Sendable {
  private let queried: QueriedClass
  private let bound: BoundPredicate

  /// Checks a query.
  ///
  /// - Parameters:
  ///   - text: The predicate; `TRUEPREDICATE` for all objects.
  ///   - arguments: The values of `%@` in the text, in order.
  ///   - schemaClass: The class in the server's schema.
  ///   - claims: The token's, which rules ask for as `claims.name`; a claim of several values is for IN. Nil where the text is a device's.
  /// - Throws: `SubscriptionQueryError` for text that is no predicate and for what subscriptions cannot ask for.
  public init(
    _ text: SyncText, arguments: [SyncValue] = [], in schemaClass: SchemaClass, claims: [String: [SyncValue]]? = nil
  ) throws(SubscriptionQueryError) {
    let queried = try QueriedClass(schemaClass)
    let className = schemaClass.name.string
    var given: [PredicateArgument] = []
    for argument in arguments {
      guard let value = StoredValue(argument) else {
        throw SubscriptionQueryError(
          .notAllowed, className, nil,
          "Subscriptions to '\(className)' compare with plain values only, not with objects.")
      }
      given.append(.value(value))
    }
    do {
      var node = try PredicateParser.parse(text.string, given)
      if let claims { node = try ClaimSubstitution(className: className, claims: claims).applied(to: node) }
      try SubscriptionRules(queried: queried).check(node)
      bound = try Binder(schema: queried.schema, text: text.string).bind(node, to: QueriedClass.id)
    } catch let error as SubscriptionQueryError {
      throw error
    } catch {
      throw SubscriptionQueryError(.malformed, className, nil, "In a query of '\(className)': \(error)")
    }
    guard ObjectEvaluator.covers(bound) else {
      throw SubscriptionQueryError(
        .notAllowed, className, nil, "Subscriptions to '\(className)' cannot ask for '\(text)'.")
    }
    self.queried = queried
  }

  /// Returns true if an object is in the query.
  ///
  /// - Parameter value: The object's value of a property, by name; null for one that it does not have.
  public func matches(_ value: (SyncText) -> SyncValue) -> Bool {
    withoutActuallyEscaping(value) { ObjectEvaluator(queried: queried, value: $0).matches(bound) }
  }

  /// Conditions that every object of the query fulfils, for a database to narrow what it reads. Objects that fulfil them need not be in
  /// the query.
  public var filter: SubscriptionFilter { FilterBuilder(queried: queried).filter(bound) }
}
