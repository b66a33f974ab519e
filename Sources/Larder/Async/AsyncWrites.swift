import DequeModule
import Foundation
import LarderObservation
import LarderStorage

/// The queued writes of one Realm: what waits for the write lock, and commits that run in the background.
///
/// Confined like its Realm.
final class AsyncWrites: WriteQueue {
  private struct Queued {
    let id: AsyncTransactionId
    let block: () -> Void
    let failed: ((any Error) -> Void)?
  }

  private var lastID: AsyncTransactionId = 0
  private var queued: Deque<Queued> = []
  /// The grant of the first queued block.
  private var grant: WriteGrant?
  private var runningCommits = 0
  /// Queued blocks and those of `asyncWrite` that run, or whose commit runs.
  private var runningBlocks = 0
  private var completions: [AsyncTransactionId: ((any Swift.Error)?) -> Void] = [:]
  /// Commits of a group that have ended, and are to be reported with those of the writes that were queued after them.
  private var grouped: Deque<(id: AsyncTransactionId, failure: (any Error)?)> = []
  private var target: (any DeliveryTarget)?
  private(set) var isCompleting = false

  var isBusy: Bool {
    !queued.isEmpty || grant != nil || runningCommits > 0 || runningBlocks > 0 || !grouped.isEmpty
  }

  /// Counts a write of a task until it has ended.
  func blockBegins() { runningBlocks += 1 }
  func blockEnds() { runningBlocks -= 1 }

  private func makeID() -> AsyncTransactionId {
    lastID &+= 1
    return lastID
  }

  // MARK: - Beginning

  func begin(_ core: RealmCore, failed: ((any Error) -> Void)? = nil, _ block: @escaping () -> Void)
    -> AsyncTransactionId
  {
    let id = makeID()
    queued.append(Queued(id: id, block: block, failed: failed))
    askForNext(core)
    return id
  }

  private func askForNext(_ core: RealmCore) {
    guard grant == nil, !queued.isEmpty else { return }
    let target = deliveryTarget(core)
    // Keeps the Realm until its blocks have run.
    let box = UncheckedBox(core)
    let asked = WriteGrant(core.store) {
      let delivery = CancellableDelivery {
        box.value.asyncWrites.runNext(box.value)
      } lost: {
        box.value.asyncWrites.abandon(box.value)
      }
      target.deliver { delivery.run() }
    }
    grant = asked
    core.grants.add(asked)
    asked.ask()
  }

  /// The lock was granted; runs in the Realm's place.
  private func runNext(_ core: RealmCore) {
    guard let asked = grant else { return }
    var failure: (any Error)?
    do {
      // Observers may write here, and so take the lock away: the grant then asks again.
      if let base = asked.base {
        try core.verifySchema(of: base)
        core.catchUp(with: base)
        if !queued.isEmpty { try core.verifyActiveVersions() }
      }
      guard let writer = try asked.take() else { return }
      grant = nil
      core.grants.remove(asked)
      guard let next = queued.popFirst() else { return writer.cancel() }
      core.begin(writer)
      let number = core.writeNumber
      blockBegins()
      next.block()
      if core.isWriting, core.writeNumber == number { core.cancelWrite() }
      blockEnds()
    } catch {
      asked.cancel()
      grant = nil
      core.grants.remove(asked)
      failure = error
    }
    if let failure, let next = queued.popFirst() { fail(next, Realm.Error(failure, path: core.store.path)) }
    askForNext(core)
    // When the last of a group was cancelled, or did not run, no commit of it tells of the others.
    if runningCommits == 0 { completeGroup(core) }
  }

  /// A block cannot run: says so to what waits for its end, or in the log.
  private func fail(_ block: Queued, _ error: Realm.Error) {
    guard let failed = block.failed else {
      return Logger.shared.log(.error, "A queued write did not run: \(error)")
    }
    failed(error)
  }

  // MARK: - Committing

