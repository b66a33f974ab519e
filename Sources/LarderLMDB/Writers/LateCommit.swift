/// A commit that can be read and is durable with the next flush of its file, by whichever writer.
package struct LateCommit: Sendable {
  /// Waits until it is durable; not on the writer thread, nor under the write lock.
  let wait: @Sendable () throws -> Void
  /// Returns the thread on which all but the committing thread wait.
  let thread: @Sendable () -> WriterThread

  /// Calls `done` on the environment's thread for flushes when it is durable, or cannot be. Calls come in the order of asking.
  package func whenDurable(_ done: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    thread().submit { [wait] in done(Result { try wait() }) }
  }
}
