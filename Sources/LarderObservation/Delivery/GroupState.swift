import LarderStorage

/// What an `ObservationGroup` knows, behind its lock: its observers, the calls that are due, and the versions it was brought to.
struct GroupState: Sendable {
  /// The observers that do not rest, in order of registration.
  private(set) var active: [Registration] = []
  private(set) var resting = RestingObservers()
  /// The version up to which nothing happens to the resting ones; nil while nobody has looked.
  private var restingReady: Snapshot?
  private var calls: [(id: Int, event: ObservationEvent)] = []
  /// Calls before this one were made.
  private var nextCall = 0
  private var lastID = 0
  /// The version for which all observers were computed last.
  var computed: Snapshot?
  /// The version the owner stays at, for which first calls were asked for.
  var initialVersion: UInt64?
  var announced: UInt64 = 0
  var isTurnScheduled = false
  /// The owner is committing: it needs no turn for what it does itself.
  var isOwnerCommitting = false
  /// And it will call `followOwn` afterwards.
  var willFollowOwn = false
  /// What the owner committed last, as long as nothing was computed for it.
  var ownSnapshot: Snapshot?

  init(announced: UInt64) { self.announced = announced }

  var count: Int { active.count + resting.count }
  var isObserved: Bool { !active.isEmpty || !resting.isEmpty }

  /// The owner has observers moved to a version in between: what was computed for a newer one is to be computed again, and a turn to
  /// be asked for.
  mutating func forgetNewer(than snapshot: Snapshot) -> Bool {
    guard let newer = computed, newer.version > snapshot.version else { return false }
    computed = nil
    announced = snapshot.version
    return true
  }

  // MARK: - Observers

  /// Registers an observer; its number.
  mutating func add(_ make: (Int) -> Registration) -> Int {
    lastID += 1
    let registration = make(lastID)
    // One that comes after somebody looked at the resting ones was not looked at.
    if restingReady != nil || !resting.add(registration) { active.append(registration) }
    return lastID
  }

  /// Ends an observation: nothing that is due for it is called.
  mutating func remove(_ id: Int) -> Registration? {
    var removed = resting.remove(id)
    if removed == nil, let index = index(of: id) { removed = active.remove(at: index) }
    // Without observers nothing is computed, and no version is to be kept for them.
    if !isObserved {
      (computed, ownSnapshot, restingReady) = (nil, nil, nil)
      calls.removeAll()
      nextCall = 0
    }
    return removed
  }

  /// Where an observer that does not rest is: they are in order of their numbers.
  private func index(of id: Int) -> Int? {
    var (low, high) = (0, active.count)
    while low < high {
      let middle = (low + high) / 2
      if active[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < active.count && active[low].id == id ? low : nil
  }

  // MARK: - Computing

  /// Has the resting observers that a version brings something stop resting.
  ///
  /// - Parameters:
  ///   - known: The version that they know; nothing happens when they know another by now.
  ///   - summary: What changed since; nil when that cannot be said.
  mutating func rouse(for snapshot: Snapshot, from known: Snapshot, _ summary: ChangeSummary?) {
    guard resting.snapshot === known else { return }
    let unknown = ChangeSummary(older: known.version, newer: snapshot.version, isComplete: false)
    let roused = resting.take(changedIn: summary ?? unknown)
    if !roused.isEmpty {
      active += roused
      active.sort { $0.id < $1.id }
    }
    restingReady = snapshot
  }

  /// Keeps what was computed for an observer; false when a delivery has overtaken it.
  mutating func accept(_ ready: Registration.Ready, for registration: Registration) -> Bool {
    guard let index = index(of: registration.id) else { return true }
    return active[index].accept(ready, basedOn: registration.known?.snapshot)
  }

  // MARK: - Delivering

  /// Moves observers to a version, as far as they are ready, with the calls that this brings; whether any lacks what it needs.
  mutating func take(_ snapshot: Snapshot, onlyNew: Bool) -> Bool {
    var isLacking = false
    for index in active.indices where !onlyNew || active[index].isNew {
      if let event = active[index].take(at: snapshot) { calls.append((active[index].id, event)) }
      if active[index].needs(snapshot), !onlyNew || active[index].isNew { isLacking = true }
    }
    if onlyNew { return isLacking }
    if !resting.isEmpty, resting.snapshot !== snapshot {
      if restingReady === snapshot { resting.move(to: snapshot) } else { isLacking = true }
    }
    if resting.isEmpty || resting.snapshot === snapshot { letRest(at: snapshot) }
    return isLacking
  }

  /// Has the observers rest that know a version, have nothing to be told, and wait for changes of one object only.
  private mutating func letRest(at snapshot: Snapshot) {
    restingReady = nil
    guard active.contains(where: { $0.mayRest && $0.known?.snapshot === snapshot }) else { return }
    var kept: [Registration] = []
    for registration in active where registration.known?.snapshot !== snapshot || !resting.add(registration) {
      kept.append(registration)
    }
    active = kept
  }

  /// Moves observers on without telling them.
  mutating func skip(_ ids: Set<Int>, to snapshot: Snapshot) {
    for index in active.indices where ids.contains(active[index].id) && !active[index].isNew {
      _ = active[index].take(at: snapshot, silently: true)
    }
  }

  /// The next call that is due, in order of registration.
  mutating func takeCall() -> (@Sendable (ObservationEvent) -> Void, ObservationEvent)? {
    while nextCall < calls.count {
      let (id, event) = calls[nextCall]
      nextCall += 1
      if let registration = index(of: id).map({ active[$0] }) ?? resting[id] { return (registration.call, event) }
    }
    calls.removeAll()
    nextCall = 0
    return nil
  }
}
