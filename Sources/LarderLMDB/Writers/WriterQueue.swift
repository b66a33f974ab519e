import DequeModule

/// The order of writers: a value without threads and clock.
///
/// Waking a thread takes longer than a small transaction. While the first that waits is being woken, a thread that runs may write before it, so that
/// threads that write one small transaction after another do so in batches, and the disk or processor does not wait for the scheduler. No one is
/// passed by more than `mostPasses` transactions: then the lock stays free until the first that waits has it.
struct WriterQueue<Waiter> {
  /// The number of transactions that may pass the first that waits.
  static var mostPasses: Int { 16 }

  private(set) var isHeld = false
  private(set) var waiting: Deque<Waiter> = []
  /// The number of passes since the first that waits became the first.
  private var passes = 0
  /// True if the first that waits was woken and has not answered.
  private var isWaking = false

  /// A running thread asks; false when it has to wait.
  mutating func enter() -> Bool {
    guard !isHeld else { return false }
    if !waiting.isEmpty {
      guard passes < Self.mostPasses else { return false }
      passes += 1
    }
    isHeld = true
    return true
  }

  /// Waits after all others.
  mutating func join(_ waiter: Waiter) { waiting.append(waiter) }

  /// The first that waits has been woken; false when another was faster, and it waits on.
  mutating func resume() -> Bool {
    isWaking = false
    guard !isHeld, !waiting.isEmpty else { return false }
    waiting.removeFirst()
    passes = 0
    isHeld = true
    return true
  }

  /// The holder has ended.
  ///
  /// - Returns: Who is to be woken.
  mutating func leave() -> Waiter? {
    isHeld = false
    guard !isWaking, let first = waiting.first else { return nil }
    isWaking = true
    return first
  }
}
