/// Which commits have reached the disk, and who flushes next: a value without threads and clock.
///
/// A commit whose meta page was written without a flush of its own is *late*: the next flush of the file, by whichever writer, makes it
/// durable, and with it all that were written before.
struct FlushQueue {
  /// What a writer whose commit is late does.
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
  /// What the commit that runs makes durable before it writes its own meta page.
  private var covered: UInt64?
  private var isFlushing = false
  private var failure: Int32?

  /// A commit begins; there is one at a time.
  mutating func commitBegan() { covered = written }

  /// It ended.
  ///
  /// - Parameters:
  ///   - transaction: What it made; nil when it failed or had nothing to write, so that it may not have flushed anything.
  ///   - isLate: Whether its meta page waits for the next flush.
  mutating func commitEnded(_ transaction: UInt64?, isLate: Bool) {
    guard let before = covered else { return }
    covered = nil
    guard let transaction else { return }
    written = transaction
    durable = max(durable, isLate ? before : transaction)
  }

  /// What the writer of a late commit is to do now.
  ///
  /// - Parameter isPatient: Whether it still waits for another commit to begin.
  mutating func step(_ transaction: UInt64, isPatient: Bool) -> Step {
    if durable >= transaction { return .done }
    if let failure { return .fail(failure) }
    if isFlushing || covered != nil { return .wait }
    if isPatient { return .waitForCommit }
    isFlushing = true
    return .flush(covering: written)
  }

  /// A writer has flushed all that was written up to a transaction; `result` is zero, or what went wrong.
  mutating func flushed(_ transaction: UInt64, result: Int32) {
    isFlushing = false
    if result == 0 { durable = max(durable, transaction) } else { failure = result }
  }
}
