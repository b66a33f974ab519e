import LarderLocks

/// The threads of an environment's own, each made at its first use.
struct EnvironmentThreads: ~Copyable, Sendable {
  private let writing = Lock<WriterThread?>(nil)
  private let flushing = Lock<WriterThread?>(nil)

  /// Begins, writes and commits for callers that cannot stay on one thread.
  var writer: WriterThread { Self.made(writing, "larder-writer") }

  /// Waits for the flushes of commits whose callers do not wait.
  var flush: WriterThread { Self.made(flushing, "larder-flush") }

  private static func made(_ thread: borrowing Lock<WriterThread?>, _ name: String) -> WriterThread {
    thread.withLock { thread in
      if let thread { return thread }
      let made = WriterThread(name: name)
      thread = made
      return made
    }
  }
}
