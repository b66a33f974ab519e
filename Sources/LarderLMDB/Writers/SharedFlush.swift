import Dispatch
import Foundation

/// Makes the commits of writers that follow each other durable with fewer flushes (`FlushQueue`).
///
/// A durable commit is two flushes: one of its pages, and one of the meta page that leads to them. Where another writer waits, the meta page
/// is written without its flush, the lock goes to that writer, and the flush of its pages makes this commit durable, too. The writer returns
/// from its commit only then. It waits for the other's commit to begin about as long as a flush takes, and flushes by itself after that, so
/// that what the other does in its transaction does not hold it up. At no time does a meta page lead to pages that were not flushed
/// before it was written.
final class SharedFlush: @unchecked Sendable {
  // Unchecked: everything mutable is guarded by `condition`.
  private let condition = NSCondition()
  private var queue = FlushQueue()
  /// Seconds that a flush took lately.
  private var duration = 0.0

  /// Seconds that a flush takes at least where it is shared: waking the one who waits for it takes about half as long.
  private static let leastDuration = 50e-6
  private static let mostPatience = 0.01

  /// Whether flushes take so long that one saved is worth waiting for.
  var isWorthwhile: Bool { condition.withLock { duration > Self.leastDuration } }

  func commitBegan() { condition.withLock { queue.commitBegan() } }

  /// As `FlushQueue.commitEnded`; `seconds` is how long each flush of the commit took about, nil where that was not measured.
  func commitEnded(_ transaction: UInt64?, isLate: Bool, seconds: Double?) {
    condition.withLock {
      queue.commitEnded(transaction, isLate: isLate)
      if let seconds { duration += (seconds - duration) / 4 }
      condition.broadcast()
    }
  }

  /// Waits until a late commit is durable; `flush` flushes the file. Zero, or what went wrong with a flush.
  func wait(for transaction: UInt64, flush: () -> Int32) -> Int32 {
    condition.lock()
    defer { condition.unlock() }
    let deadline = Date(timeIntervalSinceNow: min(duration, Self.mostPatience))
    var isPatient = true
    while true {
      switch queue.step(transaction, isPatient: isPatient) {
      case .done: return 0
      case .fail(let result): return result
      case .wait: condition.wait()
      case .waitForCommit: isPatient = condition.wait(until: deadline)
      case .flush(let covered):
        condition.unlock()
        let result = flush()
        condition.lock()
        queue.flushed(covered, result: result)
        condition.broadcast()
      }
    }
  }
}
