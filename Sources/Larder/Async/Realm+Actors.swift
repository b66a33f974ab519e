import Dispatch
import Foundation
import LarderLocks
import LarderStorage

extension Realm {
  /// The rule by which opening waits for the server. A local Realm has nothing to wait for.
  @frozen
  public enum OpenBehavior: Sendable {
    /// Opening waits for nothing; for the subscriptions and all that the server has; for that until it was there once (Y-15).
    case never, always, once
  }

  /// Opens for the main actor; the work is done elsewhere. Throws `Realm.Error`, and `CancellationError` when the task is
  /// cancelled.
  @MainActor
  public init(
    configuration: Realm.Configuration = .defaultConfiguration, downloadBeforeOpen: Realm.OpenBehavior = .never
  ) async throws {
    self.init(try await BackgroundOpening.open(configuration, .main, downloadBeforeOpen))
  }

  /// Opens for an actor: the Realm, and everything read through it, may be used on this actor only. The work is done elsewhere.
  /// Throws `Realm.Error`, and `CancellationError` when the task is cancelled.
  ///
  /// ```swift
  /// let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
  /// ```
  ///
  /// Costs as `init(configuration:queue:)`, on another thread.
  public init<A>(
    configuration: Realm.Configuration = .defaultConfiguration, actor: A,
    downloadBeforeOpen: Realm.OpenBehavior = .never
  ) async throws where A: Actor {
    self.init(try await BackgroundOpening.open(configuration, .on(actor), downloadBeforeOpen))
  }

  /// Opens for the actor the caller runs on.
  public static func open(
    configuration: Realm.Configuration = .defaultConfiguration, _isolation actor: isolated any Actor = #isolation,
    downloadBeforeOpen: Realm.OpenBehavior = .never
  ) async throws -> Realm {
    Realm(try await BackgroundOpening.open(configuration, .on(actor), downloadBeforeOpen))
  }

  /// Runs a block in a write transaction on the caller's actor, without blocking it: the task is suspended while it waits for
  /// the write lock, and while the commit is written to disk.
  ///
  /// Throws `CancellationError` when the task is cancelled before the block has begun, what the block throws (the transaction is
  /// cancelled then), and `Realm.Error` when a transaction is open already or cannot be begun or committed. Cancelling a task
  /// never touches the write of another. The block may commit or cancel itself. Misuse (E-41): a Realm that belongs neither to
  /// the main thread nor to an actor. Rule N-75.
  ///
  /// ```swift
  /// try await realm.asyncWrite {
  ///   realm.create(Person.self, value: ["id": 9, "name": "Hedy"] as [String: Any])
  /// }
  /// ```
  ///
  /// On the Realm's actor. Costs as `write`, without holding the actor up.
  @discardableResult
  public func asyncWrite<Result>(
    _isolation actor: isolated any Actor = #isolation, _ block: (() throws -> Result)
  ) async throws -> Result {
    core.checkTasks("asyncWrite")
    if core.isFrozen { misuse("This Realm is frozen and cannot be written; use thaw().") }
    if core.configuration.readOnly { misuse("This Realm is read-only and cannot be written.") }
    guard !core.isWriting else {
      throw Realm.Error.make(
        .fail, "A write transaction is already open on this Realm; commit it before asyncWrite.", path: core.store.path)
    }
    try core.verifyActiveVersions()
    try Task.checkCancellation()
    core.asyncWrites.blockBegins()
    defer { core.asyncWrites.blockEnds() }
    core.begin(try await core.acquireWrite(actor))
    let number = core.writeNumber
    let result: Result
    do {
      result = try block()
    } catch {
      if core.isWriting { core.cancelWrite() }
      throw error
    }
    guard core.isWriting, core.writeNumber == number else { return result }
    let commit = core.commitInBackground()
    await withCheckedContinuation { continuation in commit.whenDone { continuation.resume() } }
    try core.finish(commit)
    return result
  }

  /// Moves to the newest version there is at the call, with what observers are to be notified of computed in the background first.
  ///
  /// False when there is nothing newer, in a write transaction, while notifications are delivered, and when the task is
  /// cancelled. Also without autorefresh. Misuse as for `asyncWrite`. Rule R-6.
  @discardableResult
  public func asyncRefresh(_isolation actor: isolated any Actor = #isolation) async -> Bool {
    core.checkTasks("asyncRefresh")
    if core.isFrozen { misuse("Frozen Realms never change.") }
    guard !core.isWriting, !core.observers.isDelivering else { return false }
    let newest = ReaderPatience.orMisuse { try core.store.snapshot() }
    guard core.currentSnapshot().moment < newest.moment, core.canFollow(to: newest) else { return false }
    await core.observers.prepare(for: newest)
    if Task.isCancelled { return false }
    _ = core.refresh()
    return core.currentSnapshot().moment >= newest.moment
  }
}

/// Opens stores away from the place that will use them.
enum BackgroundOpening {
  /// The Realm of a place; opening the file, and bringing it up to date, happens on a thread of the system's.
  static func open(
    _ configuration: Realm.Configuration, _ confinement: Confinement, _ behavior: Realm.OpenBehavior
  ) async throws -> RealmCore {
    try Task.checkCancellation()
    let place = OpenedRealm()
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      DispatchQueue.global(qos: .userInitiated).async {
        place.fill { try RealmRegistry.shared.open(configuration, confinement) }
        continuation.resume()
      }
    }
    let core = try place.take()
    try Task.checkCancellation()
    if let synchronisation = core.synchronisation { try await synchronisation.waitForOpening(behavior) }
    return core
  }
}

/// A holder in which a Realm that was opened elsewhere waits to be taken: nothing else refers to it, so that it closes when its user lets go.
final class OpenedRealm: Sendable {
  private let opened = Lock<Result<RealmCore, any Error>?>(nil)

  @inline(never)
  func fill(_ open: () throws -> RealmCore) {
    let result = Result { try open() }
    opened.withLock { $0 = result }
  }

  /// The part that keeps the opened store level with a server; nil for a local one, and when opening failed.
  var synchronisation: (any StoreSynchronisation)? {
    opened.withLock { opened in
      if case .success(let core)? = opened { core.synchronisation } else { nil }
    }
  }

  /// Replaces the result by an error.
  func fail(_ error: any Error) { opened.withLock { $0 = .failure(error) } }

  /// The Realm, once.
  @inline(never)
  func take() throws -> RealmCore {
    let taken = opened.withLock { $0.take() }
    guard let taken else { misuse("A Realm that was opened in the background is taken once.") }
    return try taken.get()
  }
}
