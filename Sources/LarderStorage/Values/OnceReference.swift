import Synchronization

/// A reference that is set once and then read without a lock, from any thread.
///
/// Where several threads set it at a time, all of them get the one that came first.
struct OnceReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// 0, or a reference that is kept.
  private let word = Atomic<UInt>(0)

  deinit { reference?.release() }

  @inline(__always)
  private var reference: Unmanaged<Object>? { Self.reference(word.load(ordering: .acquiring)) }

  @inline(__always)
  private static func reference(_ word: UInt) -> Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: word).map { Unmanaged.fromOpaque($0) }
  }

  /// The object; nil until it is set.
  @inline(__always)
  var object: Object? { reference?.takeUnretainedValue() }

  /// Sets the object, unless another thread was faster; what is set afterwards.
  borrowing func set(_ made: Object) -> Object {
    let kept = Unmanaged.passRetained(made)
    let (isKept, other) = word.compareExchange(
      expected: 0, desired: UInt(bitPattern: kept.toOpaque()), ordering: .acquiringAndReleasing)
    guard !isKept, let known = Self.reference(other) else { return made }
    kept.release()
    return known.takeUnretainedValue()
  }
}
