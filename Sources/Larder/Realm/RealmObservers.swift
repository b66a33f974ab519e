import Foundation
import LarderObservation
import LarderStorage

/// Everything that observes one Realm, and the delivery of what it is notified of.
final class RealmObservers: @unchecked Sendable {
  // Unchecked: used where its Realm lives; elsewhere it is only passed along.
  /// The Realm, which owns this; nil once it is released. Others refer weakly to this instead of to the Realm.
  unowned(unsafe) var core: RealmCore?
  private(set) var isDelivering = false
  private var isSending = false
  /// A Realm that just moved tells so: nothing may move it again meanwhile.
  private var isTellingChange = false
  var isBusy: Bool { isDelivering || isTellingChange }
  private var group: ObservationGroup?
  private var target: (any DeliveryTarget)?
  private var tokens: [WeakToken] = []
  private var announcedRefresh = Moment.zero
  /// A turn came when nothing could be delivered: another is needed.
  private var hasMissedTurn = false

  private struct WeakToken {
    weak var token: RealmToken?
  }

  // MARK: - The Realm itself

  func add(_ token: RealmToken) {
    tokens.removeAll { $0.token == nil }
    tokens.append(WeakToken(token: token))
  }

  /// Calls the Realm's own observers, unless one of them has brought this about (N-53), but for some (N-66).
  func send(_ notification: Realm.Notification, _ core: RealmCore, except skipped: [NotificationToken] = []) {
    if tokens.isEmpty || isSending { return }
    isSending = true
    isTellingChange = notification == .didChange
    defer { (isSending, isTellingChange) = (false, false) }
    let realm = Realm(core)
    for case let token? in tokens.map(\.token) where !skipped.contains(where: { $0 === token }) {
      token.call(notification, realm)
    }
  }

  // MARK: - Collections and objects

  /// Lets the Realm move on when others commit, where something runs that can tell it.
  func followCommits(_ core: RealmCore) {
    if !core.isFrozen, !core.configuration.readOnly { _ = groupIfPossible(core) }
  }

  /// The group of this Realm's observers; misuse where calls cannot be delivered.
  func group(_ core: RealmCore) -> ObservationGroup {
    guard let group = groupIfPossible(core) else {
      misuse(
        "Nothing delivers notifications on this thread: pass a serial queue with on:, or observe where a run loop runs."
      )
    }
    return group
  }

  private func groupIfPossible(_ core: RealmCore) -> ObservationGroup? {
    if let group { return group }
    guard let target = core.confinement.target(core.place.queue) else { return nil }
    let made = StoreObserver.shared(for: core.store, isShared: core.files == nil).makeGroup(
      at: core.snapshot?.moment ?? (try? core.store.snapshot().moment) ?? .zero, target: target
    ) { [weak self] in self?.turn() }
    group = made
    self.target = target
    return made
  }

  private func turn() {
    if let core = RealmRegistry.shared.owner(of: self) { turn(core) }
  }

  /// The run loop or queue got to this Realm: moves to the newest version and delivers, or only first calls without autorefresh.
  private func turn(_ core: RealmCore) {
    guard !core.isWriting, !isDelivering else { return hasMissedTurn = true }
    guard let group else { return }
    guard group.count > 0 else { return turnUnobserved(core) }
    let current = core.currentSnapshot()
    guard let ready = group.readySnapshot, ready.moment >= current.moment else {
      return deliver(core, group, current, .initials) {}
    }
    if (core.autorefresh && core.canFollow(to: ready)) || ready.moment == current.moment {
      deliver(core, group, ready, .ready) {
        if core.advance(to: ready) { self.send(.didChange, core) }
      }
    } else {
      deliver(core, group, current, .initials) {}
      if !core.autorefresh, announcedRefresh < ready.moment {
        announcedRefresh = ready.moment
        send(.refreshRequired, core)
      }
    }
  }

  /// Asks for the turn that came while the Realm was writing, or was delivering, in a run loop within a call.
  func turnIfMissed(_ core: RealmCore) {
    guard hasMissedTurn, !core.isWriting, !isDelivering else { return }
    hasMissedTurn = false
    target?.deliver { [weak self] in self?.turn() }
  }

