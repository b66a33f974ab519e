import LarderStorage

/// One observer of a group, as a value: what it was notified of last, and what is ready to be reported.
struct Registration: Sendable {
  /// A state that was computed but not delivered yet.
  struct Ready: Sendable {
    let state: SubjectState
    let snapshot: Snapshot
    let change: ObservedChange?
  }

  /// The part that never changes, so that copies share it.
  private final class Observer: Sendable {
    let subject: ObservationSubject
    let call: @Sendable (ObservationEvent) -> Void

    init(subject: ObservationSubject, call: @escaping @Sendable (ObservationEvent) -> Void) {
      self.subject = subject
      self.call = call
    }
  }

  let id: Int
  private let observer: Observer
  var subject: ObservationSubject { observer.subject }
  var call: @Sendable (ObservationEvent) -> Void { observer.call }
  /// The state that the observer knows; nil before the first delivery.
  private(set) var known: (state: SubjectState, snapshot: Snapshot)?
  private(set) var ready: Ready?
  /// It has been notified of an end: nothing more will come.
  private(set) var hasEnded = false

  init(id: Int, subject: ObservationSubject, call: @escaping @Sendable (ObservationEvent) -> Void) {
    self.id = id
    observer = Observer(subject: subject, call: call)
  }

  var isNew: Bool { known == nil && !hasEnded }

  /// The same without the version it knows, which others keep for it.
  var resting: Registration {
    var copy = self
    copy.known = nil
    return copy
  }

  /// The same of an object that is there, at a version.
  func awake(at snapshot: Snapshot) -> Registration {
    var copy = self
    copy.known = (.object(isAlive: true), snapshot)
    return copy
  }

  /// The same after its last call.
  var ended: Registration {
    var copy = resting
    copy.hasEnded = true
    return copy
  }

  /// The newest moment that anything is known of.
  var newestMoment: Moment { max(known?.snapshot.moment ?? .zero, ready?.snapshot.moment ?? .zero) }

  func needs(_ snapshot: Snapshot) -> Bool {
    !hasEnded && ready?.snapshot !== snapshot && known?.snapshot !== snapshot
  }

  /// Computes the state at a version from what the observer knows; independent of anything that is ready.
  func prepared(for snapshot: Snapshot, summary: (Snapshot) throws -> ChangeSummary) -> Ready {
    do {
      guard let known else {
        let (state, change) = try subject.begin(at: snapshot)
        return Ready(state: state, snapshot: snapshot, change: change)
      }
      let (state, change) = try subject.advance(
        known.state, from: known.snapshot, to: snapshot, try summary(known.snapshot))
      return Ready(state: state, snapshot: snapshot, change: change)
    } catch {
      let state = known?.state ?? .object(isAlive: false)
      return Ready(state: state, snapshot: snapshot, change: .failed(StorageError(observing: error)))
    }
  }

  /// Does what `prepared(for:summary:)` does for a change that few objects are to be looked at for; nil when these do not suffice.
  func quicklyPrepared(
    for snapshot: Snapshot, effort: Int, summary: (Snapshot) throws -> ChangeSummary
  ) -> Ready? {
    guard let known, snapshot.moment >= known.snapshot.moment,
      snapshot.moment.commits(since: known.snapshot.moment) <= effort,
      let (state, change) = try? subject.advance(
        known.state, from: known.snapshot, to: snapshot, summary(known.snapshot), effort: effort)
    else { return nil }
    return Ready(state: state, snapshot: snapshot, change: change)
  }

  /// Keeps a computed state, unless a delivery has overtaken it; whether it does.
  @discardableResult
  mutating func accept(_ computed: Ready, basedOn snapshot: Snapshot?) -> Bool {
    guard known?.snapshot === snapshot else { return false }
    ready = computed
    return true
  }

  /// Moves on to the state computed for the version; the call to make, if there is one.
  mutating func take(at snapshot: Snapshot, silently: Bool = false) -> ObservationEvent? {
    guard let ready, ready.snapshot === snapshot else { return nil }
    let previous = known?.snapshot
    known = (ready.state, snapshot)
    self.ready = nil
    if ready.change?.isLast == true { hasEnded = true }
    // Nothing more will be computed from it: its version is not to be kept.
    if hasEnded { known = nil }
    guard !silently, let change = ready.change else { return nil }
    return ObservationEvent(change: change, snapshot: snapshot, previous: previous, keys: ready.state.keys)
  }
}
