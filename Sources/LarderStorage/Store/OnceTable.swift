/// References by number, each set once and then read without a lock, from any thread.
struct OnceTable<Object: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {  // All it points to is atomic.
  private let count: Int
  private let places: UnsafeMutablePointer<OnceReference<Object>>

  init(count: Int) {
    self.count = count
    places = .allocate(capacity: count)
    for number in 0..<count { (places + number).initialize(to: OnceReference()) }
  }

  deinit {
    places.deinitialize(count: count)
    places.deallocate()
  }

  /// The object of a number; nil until it is set, and for numbers outside the table.
  @inline(__always)
  subscript(_ number: Int) -> Object? { 0..<count ~= number ? places[number].object : nil }

  /// Sets the object of a number, unless another thread was faster; what is set afterwards, nil for a number outside the table.
  borrowing func set(_ number: Int, _ made: @autoclosure () -> Object) -> Object? {
    0..<count ~= number ? places[number].set(made()) : nil
  }
}