  /// - Parameter isGrouped: It is reported together with the writes that are queued after it.
  func commit(
    _ core: RealmCore, isGrouped: Bool = false, _ completion: (((any Swift.Error)?) -> Void)?
  ) -> AsyncTransactionId {
    let id = makeID()
    let target = deliveryTarget(core)
    let commit = core.commitInBackground(isFollowed: !queued.isEmpty)
    completions[id] = completion
    runningCommits += 1
    let box = UncheckedBox(core)
    commit.whenDone { target.deliver { box.value.asyncWrites.finish(commit, id, isGrouped, box.value) } }
    return id
  }

  private func finish(
    _ commit: BackgroundCommit, _ id: AsyncTransactionId, _ isGrouped: Bool, _ core: RealmCore
  ) {
    runningCommits -= 1
    var failure: (any Error)?
    do { try core.finish(commit) } catch { failure = error }
    grouped.append((id, failure))
    if !isGrouped || queued.isEmpty { tell() }
  }

  /// Tells of the commits that waited for the rest of their group, if there is no more of it.
  private func completeGroup(_ core: RealmCore) {
    guard !grouped.isEmpty, queued.isEmpty else { return }
    tell()
  }

  private func tell() {
    while let (id, failure) = grouped.popFirst() {
      guard let completion = completions.removeValue(forKey: id) else { continue }
      let wasCompleting = isCompleting
      isCompleting = true
      completion(failure)
      isCompleting = wasCompleting
    }
  }

  // MARK: - Taking back

  /// Drops a block that has not run, or the completion of a commit (N-73).
  func cancel(_ id: AsyncTransactionId, _ core: RealmCore) {
    queued.removeAll { $0.id == id }
    completions[id] = nil
    dropIdleGrant(core)
    tellLater(core)
  }

  /// Drops all blocks that have not run.
  func dropQueued(_ core: RealmCore) {
    queued = []
    dropIdleGrant(core)
    tellLater(core)
  }

  /// Reports, in a turn of its own, the commits that waited for queued blocks that will not run.
  private func tellLater(_ core: RealmCore) {
    guard !grouped.isEmpty, queued.isEmpty, runningCommits == 0, let target else { return }
    let box = UncheckedBox(core)
    target.deliver { box.value.asyncWrites.completeGroup(box.value) }
  }

  /// Gives the lock back, for good: the actor or thread that the blocks were to run on has ended, and nothing uses the Realm any more.
  private func abandon(_ core: RealmCore) {
    let (lostGrants, lostBlocks, lostCompletions) = (core.grants.removeAll(), queued, completions)
    (grant, queued, completions, grouped) = (nil, [], [:], [])
    for grant in lostGrants { grant.cancel() }
    if !lostBlocks.isEmpty {
      Logger.shared.log(
        .warn,
        "\(lostBlocks.count) queued write(s) of '\(core.store.path)' never ran: \(core.confinement.text) has ended.")
    }
    // Only now: they may hold the last reference to their Realm.
    withExtendedLifetime((lostBlocks, lostCompletions)) {}
  }

  private func dropIdleGrant(_ core: RealmCore) {
    guard queued.isEmpty, let unused = grant else { return }
    unused.cancel()
    core.grants.remove(unused)
    grant = nil
  }

  /// Returns the target that calls blocks; misuse where nothing calls them.
  private func deliveryTarget(_ core: RealmCore) -> any DeliveryTarget {
    if let target { return target }
    guard let found = core.confinement.target(core.place.queue) else {
      misuse(
        "Async writes need the main thread, a thread whose run loop runs, or a queue- or actor-bound Realm: "
          + "nothing calls their blocks on this thread.")
    }
    target = found
    return found
  }

  /// Misuse where blocks cannot be called.
  func check(_ core: RealmCore) {
    core.checkThread()
    // A child that was forked off has no thread that would grant the lock.
    orMisuse { try core.store.checkProcess() }
    if core.isFrozen { misuse("This Realm is frozen and cannot be written; use thaw().") }
    if core.isReadOnly { misuse("This Realm is read-only and cannot be written.") }
    if isCompleting { misuse("Asynchronous writes cannot be begun or cancelled inside of a completion block.") }
    _ = deliveryTarget(core)
  }
}
