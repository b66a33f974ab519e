/// Tasks that wait for something of an engine.
struct EngineWaiters {
  private var continuations: [Int: CheckedContinuation<Void, any Error>] = [:]
  private var last = 0

  /// A number for a wait.
  mutating func next() -> Int {
    last += 1
    return last
  }

  mutating func add(_ id: Int, _ continuation: CheckedContinuation<Void, any Error>) {
    continuations[id] = continuation
  }

  /// Ends a wait; harmless when it has ended.
  mutating func end(_ id: Int, _ result: Result<Void, any Error>) {
    continuations.removeValue(forKey: id)?.resume(with: result)
  }

  /// Ends all waits.
  ///
  /// - Returns: Their numbers.
  mutating func endAll(_ error: any Error) -> [Int] {
    let ids = continuations.keys.sorted()
    for id in ids { end(id, .failure(error)) }
    return ids
  }
}