  /// Without observers nothing was computed: the Realm only moves on, or says that it could.
  private func turnUnobserved(_ core: RealmCore) {
    guard let current = core.snapshot, let newest = try? core.store.snapshot(), newest.moment > current.moment else {
      return
    }
    if core.autorefresh {
      if core.advance(to: newest) { send(.didChange, core) }
    } else if announcedRefresh < newest.moment {
      announcedRefresh = newest.moment
      send(.refreshRequired, core)
    }
  }

  /// True if the Realm has anyone to call when it moves.
  var haveListeners: Bool { !tokens.isEmpty || isDelivering || (group?.count ?? 0) > 0 }

  /// Returns true if anything in this process observes objects or results of a store, through whatever Realm.
  func isObserved(_ store: Store) -> Bool { StoreObserver.isObserved(store) }

  /// Brackets a commit of the Realm, which `arrive` then brings to the newest version: see `ObservationGroup.committing`.
  func committing(_ commit: () throws -> Moment?, then arrive: () -> OwnArrival) rethrows {
    guard let group else {
      _ = try commit()
      _ = arrive()
      return
    }
    try group.committing(commit, then: arrive)
  }

  /// The Realm begins a commit that ends elsewhere.
  func backgroundCommitBegan() { group?.backgroundCommitBegan() }

  /// Reports the end of that commit; nil when it failed.
  func backgroundCommitEnded(_ moment: Moment?) { group?.backgroundCommitEnded(moment) }

  /// Delivers everything up to the version the Realm is at, before a write begins or a refresh returns (N-3).
  func deliverPending(_ core: RealmCore) {
    guard let group, group.count > 0 else { return }
    deliver(core, group, core.currentSnapshot(), .complete) {}
  }

  /// Suspends until the background has computed what observers will be notified of at a version.
  func prepare(for snapshot: Snapshot) async {
    guard let group, group.count > 0 else { return }
    let observer = StoreObserver.shared(for: snapshot.store)
    await withCheckedContinuation { continuation in
      observer.prepare(group, for: snapshot) { continuation.resume() }
    }
  }

  /// Makes the calls of a delivery that is under way, from inside of one of them, before the Realm moves on (N-65).
  func finishCalls() {
    if isDelivering { group?.makeCalls() }
  }

  private func deliver(
    _ core: RealmCore, _ group: ObservationGroup, _ snapshot: Snapshot, _ mode: ObservationGroup.Mode,
    _ advance: () -> Void
  ) {
    let isNested = isDelivering
    isDelivering = true
    group.deliver(to: snapshot, mode, advance: advance)
    isDelivering = isNested
    turnIfMissed(core)
  }

  func owns(_ token: NotificationToken, _ core: RealmCore) -> Bool {
    switch token {
    case let token as ObservationToken: token.belongs(to: core)
    case let token as RealmToken: token.owner.observers === self
    case let token as AnnouncementToken: token.announcer != nil && token.announcer === core.announcer
    default: false
    }
  }

  /// Returns the handles of these tokens that observe collections and objects.
  func handles(_ tokens: [NotificationToken]) -> [ObservationHandle] {
    tokens.compactMap { ($0 as? ObservationToken)?.handle }
  }
}

extension Realm {
  /// Calls the block after every change of this Realm's version; its own commits synchronously.
  ///
  /// ```swift
  /// let realmToken = realm.observe { notification, realm in
  ///   print(notification, realm)
  /// }
  /// ```
  ///
  /// Misuse on a frozen or read-only Realm, and where nothing delivers calls. Called on the Realm's thread, queue or actor. Costs nothing between
  /// commits.
  public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
    core.checkObservable()
    _ = core.observers.group(core)
    let token = RealmToken(core, block)
    core.observers.add(token)
    return token
  }
}

extension RealmCore {
  /// Misuse where nothing can be observed (N-60).
  func checkObservable() {
    checkThread()
    if isFrozen { misuse("Only live, managed things can be observed; this Realm is frozen.") }
    if configuration.readOnly { misuse("A read-only Realm never changes and cannot be observed.") }
    // What happens from now on is to be reported.
    _ = currentSnapshot()
    if isWriting, hasChanges {
      misuse("Observers must be added before the transaction changes anything, or after the commit.")
    }
  }
}
