import LarderLocks
import Synchronization

/// The sealing of an environment's values: set once, and then read without a lock where it is not set.
struct SealingSlot: ~Copyable, Sendable {
  private let isSet = Atomic<Bool>(false)
  private let sealing = Lock<ValueSealing?>(nil)

  /// Only the first call counts.
  func set(_ made: any ValueCipher) {
    sealing.withLock { $0 = $0 ?? ValueSealing(made) }
    isSet.store(true, ordering: .releasing)
  }

  var value: ValueSealing? { isSet.load(ordering: .acquiring) ? sealing.withLock { $0 } : nil }
}
