import LarderStorage

/// The plan of an engine for a state that does not fit the server's any more, as a program's `ClientResetMode` has it.
package struct ResetPlan: Sendable {
  /// The handling of changes that were not sent.
  package enum Mode: Hashable, Sendable {
    /// They are merged into the server's state.
    case recover
    /// They are given up.
    case discard
    /// They are merged, and given up where that fails.
    case recoverOrDiscard
    /// The engine stops, and the program decides.
    case manual
  }

  /// Runs a reset, which calls what it is given once the store is locked and nothing of it is changed yet.
  package typealias Around = @Sendable (Store, _ reset: (_ locked: () throws -> Void) throws -> Void) throws -> Void

  /// The handling of changes that were not sent.
  package var mode: Mode
  /// Returns true if the program hears now of what happens to a store.
  package var isHeard: @Sendable (Store) -> Bool
  /// Calls the program before and after a reset, on the thread that does it.
  package var around: Around

  package init(
    _ mode: Mode = .recover, isHeard: @escaping @Sendable (Store) -> Bool = { _ in true },
    around: @escaping Around = { _, reset in try reset {} }
  ) {
    self.mode = mode
    self.isHeard = isHeard
    self.around = around
  }
}

/// A client reset, as the program hears of it.
package struct ResetNotice: Hashable, Sendable {
  /// The description of what happened.
  package var cause: String
  /// The copy of the store as it was, or where it will be.
  package var copy: String
  /// True if the store has the server's state already; otherwise the engine is stopped until there is a new store.
  package var isDone: Bool

  package init(cause: String, copy: String, isDone: Bool) {
    self.cause = cause
    self.copy = copy
    self.isDone = isDone
  }
}
