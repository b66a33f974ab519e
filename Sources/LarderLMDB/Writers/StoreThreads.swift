import Foundation
import LarderLocks

/// The threads that the stores of a process share. Each works for one store at a time, for as long as that has work.
///
/// A thread that has nothing to do waits for the next store that has, at most two seconds and with a few others, and ends. So a process
/// has as many threads as stores that write at the same moment, however many it has open.
final class StoreThreads: Sendable {
  static let shared = StoreThreads()

  /// Threads that wait for work at the same time; more end at once.
  private static let mostIdle = 4
  /// Seconds that a thread waits for work.
  private static let patience = 2.0

  /// A thread that waits.
  private final class Waiting: @unchecked Sendable {
    // Unchecked: `work` is set before the signal and taken after it.
    let signal = DispatchSemaphore(value: 0)
    var work: (@Sendable () -> Void)?
  }

  private struct State {
    /// The one that has waited least is the last, and the first to get work.
    var waiting: [Waiting] = []
    /// The process that the threads are of: a child that was forked off it has none of them.
    var forks = ForkCount.current
  }

  private let state = Lock(State())

  /// Runs a closure on one of the threads, at once.
  func run(_ work: @escaping @Sendable () -> Void) {
    let thread = state.withLock { state -> Waiting? in
      if state.forks != ForkCount.current { state = State() }
      return state.waiting.popLast()
    }
    guard let thread else { return start(work) }
    thread.work = work
    thread.signal.signal()
  }

  private func start(_ work: @escaping @Sendable () -> Void) {
    let thread = Thread { [self] in
      work()
      while let next = next() { next() }
    }
    thread.name = "larder-store"
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Waits for work; nil when the thread is to end.
  private func next() -> (@Sendable () -> Void)? {
    let waiting = Waiting()
    let isWelcome = state.withLock { state in
      guard state.waiting.count < Self.mostIdle else { return false }
      state.waiting.append(waiting)
      return true
    }
    guard isWelcome else { return nil }
    if waiting.signal.wait(timeout: .now() + Self.patience) == .timedOut {
      let isForgotten = state.withLock { state in
        let place = state.waiting.firstIndex { $0 === waiting }
        if let place { state.waiting.remove(at: place) }
        return place != nil
      }
      if isForgotten { return nil }
      // It was chosen in this very moment.
      waiting.signal.wait()
    }
    return waiting.work
  }
}
