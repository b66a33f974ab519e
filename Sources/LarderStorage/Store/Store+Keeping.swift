import LarderLMDB

/// Serves callers that keep a store open without using it.
extension Store {
  /// Differs in a process that was forked off this one.
  package static var processMark: UInt32 { ForkCount.current }

  /// True if the path still leads to the file that was opened. A call of the system.
  package var isInPlace: Bool { environment.isInPlace }

  /// True if another writer of this process waits for the write lock.
  package var isWriterAwaited: Bool { environment.isWriterAwaited }

  /// Has a block called when another process wants to use the file alone, as long as the result lives; nil where the system cannot tell.
  ///
  /// - Parameter handler: Called on a thread that must not wait for long, again and again while the other process waits.
  package func watchExclusiveRequests(_ handler: @escaping @Sendable () -> Void) -> (any Sendable)? {
    ExclusiveRequestWatch(of: environment, onRequest: handler)
  }

  /// Waits until the store's own threads have let go of it. At once when they do nothing, and while a transaction is open there.
  @available(*, noasync, message: "waits for the store's threads")
  package func drainThreads() { environment.drainThreads() }
}
