import Foundation

/// Keeps an observation going; it ends when the token goes away or is invalidated, on any thread.
///
/// The token of a Realm (`Realm.observe`) is to be invalidated before it goes; the log has a warning otherwise.
open class NotificationToken: NSObject, @unchecked Sendable {
  // Unchecked: open for subclasses; it has no state of its own.
  public override init() { super.init() }

  /// Ends the observation. From any thread; true if it was active.
  ///
  /// ```swift
  /// token.invalidate()
  /// ```
  ///
  /// Never throws; from any thread. Costs next to nothing.
  @discardableResult
  open func invalidate() -> Bool { false }
}
