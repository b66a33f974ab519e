import LarderLocks

/// Refers to an object from another thread without keeping it alive, until the object clears it in its `deinit`.
///
/// As a weak reference, but the object's retains and releases stay as fast as they were (`UncountedReference`).
package final class ClearedReference<Object: AnyObject & Sendable>: Sendable {
  private let reference = Lock<UncountedReference<Object>?>(nil)

  package init() {}

  /// Refers to an object, which has to call `clear()` before its memory is given back.
  package func set(_ object: Object) { reference.withLock { $0 = UncountedReference(object) } }

  package func clear() { reference.withLock { $0 = nil } }

  /// The object, unless it was or is being deallocated.
  package var object: Object? { reference.withLock { $0?.retained } }
}
