/// Does an environment's work for callers that do not wait: on threads that it has only meanwhile.
struct EnvironmentThreads: Sendable {
  /// Begins, writes and commits for callers that cannot stay on one thread.
  let writer = WriterThread()

  /// Waits for the flushes of commits whose callers do not wait.
  let flush = WriterThread()
}
