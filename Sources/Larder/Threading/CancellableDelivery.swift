import LarderLocks

/// A call that has to be made somewhere, and notices when it never will be, because that place has ended.
final class CancellableDelivery: Sendable {
  private let call: Lock<(@Sendable () -> Void)?>
  private let lost: @Sendable () -> Void

  /// - Parameter lost: Called instead when this goes without having been run, on whatever thread.
  init(_ call: @escaping @Sendable () -> Void, lost: @escaping @Sendable () -> Void) {
    self.call = Lock(call)
    self.lost = lost
  }

  /// Makes the call, once.
  func run() {
    let call = call.withLock { $0.take() }
    call?()
  }

  deinit {
    if call.withLock({ $0 != nil }) { lost() }
  }
}
