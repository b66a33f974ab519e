import LarderQuery
import LarderStorage

extension Results {
  /// The class and the condition of results that can be subscribed to: all of a class's objects that satisfy a predicate, in whatever order.
  ///
  /// - Throws: `Realm.Error.subscriptionFailed` for other results (Y-12).
  package func subscribedCondition() throws -> (classID: ClassID, predicate: BoundPredicate?) {
    state.check()
    if let problem = unsubscribable {
      throw Realm.Error.make(
        .subscriptionFailed, "These Results cannot be subscribed to: \(problem). Subscribe to objects(_:), filtered.")
    }
    guard case .objects(let query, _) = state.source else { misuse("These Results hold no objects.") }
    return (query.classID, query.predicate)
  }

  /// The reason why the results cannot be subscribed to; nil for none.
  private var unsubscribable: String? {
    guard !isFrozen else { return "they are frozen" }
    guard case .objects(let query, _) = state.source else { return "they hold values, not objects" }
    guard case .objects = query.source else { return "they are of a list, a set, a map or an inverse" }
    for step in query.steps {
      switch step {
      case .sort, .relevance: continue
      case .distinct: return "distinct(by:) depends on other objects"
      case .limit, .offset, .after, .filter: return "limit and offset depend on other objects"
      }
    }
    return nil
  }

  /// The subscription that was made of these results; shared by their copies.
  package var rememberedSubscription: (any Sendable)? {
    get { state.subscription }
    nonmutating set { state.subscription = newValue }
  }

  /// Results of the same query that remember nothing.
  package func copied() -> Results { Results(ResultsState(state.host, state.source, state.projection)) }
}
