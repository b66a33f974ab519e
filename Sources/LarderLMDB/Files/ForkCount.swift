import Foundation
import Synchronization

/// The number of times that this process was forked off one that was counting: tells a child from its parent.
///
/// Asking the system for the number of the process is a system call, which would cost several hundredths of a small write transaction.
/// A child made without the C library's `fork` (by `vfork` or `posix_spawn`, which are followed by exec) is not told apart.
package enum ForkCount {
  private static let forks = Atomic<UInt32>(0)
  private static let isCounting: Bool = pthread_atfork(nil, nil, { ForkCount.forks.add(1, ordering: .relaxed) }) == 0

  /// Forks between the process that first asked and this one.
  package static var current: UInt32 {
    precondition(isCounting, "There is no memory to register the handler of forks.")
    return forks.load(ordering: .relaxed)
  }
}
