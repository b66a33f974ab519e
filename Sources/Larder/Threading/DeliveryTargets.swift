import CoreFoundation
import DequeModule
import Dispatch
import Foundation
import LarderLocks
import LarderObservation

/// A serial queue, the main one included.
struct QueueTarget: DeliveryTarget {
  let queue: DispatchQueue

  func deliver(_ block: @escaping @Sendable () -> Void) { queue.async(execute: block) }
}

/// The main queue, and the run loop of the main thread: while a block of the queue runs that loop, the queue starts no other block (F-33).
///
/// Each call is made once, in order, by whichever comes first.
final class MainTarget: DeliveryTarget {
  static let shared = MainTarget()

  private struct State {
    var mail: Deque<@Sendable () -> Void> = []
    /// The loop will look: programs without one are to keep one block of it, not one for each call.
    var isLoopTold = false
  }

  private let state = Lock(State())

  func deliver(_ block: @escaping @Sendable () -> Void) {
    let mustTell = state.withLock { state in
      state.mail.append(block)
      defer { state.isLoopTold = true }
      return !state.isLoopTold
    }
    DispatchQueue.main.async { self.callNext() }
    guard mustTell, let loop = CFRunLoopGetMain() else { return }
    CFRunLoopPerformBlock(loop, kCFRunLoopCommonModes) { self.loopTurns() }
    CFRunLoopWakeUp(loop)
  }

  private func callNext() {
    let next = state.withLock { $0.mail.popFirst() }
    next?()
  }

  private func loopTurns() {
    // What comes meanwhile has the loop turn once more.
    let count = state.withLock { state in
      state.isLoopTold = false
      return state.mail.count
    }
    for _ in 0..<count { callNext() }
  }
}

/// The run loop of a thread. What has not been called when the thread ends is dropped.
final class RunLoopTarget: DeliveryTarget, @unchecked Sendable {
  // Unchecked: performing blocks and waking may be done from any thread; the rest is under the lock.
  private let loop: CFRunLoop
  /// The blocks that are to be called; nil once the thread has ended. Kept here and not by the loop, which would keep them for ever then.
  private let mail = Lock<Deque<@Sendable () -> Void>?>([])

  /// The target of the calling thread; nil when its run loop does not run.
  static var current: RunLoopTarget? {
    guard let loop = CFRunLoopGetCurrent(), CFRunLoopCopyCurrentMode(loop) != nil else { return nil }
    return ThreadEnd.follower { RunLoopTarget(loop) }
  }

  private init(_ loop: CFRunLoop) { self.loop = loop }

  func deliver(_ block: @escaping @Sendable () -> Void) {
    let isOpen = mail.withLock { mail in
      mail?.append(block)
      return mail != nil
    }
    guard isOpen else { return }
    CFRunLoopPerformBlock(loop, kCFRunLoopCommonModes) { [weak self] in self?.callNext() }
    // Performing from another thread does not wake the loop.
    CFRunLoopWakeUp(loop)
  }

  private func callNext() {
    let next = mail.withLock { $0?.popFirst() }
    next?()
  }
}

extension RunLoopTarget: ThreadFollower {
  func threadEnds() {
    // Let go of outside of the lock: what was captured may be the last of its Realm.
    let dropped = mail.withLock { $0.take() }
    withExtendedLifetime(dropped) {}
  }
}

/// An actor. Calls wait in a mailbox that one task at a time empties there, so that they keep their order; they are dropped when the
/// actor has ended.
final class ActorTarget: DeliveryTarget {
  private let reference: ActorReference
  private let mail = Lock<Deque<@Sendable () -> Void>>([])

  init(_ reference: ActorReference) { self.reference = reference }

  func deliver(_ block: @escaping @Sendable () -> Void) {
    let isFirst = mail.withLock { mail in
      mail.append(block)
      return mail.count == 1
    }
    guard isFirst else { return }
    if let actor = reference.actor {
      Task.detached(priority: .userInitiated) { await self.empty(on: actor) }
    } else {
      let dropped = mail.withLock { mail in
        defer { mail = [] }
        return mail
      }
      withExtendedLifetime(dropped) {}
    }
  }

  private func empty(on actor: isolated any Actor) {
    while let block = mail.withLock({ $0.first }) {
      block()
      // Only now: what comes meanwhile finds the mailbox filled and starts no second task.
      let isEmpty = mail.withLock { mail in
        mail.removeFirst()
        return mail.isEmpty
      }
      if isEmpty { return }
    }
  }
}

extension Confinement {
  /// Returns the target that runs calls in this place; nil for a thread whose run loop does not run, and for a block, after which nothing runs.
  func target(_ queue: DispatchQueue?) -> (any DeliveryTarget)? {
    switch self {
    case .main: return MainTarget.shared
    case .queue: return queue.map { QueueTarget(queue: $0) }
    case .thread: return RunLoopTarget.current
    case .actor(let reference): return ActorTarget(reference)
    case .scope, .anywhere: return nil
    }
  }
}
