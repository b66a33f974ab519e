/// The rules for who may write what, from the server's configuration.
public protocol WriteRules {
  /// The state that the log keeps of an object for every version, so that queries can be evaluated on it later: the values of queryable properties.
  associatedtype Summary: Sendable

  /// Returns the summary that the log keeps of an object as it is.
  func summary(of state: ObjectState, _ object: ObjectName) -> Summary

  /// Returns the reason why an operation may not be done to an object as it is before it; nil when it may.
  func refusal(of operation: SyncOperation, before state: ObjectState) -> RefusalReason?

  /// Returns true if `refusalAfter` must be called, which costs a copy of what the operation changes.
  func looksAfter(_ operation: SyncOperation) -> Bool

  /// Returns the reason why an operation may not leave an object as it is after it; nil when it may.
  func refusalAfter(_ operation: SyncOperation, _ state: ObjectState) -> RefusalReason?
}

/// Objects whose states the server has read for a batch of commits.
public protocol MergeObjects {
  /// The state of an object, which is changed in place; an unknown one when there is none.
  subscript(object: ObjectName) -> ObjectState { get set }
}
