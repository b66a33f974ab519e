import Foundation
import LarderStorage

/// A commit that runs on the store's own thread while the Realm's place goes on with other things.
///
/// Readers of the Realm wait for it meanwhile: the Realm shows the new version or, when the commit failed, the one
/// before, and never goes back.
final class BackgroundCommit: @unchecked Sendable {
  // Unchecked: `result`, `spentClasses` and `followers` are guarded by the condition, the rest is set once.
  private let condition = NSCondition()
  private var result: Result<CommitOutcome, any Error>?
  private var followers: [@Sendable () -> Void] = []
  /// Number of the write transaction, and the version it started from.
  let writeNumber: UInt32
  let base: Snapshot

  private let store: Store
  /// What references made within the transaction wait for.
  private let references: WriteOutcome?
  /// Classes whose new keys were lost with the transaction, once it has failed.
  private(set) var spentClasses: Set<ClassID> = []

  init(writeNumber: UInt32, base: Snapshot, _ store: Store, _ references: WriteOutcome?) {
    self.writeNumber = writeNumber
    self.base = base
    self.store = store
    self.references = references
  }

  /// Begins; a writer that belongs to the calling thread is committed at once.
  func start(_ writer: StoreWriter, verifiedBy synchronisation: (any StoreSynchronisation)?) {
    do {
      try synchronisation?.verify(writer)
    } catch {
      writer.cancel()
      return finish(.failure(error), writer.spentClasses)
    }
    if writer.isLent {
      writer.commitInBackground { self.finish($0, $1) }
    } else {
      finish(Result { try writer.commitWithMoment() }, writer.spentClasses)
    }
  }

  private func finish(_ outcome: Result<CommitOutcome, any Error>, _ spent: Set<ClassID>) {
    if let references {
      switch outcome {
      case .success(let made): references.end(committedAs: made.version, try? store.snapshot())
      case .failure: references.end(.cancelled)
      }
    }
    condition.lock()
    spentClasses = spent
    result = outcome
    let calls = followers
    followers = []
    condition.broadcast()
    condition.unlock()
    for call in calls { call() }
  }

  /// Calls the block once it is done, on a thread of the store's.
  func whenDone(_ block: @escaping @Sendable () -> Void) {
    condition.lock()
    let isDone = result != nil
    if !isDone { followers.append(block) }
    condition.unlock()
    if isDone { block() }
  }

  /// Waits for its end: what was committed, or the error.
  func wait() -> Result<CommitOutcome, any Error> {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let result { return result }
      condition.wait()
    }
  }
}
