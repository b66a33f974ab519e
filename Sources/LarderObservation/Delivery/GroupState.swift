import LarderStorage

/// The state of an `ObservationGroup`, under its lock: its observers, the calls that are due, and the versions it was brought to.
struct GroupState: Sendable {
  /// The observers that do not rest, in order of registration.
  private(set) var active = OrderedObservers()
  private(set) var resting = RestingObservers()
  /// The changes that were computed for the resting ones; new observers do not rest until they are delivered.
  private(set) var restingReady: RestingObservers.Ready?
  private var calls = DueCalls()
  private var lastID = 0
  /// The version that the side was brought to, and those that it waits for.
  var delivery: DeliveryMachine<Snapshot>

  init(announced: Moment) { delivery = DeliveryMachine(announced: announced) }

  var count: Int { active.count + resting.count }
  var isObserved: Bool { !active.isEmpty || !resting.isEmpty }

  // MARK: - Observers

  /// Registers an observer; its number.
  mutating func add(_ make: (Int) -> Registration) -> Int {
    lastID += 1
    let registration = make(lastID)
    // For one that comes after that nothing was computed.
    if restingReady != nil || !resting.add(registration) { active.add(registration) }
    return lastID
  }

  /// Ends an observation: nothing that is due for it is called.
  mutating func remove(_ id: Int) -> Registration? {
    let removed = resting.remove(id) ?? active.remove(id)
    // Without observers nothing is computed, and no version is to be kept for them.
    if !isObserved {
      delivery.observersEnded()
      restingReady = nil
      calls.removeAll()
    }
    return removed
  }

  // MARK: - Computing

  /// Keeps what was computed for the resting observers; false when others have come, or a delivery has overtaken it.
  mutating func accept(_ ready: RestingObservers.Ready) -> Bool {
    guard resting.accepts(ready) else { return false }
    restingReady = ready
    return true
  }

  /// Has observers stop resting, each as it was before.
  mutating func rouse(_ ids: Set<Int>) {
    active.add(ids.compactMap { resting.remove($0) })
    restingReady?.leaveOut(ids)
  }

  /// Keeps what was computed for an observer; false when a delivery has overtaken it.
  mutating func accept(_ ready: Registration.Ready, for registration: Registration) -> Bool {
    active.update(registration.id) { $0.accept(ready, basedOn: registration.known?.snapshot) } ?? true
  }

  /// True if anything that was computed is to be reported.
  var hasCalls: Bool { restingReady?.hasCalls == true || active.contains { $0.ready?.change != nil } }

  // MARK: - Delivering

  /// Moves observers to a version, as far as they are ready, with the calls that this brings; whether any lacks what it needs.
  mutating func take(_ snapshot: Snapshot, onlyNew: Bool) -> Bool {
    var isLacking = false
    var (due, dueResting) = (DueCalls(), DueCalls())
    active.updateEach { registration in
      if onlyNew, !registration.isNew { return }
      if let event = registration.take(at: snapshot) { due.add(event, to: registration.id) }
      if registration.needs(snapshot), !onlyNew || registration.isNew { isLacking = true }
    }
    if onlyNew {
      calls.add(due, dueResting)
      return isLacking
    }
    if !resting.isEmpty, resting.snapshot !== snapshot {
      if let ready = restingReady, ready.snapshot === snapshot {
        let (told, ended) = resting.take(ready)
        dueResting = told
        active.add(ended)
      } else {
        isLacking = true
      }
    }
    calls.add(due, dueResting)
    if resting.isEmpty || resting.snapshot === snapshot { letRest(at: snapshot) }
    return isLacking
  }

  /// Has the observers rest that know a version, have nothing to be notified of, and wait for changes of one object only.
  private mutating func letRest(at snapshot: Snapshot) {
    restingReady = nil
    guard active.contains(where: { $0.mayRest && $0.known?.snapshot === snapshot }) else { return }
    // Taken out meanwhile, so that nothing is copied.
    var others = RestingObservers()
    swap(&others, &resting)
    active.removeAll { $0.known?.snapshot === snapshot && others.add($0) }
    swap(&others, &resting)
  }

  /// Moves observers on without telling them.
  mutating func skip(_ ids: Set<Int>, to snapshot: Snapshot) {
    for id in ids {
      _ = active.update(id) { registration in
        if !registration.isNew { _ = registration.take(at: snapshot, silently: true) }
      }
    }
  }

  /// The next call that is due, in order of registration.
  mutating func takeCall() -> (@Sendable (ObservationEvent) -> Void, ObservationEvent)? {
    while let (id, event) = calls.takeNext() {
      if let call = resting.call(of: id) ?? active[id]?.call { return (call, event) }
    }
    return nil
  }
}
