import LarderSyncProtocol

/// A rule that selects the objects of a class that a user may read, or use in another way.
public enum ReadRule: Hashable, Sendable {
  /// All objects.
  case everything
  /// No objects.
  case nothing
  /// The objects in a query.
  case matching(RuleQuery)

  /// Returns true if an object with these values fulfils the rule; null means a property that the object does not have.
  public func allows(_ value: (SyncText) -> SyncValue) -> Bool {
    switch self {
    case .everything: true
    case .nothing: false
    case .matching(let rule): rule.query.matches(value)
    }
  }
}
