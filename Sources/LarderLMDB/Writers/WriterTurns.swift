import DequeModule
import LarderLocks

/// The turns of the writer thread: one lent transaction at a time, in the order of asking.
///
/// The thread that began a transaction must end it. If a second one were begun there meanwhile, that thread would wait for
/// itself.
final class WriterTurns: Sendable {
  private struct Waiting {
    let number: UInt64
    let begin: @Sendable () -> Void
  }

  private struct State {
    var isTaken = false
    var waiting: Deque<Waiting> = []
    var nextNumber: UInt64 = 0
  }

  private let state = Lock(State())

  /// Calls `begin` when it is this asker's turn; at once when it is free.
  ///
  /// - Parameter isFirst: Before all who wait.
  func ask(isFirst: Bool, _ begin: @escaping @Sendable () -> Void) -> UInt64 {
    let (number, isNow) = state.withLock { state -> (UInt64, Bool) in
      state.nextNumber += 1
      let isNow = !state.isTaken
      if isNow {
        state.isTaken = true
      } else {
        state.waiting.insert(Waiting(number: state.nextNumber, begin: begin), at: isFirst ? 0 : state.waiting.count)
      }
      return (state.nextNumber, isNow)
    }
    if isNow { begin() }
    return number
  }

  /// True if a caller has the turn.
  var isTaken: Bool { state.withLock { $0.isTaken } }

  /// True if any caller waits for a turn.
  var hasWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

  /// Gives up a turn that has not come yet; false when it has.
  func giveUp(_ number: UInt64) -> Bool {
    let dropped = state.withLock { state -> Waiting? in
      guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
      return state.waiting.remove(at: index)
    }
    return dropped != nil
  }

  /// The turn is over.
  func end() {
    let next = state.withLock { state -> Waiting? in
      let next = state.waiting.popFirst()
      if next == nil { state.isTaken = false }
      return next
    }
    next?.begin()
  }
}
