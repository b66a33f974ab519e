import Foundation
import LarderLocks
import LarderStorage
import LarderSyncProtocol

/// The subscriptions of one store in this process: reads and changes the record in the file, and says when it changes.
///
/// May be used from any thread. A change holds the store's write lock while its block runs.
final class SubscribedStore: Sendable {
  /// The status that waits observe.
  struct Status: Sendable {
    var record: SubscriptionSetRecord
    /// The error after which nothing more happens.
    var ended: SyncError?
  }

  let store: Store
  let statuses: EventSource<Status>
  /// Called after a new version was committed here.
  let changed: Lock<(@Sendable () -> Void)?> = Lock(nil)
  private let open = Lock<OpenDraft?>(nil)

  private struct OpenDraft {
    let thread: ObjectIdentifier
    var draft: SubscriptionDraft
    var failure: (any Error)?
  }

  init(_ store: Store) throws {
    self.store = store
    statuses = EventSource(Status(record: try SubscriptionSetRecord.newest(in: try store.snapshot()) ?? .init()))
  }

  // MARK: - Reading

  /// The newest set, also when another process made it.
  func newest() throws -> SubscriptionSetRecord {
    try SubscriptionSetRecord.newest(in: try store.snapshot()) ?? SubscriptionSetRecord()
  }

  /// Looks whether the record has changed, and says so.
  func refresh() {
    guard let record = try? newest() else { return }
    statuses.update { if $0.record.version <= record.version { $0.record = record } }
  }

  /// Ends waits with an error, or lets them wait again.
  func end(_ error: SyncError?) { statuses.update { $0.ended = error } }

  /// The set that is being changed by the calling thread; nil where none is.
  var draft: SubscriptionDraft? {
    let thread = ObjectIdentifier(Thread.current)
    return open.withLock { $0?.thread == thread ? $0?.draft : nil }
  }

  // MARK: - Changing

  /// Changes the newest set: runs the block with the write lock held, and commits what differs (Y-1, Y-6).
  ///
  /// - Returns: The newest set, and whether the change made it.
  /// - Throws: What the block throws, what it could not throw, `StorageError`; then nothing has changed. Misuse within itself.
  func update(replacingNames: Bool = false, _ block: () throws -> Void) throws -> (
    record: SubscriptionSetRecord, isNew: Bool
  ) {
    if draft != nil {
      throw Realm.Error.make(
        .fail, "The subscriptions of '\(store.path)' are being changed already: update cannot be nested.",
        path: store.path)
    }
    let writer = try store.beginWrite()
    do {
      let writing = try SyncWriting(writer)
      let before = try SubscriptionSetRecord.newest(in: writing, path: store.path) ?? SubscriptionSetRecord()
      let after = try run(SubscriptionDraft(before.subscriptions, replacesNames: replacingNames), block)
      guard after != before.subscriptions else {
        writer.cancel()
        return (before, false)
      }
      let record = before.changed(to: after)
      try SubscriptionLimits.verify(record)
      try record.write(to: writing)
      try writer.commit()
      statuses.update { if $0.record.version < record.version { $0.record = record } }
      changed.withLock { $0 }?()
      return (record, true)
    } catch {
      writer.cancel()
      throw error
    }
  }

  private func run(_ draft: SubscriptionDraft, _ block: () throws -> Void) throws -> [SubscriptionRecord] {
    open.withLock { $0 = OpenDraft(thread: ObjectIdentifier(Thread.current), draft: draft) }
    defer { open.withLock { $0 = nil } }
    try block()
    let ended = open.withLock { $0 }
    if let failure = ended?.failure { throw failure }
    return ended?.draft.subscriptions ?? draft.subscriptions
  }

  /// Changes the set that the calling thread has open.
  ///
  /// - Throws: `Realm.Error.fail` outside of an update block.
  func edit<Result>(_ change: (inout SubscriptionDraft) throws -> Result) throws -> Result {
    let thread = ObjectIdentifier(Thread.current)
    guard var edited = draft else {
      throw Realm.Error.make(
        .fail, "Subscriptions can be changed in the block of update { } only.", path: store.path)
    }
    let result = try change(&edited)
    open.withLock { if $0?.thread == thread { $0?.draft = edited } }
    return result
  }

  /// Has the update that is open fail at its end; the first failure counts.
  func fail(_ error: any Error) { open.withLock { if $0?.failure == nil { $0?.failure = error } } }

  // MARK: - Waiting

  /// Waits until the newest set is complete, whichever that is by then (Y-4).
  ///
  /// - Throws: `Realm.Error.subscriptionFailed` when the server refuses it, the error of a session that ends, `CancellationError`.
  func waitForCompletion() async throws {
    refresh()
    let settled = statuses.stream { status -> Outcome? in
      switch status.record.state {
      case .complete: .complete
      case .error(let failure): .refused(failure.message.string, failure.subject?.string)
      case .pending: status.ended.map { .ended($0) }
      }
    }
    for await outcome in settled {
      switch outcome {
      case .complete: return
      case .refused(let message, let subject): throw refusal(message, subject)
      case .ended(let error): throw error
      }
    }
    try Task.checkCancellation()
    throw SyncError(.stopped, path: store.path)
  }

  private enum Outcome: Equatable, Sendable {
    case complete
    case refused(String, String?)
    case ended(SyncError)
  }

  private func refusal(_ message: String, _ subject: String?) -> Realm.Error {
    .make(
      .subscriptionFailed, message, path: store.path,
      underlying: SyncError.make(.invalidFlexibleSyncSubscriptions, message, subject: subject, path: store.path))
  }
}

/// The limits of a set.
enum SubscriptionLimits {
  /// - Throws: `Realm.Error.subscriptionFailed` for a set that is too long for any server (Y-18).
  static func verify(_ record: SubscriptionSetRecord) throws {
    let queries = record.subscribe.queries
    do throws(SyncLimitExceeded) {
      try SyncLimit.queries.check(queries.count)
      try SyncLimit.queryBytes.check(queries.reduce(0) { $0 + $1.encoded().count })
    } catch {
      throw Realm.Error.make(.subscriptionFailed, "\(error) Subscribe to fewer and wider ones.")
    }
  }
}
