import Synchronization

/// The streams that hints go to.
final class HintReaders: Sendable {
  private struct State {
    var continuations: [Int: AsyncStream<Hint>.Continuation] = [:]
    var last = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  /// A reader that has not taken so many loses the oldest.
  private static let buffered = 4096

  func stream() -> AsyncStream<Hint> {
    let (stream, continuation) = AsyncStream<Hint>.makeStream(bufferingPolicy: .bufferingNewest(HintReaders.buffered))
    let number = state.withLock { state -> Int? in
      guard !state.isClosed else { return nil }
      state.last += 1
      state.continuations[state.last] = continuation
      return state.last
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.continuations.removeValue(forKey: number) }
    }
    return stream
  }

  func yield(_ hint: Hint) {
    for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield(hint) }
  }

  func close() {
    let open = state.withLock { state in
      state.isClosed = true
      return Array(state.continuations.values)
    }
    for continuation in open { continuation.finish() }
  }
}
