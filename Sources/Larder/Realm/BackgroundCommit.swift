import Foundation
import LarderStorage

/// A commit that runs on the store's own thread while the Realm's place goes on with other things.
///
/// Readers of the Realm wait for it meanwhile: the Realm shows the new version or, when the commit failed, the one
/// before, and never goes back. They do not wait until it is durable, which it may be with the next write's commit only.
final class BackgroundCommit: @unchecked Sendable {
  // Unchecked: `result`, `spentClasses`, `end` and `followers` are guarded by the condition, the rest is set once.
  private let condition = NSCondition()
  private var result: Result<CommitOutcome, any Error>?
  /// The end of the commit: success once it is durable, or the error that prevents it; nil before that is known.
  private var end: Result<Void, any Error>?
  private var followers: [@Sendable () -> Void] = []
  /// Number of the write transaction, and the version it started from.
  let writeNumber: UInt32
  let base: Snapshot

  private let store: Store
  /// The outcome that references made within the transaction wait for.
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
  ///
  /// - Parameter isFollowed: Whether another write of the same Realm comes soon.
  func start(_ writer: StoreWriter, isFollowed: Bool, verifiedBy synchronisation: (any StoreSynchronisation)?) {
    do {
      try synchronisation?.verify(writer)
    } catch {
      writer.cancel()
      return show(.failure(error), writer.spentClasses)
    }
    if writer.isLent {
      LentWriter(committing: writer).commitInBackground(isFollowed: isFollowed) {
        self.show($0, $1)
      } durable: { error in
        self.finish(error.map { .failure($0) } ?? .success(()))
      }
    } else {
      let made = Result { try writer.commitWithMoment() }
      show(made, writer.spentClasses)
      if case .success = made { finish(.success(())) }
    }
  }

  /// The commit can be read, or has failed.
  private func show(_ outcome: Result<CommitOutcome, any Error>, _ spent: Set<ClassID>) {
    if let references {
      switch outcome {
      case .success(let made): references.end(committedAs: made.version, try? store.snapshot())
      case .failure: references.end(.cancelled)
      }
    }
    condition.lock()
    spentClasses = spent
    result = outcome
    condition.broadcast()
    condition.unlock()
    if case .failure(let error) = outcome { finish(.failure(error)) }
  }

  /// It is durable, or will not be.
  private func finish(_ result: Result<Void, any Error>) {
    condition.lock()
    end = result
    let calls = followers
    followers = []
    condition.unlock()
    for call in calls { call() }
  }

  /// The error of the commit, if it is done and has failed.
  var failure: (any Error)? {
    condition.lock()
    defer { condition.unlock() }
    if case .failure(let error)? = end { return error }
    return nil
  }

  /// Calls the block once it is durable or has failed, on a thread of the store's.
  func whenDone(_ block: @escaping @Sendable () -> Void) {
    condition.lock()
    let isDone = end != nil
    if !isDone { followers.append(block) }
    condition.unlock()
    if isDone { block() }
  }

  /// Waits until it can be read: what was committed, or the error.
  func wait() -> Result<CommitOutcome, any Error> {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let result { return result }
      // A child that was forked off has no thread that would commit it.
      do { try store.checkProcess() } catch { return .failure(error) }
      condition.wait()
    }
  }
}
