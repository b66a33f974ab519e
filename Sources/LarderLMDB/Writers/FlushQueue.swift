/// The commits that have reached the disk, and the next writer to flush: a value without threads and clock.
///
/// A commit whose meta page was written without a flush of its own is *late*: the next flush of the file, by whichever writer, makes it
/// durable, and with it all that were written before.
struct FlushQueue {
  /// The outcome of a commit.
  enum Outcome {
    /// It made a transaction; where it is late, its meta page waits for the next flush.
    case made(UInt64, isLate: Bool)
    /// It had nothing to write, and flushed nothing.
    case unchanged
    /// One of these, one cannot tell which: another process has made newer transactions meanwhile.
    case unclear(UInt64, isLate: Bool)
    /// A write or a flush failed, one cannot tell which.
    case failed
  }

  /// The next step of a writer whose commit is late.
  enum Step: Equatable {
    /// It is durable.
    case done
    /// A flush runs that covers it.
    case wait
    /// Nothing runs: the next commit may begin soon, and its flush would cover it.
    case waitForCommit
    /// The writer flushes, and tells `flushed`.
    case flush(covering: UInt64)
    /// A flush failed: whether it is durable cannot be known any more.
    case fail(Int32)
  }

  /// The newest transaction whose meta page is written.
  private var written: UInt64 = 0
  /// The newest that is durable.
  private var durable: UInt64 = 0
  /// The newest transaction that the running commit makes durable before it writes its own meta page.
  private var covered: UInt64?
  private var isFlushing = false
  /// True if a commit failed: the system may have given up pages of late ones, of whatever process, and reports that to each descriptor once, so that
  /// flushes of later commits prove nothing. It ends with a commit whose own meta page is flushed.
  private var isDoubtful = false
  private var failure: Int32?

  /// True if commits wait for a flush.
  private var hasLate: Bool { durable < written }

  /// True if the next commit changes anything here, also one that is not late.
  var isPending: Bool { hasLate || isDoubtful }

  /// True if the next commit may be late.
  var allowsLate: Bool { !isDoubtful && failure == nil }

  /// A commit failed that did not have to be noted (`isPending`).
  mutating func commitFailed() { isDoubtful = true }

  /// A commit begins; there is one at a time.
  mutating func commitBegan() { covered = written }

  /// It ended.
  mutating func commitEnded(_ outcome: Outcome) {
    guard let before = covered else { return }
    covered = nil
    switch outcome {
    case .made(let transaction, isLate: true):
      written = transaction
      if !isDoubtful { durable = max(durable, before) }
    case .made(let transaction, isLate: false):
      // Its meta page leads to everything of the ones before, too.
      (written, durable) = (transaction, transaction)
      isDoubtful = false
    case .unchanged, .unclear(_, isLate: false): break
    // Says nothing of those before; its writer waits as if it were late.
    case .unclear(let transaction, isLate: true): written = transaction
    case .failed: isDoubtful = true
    }
  }

  /// Returns what the writer of a late commit is to do now.
  ///
  /// - Parameter isPatient: True if it still waits for another commit to begin.
  mutating func step(_ transaction: UInt64, isPatient: Bool) -> Step {
    if durable >= transaction { return .done }
    if let failure { return .fail(failure) }
    if isFlushing || covered != nil { return .wait }
    if isPatient && !isDoubtful { return .waitForCommit }
    isFlushing = true
    return .flush(covering: written)
  }

  /// A writer has flushed all that was written up to a transaction, by a descriptor to which every failure since the first late commit is
  /// reported; `result` is zero, or what went wrong.
  mutating func flushed(_ transaction: UInt64, result: Int32) {
    isFlushing = false
    if result == 0 {
      durable = max(durable, transaction)
    } else {
      failure = result
    }
  }
}
