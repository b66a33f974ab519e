import LarderLocks

/// An observation of an engine; ends with `invalidate` or when it is released.
package final class EngineObservation: Sendable {
  private let end: Lock<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) { self.end = Lock(end) }

  deinit { invalidate() }

  /// Ends the observation; harmless when it has ended.
  package func invalidate() {
    let end = self.end.withLock { end in
      defer { end = nil }
      return end
    }
    end?()
  }
}

/// The observers of an engine.
final class EngineObservers: Sendable {
  private struct State {
    var bodies: [Int: @Sendable (EngineEvent) -> Void] = [:]
    var next = 0
  }

  private let state = Lock(State())

  func add(_ body: @escaping @Sendable (EngineEvent) -> Void) -> EngineObservation {
    let number = state.withLock { state in
      state.next += 1
      state.bodies[state.next] = body
      return state.next
    }
    return EngineObservation { [weak self] in self?.state.withLock { $0.bodies[number] = nil } }
  }

  func tell(_ event: EngineEvent) {
    let bodies = state.withLock { state in state.bodies.sorted { $0.key < $1.key }.map(\.value) }
    for body in bodies { body(event) }
  }
}
