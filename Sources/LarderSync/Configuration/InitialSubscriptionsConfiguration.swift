/// Subscriptions that are made while a store is opened (Y-14).
public final class InitialSubscriptionsConfiguration: Sendable {
  /// Makes them, without `update { }`; a name that is there gets the new query.
  public let callback: @Sendable (SyncSubscriptionSet) -> Void
  /// A Boolean value that says whether the block is called at the first opening in each process, and not only for a new store.
  public let rerunOnOpen: Bool

  /// Subscriptions by a block.
  public init(callback: @escaping @Sendable (SyncSubscriptionSet) -> Void, rerunOnOpen: Bool) {
    self.callback = callback
    self.rerunOnOpen = rerunOnOpen
  }

  /// Subscriptions by a block that is called for a new store only.
  public convenience init(callback: @escaping @Sendable (SyncSubscriptionSet) -> Void) {
    self.init(callback: callback, rerunOnOpen: false)
  }
}
