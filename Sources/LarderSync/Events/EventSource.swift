import LarderLocks

/// A value that changes, and those who follow it. Used from any thread; observers are called on the thread that changes the value.
final class EventSource<Element: Sendable>: Sendable {
  /// Takes a value and how many there were before it: of two threads that change the value the later one may be the first to say so.
  fileprivate struct Follower {
    let yield: @Sendable (Element, Int) -> Void
    let finish: @Sendable () -> Void
  }

  fileprivate struct State {
    var value: Element
    var version = 0
    var next = 0
    var followers: [Int: Follower] = [:]

    mutating func add(_ follower: Follower) -> Int {
      next += 1
      followers[next] = follower
      return next
    }
  }

  private let state: Lock<State>

  init(_ value: Element) { state = Lock(State(value: value)) }

  deinit { for follower in state.withLock({ $0.followers.values }) { follower.finish() } }

  /// The newest value.
  var value: Element { state.withLock { $0.value } }

  /// Changes the value and passes it on.
  func send(_ value: Element) { update { $0 = value } }

  /// Changes the value, and passes on what it became.
  func update(_ change: (inout Element) -> Void) {
    let (value, version, followers) = state.withLock { state in
      change(&state.value)
      state.version += 1
      return (state.value, state.version, state.followers.sorted { $0.key < $1.key }.map(\.value))
    }
    for follower in followers { follower.yield(value, version) }
  }

  /// Calls `body` with each new value until `remove`.
  func observe(_ body: @escaping @Sendable (Element) -> Void) -> Int {
    state.withLock { $0.add(Follower(yield: { value, _ in body(value) }, finish: {})) }
  }

  func remove(_ number: Int) { state.withLock { $0.followers[number] = nil } }

  /// Returns the present value and those after it, transformed, each once in a row; values that become nil are left out. Of those that come while a
  /// loop is busy only the newest is kept.
  func stream<Result: Equatable & Sendable>(_ transform: @escaping @Sendable (Element) -> Result?) -> AsyncStream<
    Result
  > {
    let (stream, continuation) = AsyncStream<Result>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let last = Shared<(version: Int, result: Result?)>((-1, nil))
    let follower = Follower { element, version in
      guard let result = transform(element) else { return }
      let isNew = last.value.withLock { last in
        guard version > last.version else { return false }
        defer { last = (version, result) }
        return last.result != result
      }
      if isNew { continuation.yield(result) }
    } finish: {
      continuation.finish()
    }
    let (number, value, version) = state.withLock { ($0.add(follower), $0.value, $0.version) }
    follower.yield(value, version)
    // A loop keeps what it follows.
    continuation.onTermination = { _ in self.remove(number) }
    return stream
  }
}

/// A value under a lock that several closures have.
final class Shared<Value: Sendable>: Sendable {
  let value: Lock<Value>

  init(_ value: Value) { self.value = Lock(value) }
}
