import LarderLocks
import LarderStorage

/// The observers of one observing side (one realm on one thread, queue or actor), which all see the same version.
///
/// Change sets are computed in the background, and published all at once for a version. The group then has its target call `turn`;
/// there the owner decides whether to move on, and calls `deliver`, which moves its version and makes the calls. A turn takes what was
/// published and never waits for what is being computed (N-67). Everything may be called from any thread, `deliver` and `skip` only on
/// the target's context.
package final class ObservationGroup: Sendable {
  /// What `deliver` delivers.
  package enum Mode: Sendable {
    /// What was published for the version; nothing when something newer was meanwhile, of which a further turn will tell. What is
    /// missing is left to the background.
    case ready
    /// Everything up to the version, computing what is missing: `refresh()` and `beginWrite` wait for it (N-3).
    case complete
    /// First calls only, at the version the owner stays at (N-6), as far as they were computed for it; the others are left to the
    /// background.
    case initials
  }

  private let observer: StoreObserver
  private let target: any DeliveryTarget
  private let turn: @Sendable () -> Void
  private let shared: Lock<GroupState>
  /// Held while change sets are computed: the background and a waiting owner do not do it twice. Turns never wait for it.
  private let computing = Lock<Void>(())

  init(
    observer: StoreObserver, moment: Moment, target: any DeliveryTarget, turn: @escaping @Sendable () -> Void
  ) {
    self.observer = observer
    self.target = target
    self.turn = turn
    shared = Lock(GroupState(announced: moment))
  }

  // MARK: - Observers

  /// Begins an observation. For collections the first call is `.initial`; it and all others come through `deliver`.
  ///
  /// - Parameter snapshot: For an object: the version at which the observer knows it; changes after it are told.
  package func observe(
    _ subject: ObservationSubject, from snapshot: Snapshot? = nil,
    _ call: @escaping @Sendable (ObservationEvent) -> Void
  ) -> ObservationHandle {
    let id = shared.withLock { shared in
      shared.add { id in
        var registration = Registration(id: id, subject: subject, call: call)
        if case .object = subject, let snapshot {
          registration.accept(
            registration.prepared(for: snapshot) { _ in ChangeSummary(older: 0, newer: 0) }, basedOn: nil)
          _ = registration.take(at: snapshot, silently: true)
        }
        return registration
      }
    }
    observer.wake()
    return ObservationHandle(id: id, group: self)
  }

  func remove(_ id: Int) {
    // The callback's captures are released outside of the lock: they may own other observations.
    let removed = shared.withLock { $0.remove(id) }
    withExtendedLifetime(removed) {}
  }

  /// Number of observers.
  package var count: Int { shared.withLock { $0.count } }

  // MARK: - The owner's own commits

  /// The owner begins to commit. Until `ownerCommitted` a group without observers is not woken for commits of this process:
  /// the owner looks for the newest version itself afterwards.
  ///
  /// - Parameter willFollow: The owner will call `followOwn` then, so that observers are no reason either.
  package func ownerCommits(willFollow: Bool) {
    shared.withLock { shared in
      shared.isOwnerCommitting = true
      shared.willFollowOwn = willFollow
    }
  }

  /// The owner has committed, or failed to (nil). To be called before it looks for the newest version.
  package func ownerCommitted(_ moment: Moment?) {
    shared.withLock { shared in
      shared.isOwnerCommitting = false
      if let moment { shared.announced = max(shared.announced, moment) }
    }
  }

  /// Whether a commit in this process has to be looked at: there are observers, or another than the owner commits.
  var wantsWaking: Bool {
    shared.withLock { !$0.isOwnerCommitting || ($0.isObserved && !$0.willFollowOwn) }
  }

  /// The owner has committed and is at the newest version, of which the observers are to be told in a turn.
  ///
  /// The turn itself computes what a small change means: handing that to the background and waiting for it would cost several times as
  /// much.
  ///
  /// - Parameter isSmall: Whether the commit changed little.
  package func followOwn(_ snapshot: Snapshot, isSmall: Bool) {
    let isObserved = shared.withLock { shared -> Bool in
      shared.ownSnapshot = isSmall && shared.isObserved ? snapshot : nil
      // Nobody moves back to it: it would keep its version until the turn, however many commits come before.
      if let computed = shared.computed, computed.moment < snapshot.moment { shared.computed = nil }
      return shared.isObserved
    }
    guard isObserved else { return }
    if isSmall { scheduleTurn { _ in true } } else { observer.wake() }
  }

  /// The owner has committed, and no reader slot is free to read that: the background goes on trying.
  package func followLater() { observer.wake() }

  /// The objects that a turn may look at for one observer.
  private static let turnEffort = 64

  /// Computes in a turn what the owner's own last commit means; leaves it to the background when that takes long.
  private func computeOwn() {
    guard let snapshot = shared.withLock({ $0.ownSnapshot.take() }) else { return }
    // While the background computes, it does this as well.
    let isComputed = computing.withLockIfAvailable { _ -> Bool in
      var summaries = SummaryCache(snapshot)
      let (known, resting) = shared.withLock { ($0.computed?.moment ?? .zero, $0.resting.snapshot?.moment) }
      var computed = Computed()
      if known <= snapshot.moment {
        if let resting, snapshot.moment.commits(since: resting) > Self.turnEffort { return false }
        do {
          computed.resting = try prepareResting(for: snapshot, &summaries, effort: Self.turnEffort)
        } catch { return false }
      }
      let due = shared.withLock { shared -> [Registration] in
        if (shared.computed?.moment ?? .zero) > snapshot.moment { return [] }
        // A first call means evaluating everything.
        return shared.active.filter { $0.needs(snapshot) && !$0.isNew }
      }
      for registration in due {
        let ready = registration.quicklyPrepared(for: snapshot, effort: Self.turnEffort) {
          try summaries.changes(since: $0)
        }
        guard let ready else { return false }
        computed.observers.append((registration, ready))
      }
      publish(computed, for: snapshot)
      return true
    }
    if isComputed != true { observer.wake() }
  }

  // MARK: - Computing

  private struct Computed {
    var observers: [(registration: Registration, ready: Registration.Ready)] = []
    var resting: RestingObservers.Ready?
  }

  /// Computes what observers will be told at a version; under `computing`.
  ///
  /// - Parameter keepsNewer: What is ready at a newer version stays, for the resting ones.
  private func prepare(
    _ snapshot: Snapshot, keepsNewer: Bool = false,
    only filter: (GroupState, Registration) -> Bool = { _, _ in true }
  ) -> Computed {
    var summaries = SummaryCache(snapshot)
    var computed = Computed()
    let newest = shared.withLock { $0.restingReady?.snapshot.moment ?? .zero }
    if !keepsNewer || newest <= snapshot.moment {
      computed.resting = try? prepareResting(for: snapshot, &summaries)
    }
    let due = shared.withLock { shared in shared.active.filter { $0.needs(snapshot) && filter(shared, $0) } }
    computed.observers = due.map { registration in
      (registration, registration.prepared(for: snapshot) { try summaries.changes(since: $0) })
    }
    return computed
  }

  /// Computes what a version brings the observers that rest; nil for what was computed before, or when they know it.
  private func prepareResting(
    for snapshot: Snapshot, _ summaries: inout SummaryCache, effort: Int? = nil
  ) throws(LinkWalker.TooMany) -> RestingObservers.Ready? {
    let resting = shared.withLock { $0.restingReady?.snapshot === snapshot ? RestingObservers() : $0.resting }
    return try resting.prepared(for: snapshot, effort: effort) { try summaries.changes(since: $0) }
  }

  /// Makes what was computed ready to be told, all at once; under `computing`.
  ///
  /// - Parameter snapshot: The version that this completes; nil when it completes none.
  /// - Returns: False when a delivery has overtaken some of it.
  @discardableResult
  private func publish(_ computed: Computed, for snapshot: Snapshot?) -> Bool {
    shared.withLock { shared in
      var isComplete = computed.resting.map { shared.accept($0) } ?? true
      for (registration, ready) in computed.observers {
        if !shared.accept(ready, for: registration) { isComplete = false }
      }
      if isComplete, let snapshot, shared.isObserved, (shared.computed?.moment ?? .zero) <= snapshot.moment {
        shared.computed = snapshot
      }
      return isComplete
    }
  }

  /// Deliveries that overtake a computation before it is left to the next one.
  private static let mostAttempts = 4

  /// Computes what observers will be told at a version, without asking for a turn.
  func computeReady(for snapshot: Snapshot) {
    if count == 0 { return }
    computing.withLock { _ in
      for _ in 0..<Self.mostAttempts {
        let computed = prepare(snapshot, keepsNewer: true) { shared, registration in
          // What the owner waits for at its own version stays.
          if registration.isNew, let moment = shared.initialMoment, registration.ready?.snapshot.moment == moment {
            return false
          }
          // A turn may have overtaken the background.
          return registration.newestMoment <= snapshot.moment
        }
        if publish(computed, for: snapshot) { return }
      }
      observer.wake()
    }
  }

  /// Computes the first calls at the version the owner stays at, and asks for a turn.
  func computeInitials(at snapshot: Snapshot) {
    computing.withLock { _ in
      _ = publish(prepare(snapshot, keepsNewer: true) { _, registration in registration.isNew }, for: nil)
    }
    scheduleTurn { $0.active.contains { $0.isNew && $0.ready?.snapshot === snapshot } }
  }

  /// Computes in the background and asks for a turn when there is anything new.
  func follow(to snapshot: Snapshot) {
    computeReady(for: snapshot)
    scheduleTurn { shared in
      let isNewer = snapshot.moment > shared.announced
      guard isNewer || shared.hasCalls else { return false }
      if !shared.isTurnScheduled { shared.announced = max(shared.announced, snapshot.moment) }
      return true
    }
  }

  /// Asks for a turn, unless one is on its way or none is needed.
  private func scheduleTurn(_ isNeeded: (inout GroupState) -> Bool) {
    let shouldTurn = shared.withLock { shared -> Bool in
      guard isNeeded(&shared), !shared.isTurnScheduled else { return false }
      shared.isTurnScheduled = true
      return true
    }
    guard shouldTurn else { return }
    target.deliver { [weak self] in
      guard let self else { return }
      self.shared.withLock { $0.isTurnScheduled = false }
      self.computeOwn()
      self.turn()
    }
  }

  // MARK: - Delivering

  /// The newest version that everything was computed for; what a turn moves to. Nil before the first.
  package var readySnapshot: Snapshot? { shared.withLock { $0.computed } }

  /// Makes calls that were begun before, brings the observers to a version, and makes the calls for it.
  ///
  /// - Parameters:
  ///   - snapshot: The version to move to, at or after the owner's; its own for `.initials`.
  ///   - advance: Moves the owner to the version, after the earlier calls and before the new ones.
  package func deliver(to snapshot: Snapshot, _ mode: Mode, advance: () -> Void = {}) {
    makeCalls()
    let isTaken =
      if mode == .complete {
        computing.withLock { _ in
          publish(prepare(snapshot), for: nil)
          return take(snapshot, mode)
        }
      } else {
        take(snapshot, mode)
      }
    guard isTaken else { return }
    advance()
    makeCalls()
  }

  private enum Outcome {
    /// Something newer was published.
    case overtaken
    case complete
    /// Observers wait for the newest version; or new ones for that of an owner which stays where it is.
    case lackingNewest
    case lackingInitials
  }

  /// Moves observers to a version, as far as they are ready; false when something newer was published.
  private func take(_ snapshot: Snapshot, _ mode: Mode) -> Bool {
    let outcome = shared.withLock { shared -> Outcome in
      let isBehind = (shared.computed?.moment ?? .zero) > snapshot.moment
      if isBehind, mode == .ready { return .overtaken }
      let isLacking = shared.take(snapshot, onlyNew: mode == .initials)
      let areInitialsLacking = isLacking && isBehind && mode == .initials
      shared.initialMoment = areInitialsLacking ? snapshot.moment : nil
      shared.announced = max(shared.announced, snapshot.moment)
      if mode == .complete, shared.forgetNewer(than: snapshot) { return .lackingNewest }
      return areInitialsLacking ? .lackingInitials : isLacking ? .lackingNewest : .complete
    }
    switch outcome {
    case .complete: break
    case .lackingInitials: observer.computeInitials(of: self, at: snapshot)
    case .overtaken, .lackingNewest: observer.wake()
    }
    return outcome != .overtaken
  }

  /// Makes the calls that are due, in order of registration. A call may itself get here: then the rest is made inside
  /// of it.
  package func makeCalls() {
    while let (call, event) = shared.withLock({ $0.takeCall() }) { call(event) }
  }

  /// Brings observers to a version without telling them (N-66). They must be at the version right before it.
  package func skip(_ handles: [ObservationHandle], to snapshot: Snapshot) {
    let ids = Set(handles.map(\.id))
    let isOlder = computing.withLock { _ -> Bool in
      shared.withLock { $0.rouse(ids) }
      publish(prepare(snapshot) { ids.contains($1.id) && !$1.isNew }, for: nil)
      return shared.withLock { shared in
        shared.skip(ids, to: snapshot)
        return shared.forgetNewer(than: snapshot)
      }
    }
    if isOlder { observer.wake() }
  }
}
