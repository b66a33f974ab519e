import Dispatch
import Foundation
import Synchronization

/// Makes the commits of writers that follow each other durable with fewer flushes (`FlushQueue`).
///
/// A durable commit is two flushes: one of its pages, and one of the meta page that leads to them. Where another writer waits, the meta page
/// is written without its flush, the lock goes to that writer, and the flush of its pages makes this commit durable, too. The writer returns
/// from its commit only then. It waits for the other's commit to begin about as long as a flush takes, and flushes by itself after that, so
/// that what the other does in its transaction does not hold it up. At no time does a meta page lead to pages that were not flushed
/// before it was written.
final class SharedFlush: @unchecked Sendable {
  // Unchecked: everything mutable is guarded by `condition`, but for what is atomic.
  private let condition = NSCondition()
  private var queue = FlushQueue()
  /// True if commits wait for a flush, or one has failed: set under the write lock, so that a commit that sees neither need not be noted.
  private let isPending = Atomic<Bool>(false)
  /// Seconds that a flush took lately; 0 before the first.
  private var duration = 0.0
  private let isSlow = Atomic<Bool>(false)
  private let isTimed = Atomic<Bool>(false)
  /// The file's own descriptor for these flushes, from before the first late commit on.
  private var file: FlushedFile?
  private var hasNoFile = false
  private var isChecked = false

  /// Seconds that a flush takes at least where it is shared: waking the one who waits for it takes about half as long.
  private static let leastDuration = 50e-6
  private static let mostPatience = 0.01

  /// True if flushes have taken so long that one saved is worth waiting for.
  var areSlow: Bool { isSlow.load(ordering: .relaxed) }

  /// Returns true if the next commit may leave its last flush to others: flushes are slow, and nothing has failed.
  ///
  /// - Parameter open: Opens a descriptor for the flushes; nil where flushes are not to be shared. Called once.
  func allowsLate(_ open: () -> FlushedFile?) -> Bool {
    condition.withLock {
      guard duration > Self.leastDuration, queue.allowsLate, !hasNoFile else { return false }
      if file == nil { file = open() }
      hasNoFile = file == nil
      if hasNoFile { isSlow.store(false, ordering: .relaxed) }
      return !hasNoFile
    }
  }

  /// A commit begins. False when nothing waits for a flush and it will not be late: `commitEnded` is not called then.
  func commitBegan(isLate: Bool) -> Bool {
    guard isLate || isPending.load(ordering: .acquiring) else { return false }
    condition.withLock { queue.commitBegan() }
    return true
  }

  /// Under the write lock still.
  func commitEnded(_ outcome: FlushQueue.Outcome) {
    condition.withLock {
      queue.commitEnded(outcome)
      isPending.store(queue.isPending, ordering: .releasing)
      condition.broadcast()
    }
  }

  /// A commit that did not have to be noted has failed. Under the write lock still.
  func commitFailed() {
    condition.withLock {
      queue.commitFailed()
      isPending.store(true, ordering: .releasing)
    }
  }

  /// Returns true if a commit is to be timed before which no other writer is known to wait: the first, and one of some.
  func wantsDuration(of transaction: UInt64) -> Bool { transaction % 8 == 0 || !isTimed.load(ordering: .relaxed) }

  /// Notes the approximate duration of each flush of a commit.
  ///
  /// - Parameter isUseful: Returns true if flushes of this file can be shared at all. Called once, when they are slow.
  func noteDuration(_ seconds: Double, isUseful: () -> Bool) {
    condition.withLock {
      duration = duration == 0 ? seconds : duration + (seconds - duration) / 4
      let isSlow = duration > Self.leastDuration
      isTimed.store(true, ordering: .relaxed)
      if isSlow, !isChecked { (isChecked, hasNoFile) = (true, !isUseful()) }
      self.isSlow.store(isSlow && !hasNoFile, ordering: .relaxed)
    }
  }

  /// Waits until a late commit is durable. Zero, or what went wrong with a flush.
  ///
  /// - Parameter isPatient: Whether another commit of this process may begin soon, whose flush would do for this one.
  func wait(for transaction: UInt64, isPatient: Bool) -> Int32 {
    condition.lock()
    defer { condition.unlock() }
    let deadline = Date(timeIntervalSinceNow: min(duration, Self.mostPatience))
    var isPatient = isPatient
    while true {
      switch queue.step(transaction, isPatient: isPatient) {
      case .done: return 0
      case .fail(let result): return result
      case .wait: condition.wait()
      case .waitForCommit: isPatient = condition.wait(until: deadline)
      case .flush(let covered):
        let file = self.file
        condition.unlock()
        let result = file?.flush() ?? EBADF
        condition.lock()
        queue.flushed(covered, result: result)
        isPending.store(queue.isPending, ordering: .releasing)
        condition.broadcast()
      }
    }
  }
}
