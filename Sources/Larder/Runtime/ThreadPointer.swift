import Foundation

/// A pointer that each thread keeps for itself; nil at first. Takes some nanoseconds.
struct ThreadPointer: Sendable {
  private let key: pthread_key_t

  /// - Parameter atEnd: Called on a thread that ends, with its pointer unless that is nil.
  /// - Returns: Nil where the system has no room for another one.
  init?(atEnd: (@convention(c) (UnsafeMutableRawPointer) -> Void)? = nil) {
    var key = pthread_key_t()
    guard pthread_key_create(&key, unsafeBitCast(atEnd, to: Destructor?.self)) == 0 else { return nil }
    self.key = key
  }

  // The parameter is optional on some systems only; it is the same function.
  #if canImport(Darwin)
    private typealias Destructor = @convention(c) (UnsafeMutableRawPointer) -> Void
  #else
    private typealias Destructor = @convention(c) (UnsafeMutableRawPointer?) -> Void
  #endif

  /// The pointer of the calling thread.
  @inline(__always)
  var value: UnsafeMutableRawPointer? { pthread_getspecific(key) }

  /// Sets that of the calling thread; false when there is no memory for it.
  @inline(__always) @discardableResult
  func set(_ value: UnsafeMutableRawPointer?) -> Bool { pthread_setspecific(key, value) == 0 }
}
