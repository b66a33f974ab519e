import Foundation

/// The states of a set of subscriptions (Y-2).
public enum SyncSubscriptionState: Equatable, Sendable {
  /// The server has accepted the set, and all its objects are here.
  case complete
  /// The server refused the set. What was in force before stays so, and the next update starts from this set (Y-5).
  case error(any Error)
  /// The set was committed here; its objects are not all here yet.
  case pending
  /// There is a newer set, and this one was not complete before (Y-3).
  case superseded

  public static func == (lhs: SyncSubscriptionState, rhs: SyncSubscriptionState) -> Bool {
    switch (lhs, rhs) {
    case (.complete, .complete), (.pending, .pending), (.superseded, .superseded): return true
    case (.error(let left), .error(let right)):
      let (left, right) = (left as NSError, right as NSError)
      return left.domain == right.domain && left.code == right.code
        && left.localizedDescription == right.localizedDescription
    default: return false
    }
  }
}

extension SyncSubscriptionState {
  /// Makes the state of a set from the state that the store keeps.
  init(_ state: SubscriptionSetState, path: String) {
    switch state {
    case .pending: self = .pending
    case .complete: self = .complete
    case .error(let failure):
      self = .error(
        SyncError.make(
          .invalidFlexibleSyncSubscriptions, failure.message.string, subject: failure.subject?.string, path: path))
    }
  }
}
