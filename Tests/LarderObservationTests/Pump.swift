import LarderLocks
import LarderStorage

@testable import LarderObservation

/// Work that waits until a test runs it: the observer's background, or an observing side's context.
final class Pump: DeliveryTarget, Sendable {
  private let waiting = Lock<[@Sendable () -> Void]>([])

  func deliver(_ block: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(block) } }

  var count: Int { waiting.withLock { $0.count } }

  /// Runs what waits, and what comes meanwhile.
  func run() {
    while let block = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { block() }
  }
}

/// A realm without objects: a version, observers, and a diary of the calls they get.
///
/// Used by one test on one thread; `Sendable` only because calls are declared so.
final class Side: Sendable {
  let store: Store
  let pump = Pump()
  private let state: Lock<State>

  private struct State {
    var snapshot: Snapshot
    var group: ObservationGroup?
    var diary: [String] = []
    var keys: [String: [ObjectKey]] = [:]
    var autorefresh = true
  }

  init(_ store: Store, _ observer: StoreObserver) throws {
    self.store = store
    let snapshot = try store.snapshot()
    state = Lock(State(snapshot: snapshot))
    let group = observer.makeGroup(at: snapshot.moment, target: pump) { [weak self] in self?.turn() }
    state.withLock { $0.group = group }
  }

  var group: ObservationGroup { state.withLock { $0.group! } }
  var snapshot: Snapshot { state.withLock { $0.snapshot } }
  var autorefresh: Bool {
    get { state.withLock { $0.autorefresh } }
    set { state.withLock { $0.autorefresh = newValue } }
  }

  func note(_ text: String) { state.withLock { $0.diary.append(text) } }

  /// Returns what happened since the last look.
  func diary() -> [String] {
    state.withLock { state in
      defer { state.diary = [] }
      return state.diary
    }
  }

  private func turn() {
    let group = group
    if autorefresh {
      let newest = group.count == 0 ? try? store.snapshot() : group.readySnapshot
      if let ready = newest, ready.moment >= snapshot.moment { move(to: ready, .ready) }
    } else {
      group.deliver(to: snapshot, .initials)
    }
  }

  func move(to target: Snapshot, _ mode: ObservationGroup.Mode) {
    group.deliver(to: target, mode) {
      let isNewer = self.state.withLock { state in
        defer { state.snapshot = target }
        return state.snapshot.moment != target.moment
      }
      if isNewer { self.note("at \(target.version)") }
    }
  }

  /// Does what `Realm.refresh()` does.
  func refresh() throws { move(to: try store.snapshot(), .complete) }

  /// Does what `Realm.write` does: moves to the newest version and delivers, writes, and is at the version it made.
  func write(skipping handles: [ObservationHandle] = [], _ body: (StoreWriter) throws -> Void) throws {
    let writer = try store.beginWrite()
    move(to: writer.base, .complete)
    note("write")
    try body(writer)
    try group.committing {
      try writer.commitWithMoment().moment
    } then: {
      guard let newest = try? store.snapshot() else { return .unreadable }
      state.withLock { $0.snapshot = newest }
      let arrival = OwnArrival.at(newest, isSmall: writer.isSmall)
      return handles.isEmpty ? arrival : arrival.skipping(handles.map(\.id), to: newest)
    }
  }

  /// Observes and notes each call; checks, unless a call may be skipped, that the change set leads to the delivered
  /// keys.
  func observe(
    _ name: String, _ subject: ObservationSubject, checked: Bool = true, then body: @escaping @Sendable () -> Void = {}
  ) -> ObservationHandle {
    group.observe(subject, from: snapshot) { [weak self] event in
      guard let self else { return }
      self.note("\(name) \(self.describe(name, event, checked))")
      body()
    }
  }

  private func describe(_ name: String, _ event: ObservationEvent, _ checked: Bool) -> String {
    let new = event.keys?.keys ?? []
    let old = state.withLock { $0.keys.updateValue(new, forKey: name) } ?? []
    if event.snapshot.version != snapshot.version { return "not at version \(event.snapshot.version)" }
    switch event.change {
    case .initial: return "initial" + (event.keys == nil ? "" : " \(new.count)")
    case .update(let set):
      if checked, event.keys != nil, set.apply(to: old, new: new) != new { return "wrong change set" }
      return "-\(set.deletions) +\(set.insertions) ~\(set.modifications)"
    case .properties(let steps, _): return "columns \(steps.map(\.column.rawValue))"
    case .deleted: return "deleted"
    case .failed(let error): return "failed \(error.code)"
    }
  }
}
