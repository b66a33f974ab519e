/// Calls that were computed and are to be made, in order of registration. Thousands of observers that get the same share one event.
struct DueCalls: Sendable {
  private struct Call: Sendable {
    let id: Int
    /// The position of its event.
    let event: Int
  }

  private var events: [ObservationEvent] = []
  private var calls: [Call] = []
  /// Calls before this one were made.
  private var next = 0

  var isEmpty: Bool { next == calls.count }

  mutating func removeAll() { self = DueCalls() }

  /// Adds the call of one observer.
  mutating func add(_ event: ObservationEvent, to id: Int) {
    calls.append(Call(id: id, event: events.count))
    events.append(event)
  }

  /// Adds calls of several observers: of each the number, and which of the events it gets.
  mutating func add(_ events: [ObservationEvent], to told: [(id: Int, event: Int)]) {
    let first = self.events.count
    self.events += events
    calls += told.lazy.map { Call(id: $0.id, event: first + $0.event) }
  }

  /// Adds what others are notified of, by the numbers of the observers.
  mutating func add(_ first: DueCalls, _ second: DueCalls) {
    let (firstEvent, secondEvent) = (events.count, events.count + first.events.count)
    events += first.events
    events += second.events
    let added =
      first.calls.map { Call(id: $0.id, event: firstEvent + $0.event) }
      + second.calls.map { Call(id: $0.id, event: secondEvent + $0.event) }
    calls += first.calls.isEmpty || second.calls.isEmpty ? added : added.sorted { $0.id < $1.id }
  }

  /// The next call; nil when all were made.
  mutating func takeNext() -> (id: Int, event: ObservationEvent)? {
    guard next < calls.count else {
      if next > 0 { removeAll() }
      return nil
    }
    let call = calls[next]
    next += 1
    return (call.id, events[call.event])
  }
}
