import CoreFoundation
import Dispatch
import Foundation
import LarderObservation
import Synchronization

/// A serial queue, the main one included.
struct QueueTarget: DeliveryTarget {
  let queue: DispatchQueue

  func deliver(_ block: @escaping @Sendable () -> Void) { queue.async(execute: block) }
}

/// The run loop of a thread.
struct RunLoopTarget: DeliveryTarget, @unchecked Sendable {
  // Unchecked: performing blocks and waking may be done from any thread.
  let loop: CFRunLoop

  func deliver(_ block: @escaping @Sendable () -> Void) {
    CFRunLoopPerformBlock(loop, kCFRunLoopCommonModes, block)
    // Performing from another thread does not wake the loop.
    CFRunLoopWakeUp(loop)
  }
}

/// An actor. Calls wait in a mailbox that one task at a time empties there, so that they keep their order.
final class ActorTarget: DeliveryTarget {
  private let reference: ActorReference
  private let mail = Mutex<[@Sendable () -> Void]>([])

  init(_ reference: ActorReference) { self.reference = reference }

  func deliver(_ block: @escaping @Sendable () -> Void) {
    let isFirst = mail.withLock { mail in
      mail.append(block)
      return mail.count == 1
    }
    guard isFirst, let actor = reference.actor else { return }
    Task.detached(priority: .userInitiated) { await self.empty(on: actor) }
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
  /// What runs calls in this place; nil for a thread whose run loop does not run.
  func target(_ queue: DispatchQueue?) -> (any DeliveryTarget)? {
    switch self {
    case .main: return QueueTarget(queue: .main)
    case .queue: return queue.map { QueueTarget(queue: $0) }
    case .thread:
      guard let loop = CFRunLoopGetCurrent(), CFRunLoopCopyCurrentMode(loop) != nil else { return nil }
      return RunLoopTarget(loop: loop)
    case .actor(let reference): return ActorTarget(reference)
    case .anywhere: return nil
    }
  }
}
