/// The depth that the adding of linked objects has reached. Chains of objects may be longer than the stack: beyond a depth, objects get their rows
/// at once and their values when the first ones are done.
struct RecursionLimit {
  private static let limit = 100
  private var depth = 0
  private var postponed: [() -> Void] = []

  var isDeep: Bool { depth >= Self.limit }

  mutating func postpone(_ body: @escaping () -> Void) { postponed.append(body) }

  @inline(__always)
  mutating func enter() { depth &+= 1 }

  @inline(__always)
  mutating func leave() { depth &-= 1 }

  /// True if the first object is done, and others wait.
  var isDone: Bool { depth == 0 && !postponed.isEmpty }

  mutating func next() -> (() -> Void)? { postponed.popLast() }
}
