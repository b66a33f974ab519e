#if SANITIZED_LOCKS
  import Foundation

  /// `Mutex` by another lock, for builds with the thread sanitizer, which follows each call of `pthread_mutex_lock`.
  ///
  /// It must not hide what `Mutex` would not: the lock is no more than exclusive, neither recursive nor fair.
  package struct InterceptedLock<Value: ~Copyable>: ~Copyable, Sendable {
    private let contents: Contents

    package init(_ initialValue: consuming sending Value) { contents = Contents(initialValue) }

    /// Returns the result of the body, which has the value to itself. Waits until it is free; must not be called within itself.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      contents.lock.lock()
      defer { contents.lock.unlock() }
      return try body(&contents.value)
    }

    /// The same without waiting: nil when another has the value.
    package borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
      guard contents.lock.try() else { return nil }
      defer { contents.lock.unlock() }
      return try body(&contents.value)
    }

    // Unchecked: the value is touched only between lock and unlock.
    private final class Contents: @unchecked Sendable {
      let lock = NSLock()
      var value: Value

      init(_ value: consuming Value) { self.value = value }
    }
  }
#endif
