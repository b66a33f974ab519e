import LarderLocks

/// An answer that is waited for. The first that is given counts.
final class PendingAnswer: Sendable {
  private enum State {
    case none
    case waiting(CheckedContinuation<StudioResponse, Never>)
    case given(StudioResponse)
    case taken
  }

  private let state = Lock(State.none)

  /// Gives an answer, unless there is one.
  func give(_ response: StudioResponse) {
    let waiter = state.withLock { state -> CheckedContinuation<StudioResponse, Never>? in
      switch state {
      case .none: state = .given(response)
      case .waiting(let waiter):
        state = .taken
        return waiter
      case .given, .taken: break
      }
      return nil
    }
    waiter?.resume(returning: response)
  }

  /// The answer, when it is there. Asked for once.
  var value: StudioResponse {
    get async {
      await withCheckedContinuation { continuation in
        let given = state.withLock { state -> StudioResponse? in
          if case .given(let response) = state {
            state = .taken
            return response
          }
          state = .waiting(continuation)
          return nil
        }
        if let given { continuation.resume(returning: given) }
      }
    }
  }
}
