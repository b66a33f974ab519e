/// Who may write what, as the server's configuration says.
public protocol WriteRules {
  /// What the log keeps of an object for every version, so that queries can be asked about it later: the values of queryable properties.
  associatedtype Summary: Sendable

  /// What the log keeps of an object as it is.
  func summary(of state: ObjectState, _ object: ObjectName) -> Summary

  /// Whether an operation may be done to an object as it is before it; a reason when not.
  func refusal(of operation: SyncOperation, before state: ObjectState) -> RefusalReason?

  /// Whether `refusalAfter` must be asked, which costs a copy of what the operation changes.
  func looksAfter(_ operation: SyncOperation) -> Bool

  /// Whether an operation may leave an object as it is after it; a reason when not.
  func refusalAfter(_ operation: SyncOperation, _ state: ObjectState) -> RefusalReason?
}

/// Objects whose states the server has read for a batch of commits.
public protocol MergeObjects {
  /// The state of an object, which is changed in place; an unknown one when there is none.
  subscript(object: ObjectName) -> ObjectState { get set }
}
