import LarderSyncProtocol

/// Which objects of a class a user may read, or do something else with.
public enum ReadRule: Hashable, Sendable {
  /// All of them.
  case everything
  /// None.
  case nothing
  /// Those in a query.
  case matching(RuleQuery)

  /// Whether the rule is fulfilled by an object with these values; null means a property that the object does not have.
  public func allows(_ value: (SyncText) -> SyncValue) -> Bool {
    switch self {
    case .everything: true
    case .nothing: false
    case .matching(let rule): rule.query.matches(value)
    }
  }
}
