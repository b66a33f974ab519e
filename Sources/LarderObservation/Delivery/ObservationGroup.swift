import LarderLocks
import LarderStorage

/// The observers of one observing side (one realm on one thread, queue or actor), which all see the same version.
///
/// Change sets are computed in the background, and published all at once for a version. The group then has its target call `turn`;
/// there the owner decides whether to move on, and calls `deliver`, which moves its version and makes the calls. A turn takes what was
/// published and never waits for what is being computed (N-67). Everything may be called from any thread, `deliver` and `skip` only on
/// the target's context.
package final class ObservationGroup: Sendable {
  package typealias Mode = DeliveryMode

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

  deinit {
    let left = shared.withLock { $0.count }
    if left > 0 { observer.store.countObservations(-left) }
  }

  // MARK: - Observers

  /// Begins an observation. For collections the first call is `.initial`; it and all others come through `deliver`.
  ///
  /// - Parameter snapshot: For an object: the version at which the observer knows it; changes after it are reported.
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
    observer.store.countObservations(1)
    observer.wake()
    return ObservationHandle(id: id, group: self)
  }

  func remove(_ id: Int) {
    // The callback's captures are released outside of the lock: they may own other observations.
    let removed = shared.withLock { $0.remove(id) }
    if removed != nil { observer.store.countObservations(-1) }
    withExtendedLifetime(removed) {}
  }

  /// Number of observers.
  package var count: Int { shared.withLock { $0.count } }

  // MARK: - The owner's own commits

  /// Brackets a commit that the owner makes and follows itself: the background is not woken for it, and the observers are notified of it in
  /// the owner's next turn, which computes a small change itself.
  ///
  /// - Parameters:
  ///   - commit: Commits; what it made, or nil for nothing to be notified of.
  ///   - arrive: Brings the owner to the newest version. Not called when `commit` throws.
  package func committing(_ commit: () throws -> Moment?, then arrive: () -> OwnArrival) rethrows {
    shared.withLock { $0.delivery.commitBegan(.following) }
    let moment: Moment?
    do { moment = try commit() } catch {
      shared.withLock { $0.delivery.commitEnded(nil) }
      throw error
    }
    // Before the newest version is looked for: a commit of another side that comes in between must wake the background.
    shared.withLock { $0.delivery.commitEnded(moment) }
    let arrival = arrive()
    if let version = arrival.skippedTo { skip(arrival.skipped, to: version) }
    switch arrival.place {
    case .unchanged: break
    case .unreadable: observer.wake()
    case .at(let snapshot, let isSmall):
      perform(
        shared.withLock { $0.delivery.followed(snapshot, isSmall: isSmall, isObserved: $0.isObserved) }, at: snapshot)
    }
  }

  /// The owner begins a commit that ends elsewhere, with `backgroundCommitEnded`.
  package func backgroundCommitBegan() { shared.withLock { $0.delivery.commitBegan(.inBackground) } }

  /// Notes that the commit ended; nil when it failed.
  package func backgroundCommitEnded(_ moment: Moment?) { shared.withLock { $0.delivery.commitEnded(moment) } }

  /// True if a commit in this process has to be looked at.
  var wantsWaking: Bool { shared.withLock { $0.delivery.wantsWaking(isObserved: $0.isObserved) } }

  /// Does what the machine asks for; not under the lock.
  private func perform(_ action: DeliveryMachine<Snapshot>.Action, at snapshot: Snapshot) {
    switch action {
    case .none: break
    case .wake: observer.wake()
    case .computeInitials: observer.computeInitials(of: self, at: snapshot)
    case .turn:
      target.deliver { [weak self] in
        guard let self else { return }
        self.computeOwn(self.shared.withLock { $0.delivery.turnBegan() })
        self.turn()
      }
    }
  }

  /// The objects that a turn may look at for one observer.
  private static let turnEffort = 64

  /// Computes in a turn what the owner's own last commit means; leaves it to the background when that takes long.
  private func computeOwn(_ snapshot: Snapshot?) {
    guard let snapshot else { return }
    // While the background computes, it does this as well.
    let isComputed = computing.withLockIfAvailable { _ -> Bool in
      var summaries = SummaryCache(snapshot)
      let (known, resting) = shared.withLock { ($0.delivery.computedMoment, $0.resting.snapshot?.moment) }
      var computed = Computed()
      if known <= snapshot.moment {
        if let resting, snapshot.moment.commits(since: resting) > Self.turnEffort { return false }
        do {
          computed.resting = try prepareResting(for: snapshot, &summaries, effort: Self.turnEffort)
        } catch { return false }
      }
      let due = shared.withLock { shared -> [Registration] in
        if shared.delivery.isOvertaken(snapshot) { return [] }
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

  /// Computes what observers will be notified of at a version; under `computing`.
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

  /// Makes what was computed ready to be reported, all at once; under `computing`.
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
      if isComplete, let snapshot { shared.delivery.completed(snapshot, isObserved: shared.isObserved) }
      return isComplete
    }
  }

  /// Deliveries that overtake a computation before it is left to the next one.
  private static let mostAttempts = 4

  /// Computes what observers will be notified of at a version, without asking for a turn.
  func computeReady(for snapshot: Snapshot) {
    if count == 0 { return }
    computing.withLock { _ in
      for _ in 0..<Self.mostAttempts {
        let computed = prepare(snapshot, keepsNewer: true) { shared, registration in
          // What the owner waits for at its own version stays.
          if registration.isNew, let moment = shared.delivery.initialMoment,
            registration.ready?.snapshot.moment == moment
          {
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
    let action = shared.withLock { shared in
      shared.active.contains { $0.isNew && $0.ready?.snapshot === snapshot }
        ? shared.delivery.initialsComputed() : .none
    }
    perform(action, at: snapshot)
  }

  /// Computes in the background and asks for a turn when there is anything new.
  func follow(to snapshot: Snapshot) {
    computeReady(for: snapshot)
    perform(
      shared.withLock { $0.delivery.followedByBackground(snapshot, hasCalls: $0.hasCalls) }, at: snapshot)
  }

  // MARK: - Delivering

  /// The newest version that everything was computed for; what a turn moves to. Nil before the first.
  package var readySnapshot: Snapshot? { shared.withLock { $0.delivery.computed } }

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

  /// Moves observers to a version, as far as they are ready; false when something newer was computed, which a further turn delivers.
  private func take(_ snapshot: Snapshot, _ mode: Mode) -> Bool {
    let action = shared.withLock { shared -> DeliveryMachine<Snapshot>.Action? in
      if mode == .ready, shared.delivery.isOvertaken(snapshot) { return nil }
      let isLacking = shared.take(snapshot, onlyNew: mode == .initials)
      return shared.delivery.taken(snapshot, mode, isLacking: isLacking)
    }
    perform(action ?? .wake, at: snapshot)
    return action != nil
  }

  /// Makes the calls that are due, in order of registration. A call may itself get here: then the rest is made inside
  /// of it.
  package func makeCalls() {
    while let (call, event) = shared.withLock({ $0.takeCall() }) { call(event) }
  }

  /// Brings observers to a version without telling them (N-66). They must be at the version right before it.
  private func skip(_ ids: Set<Int>, to snapshot: Snapshot) {
    let action = computing.withLock { _ in
      shared.withLock { $0.rouse(ids) }
      publish(prepare(snapshot) { ids.contains($1.id) && !$1.isNew }, for: nil)
      return shared.withLock { shared in
        shared.skip(ids, to: snapshot)
        return shared.delivery.skipped(to: snapshot)
      }
    }
    perform(action, at: snapshot)
  }
}
