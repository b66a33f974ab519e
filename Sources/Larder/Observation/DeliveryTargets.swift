import CoreFoundation
import Dispatch
import Foundation
import LarderObservation

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

extension Confinement {
  /// What runs calls in this place; nil for a thread whose run loop does not run.
  func target(_ queue: DispatchQueue?) -> (any DeliveryTarget)? {
    switch self {
    case .main: return QueueTarget(queue: .main)
    case .queue: return queue.map { QueueTarget(queue: $0) }
    case .thread:
      guard let loop = CFRunLoopGetCurrent(), CFRunLoopCopyCurrentMode(loop) != nil else { return nil }
      return RunLoopTarget(loop: loop)
    case .anywhere: return nil
    }
  }
}
