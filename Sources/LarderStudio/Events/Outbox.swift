import LarderLocks

/// Pieces of a stream that wait to be sent. What a page does not take in time becomes one piece that says to read again.
final class Outbox: Sendable {
  private struct State {
    var pieces: [String] = []
    var isEnded = false
    /// True if the page has to read again, because pieces were dropped.
    var isBehind = false
    var waiter: CheckedContinuation<String?, Never>?
  }

  private let state = Lock(State())
  /// Pieces that wait at most.
  static let capacity = 64

  /// Adds a piece.
  func add(_ piece: String) {
    let waiter = state.withLock { state -> CheckedContinuation<String?, Never>? in
      guard !state.isEnded else { return nil }
      if let waiter = state.waiter {
        state.waiter = nil
        return waiter
      }
      state.pieces.append(piece)
      if state.pieces.count > Self.capacity {
        state.pieces = []
        state.isBehind = true
      }
      return nil
    }
    waiter?.resume(returning: piece)
  }

  /// Returns true if pieces were dropped since the last call.
  func takeIsBehind() -> Bool {
    state.withLock { state in
      defer { state.isBehind = false }
      return state.isBehind
    }
  }

  /// The next piece, when there is one; nil at the end.
  func next() async -> String? {
    await withCheckedContinuation { continuation in
      let piece = state.withLock { state -> String?? in
        if state.isEnded { return .some(nil) }
        guard state.pieces.isEmpty else { return .some(state.pieces.removeFirst()) }
        state.waiter = continuation
        return .none
      }
      if let piece { continuation.resume(returning: piece) }
    }
  }

  func end() {
    let waiter = state.withLock { state in
      state.isEnded = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: nil)
  }
}
