import LarderStorage

/// Answers a predicate for all slots of a cluster at once.
///
/// A kernel belongs to one run of one query on one thread.
class Kernel {
  let context: ExecutionContext

  init(_ context: ExecutionContext) { self.context = context }

  /// Sets in `result` the bits of `candidates` that satisfy the predicate, and clears all others. The pointers hold
  /// `context.stride` words and do not overlap.
  func evaluate(
    _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws {
    preconditionFailure("a kernel evaluates")
  }

  /// Rough nanoseconds per object, to put the cheap before the dear.
  var cost: Double { 1 }

  /// The name that `explain` shows.
  var label: String { "kernel" }
  var children: [Kernel] { [] }

  @inline(__always)
  final func fill(
    _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>, with answer: Bool
  ) {
    for index in 0..<context.stride { result[index] = answer ? candidates[index] : 0 }
  }
}

/// Everything or nothing.
final class ConstantKernel: Kernel {
  let answer: Bool

  init(_ context: ExecutionContext, _ answer: Bool) {
    self.answer = answer
    super.init(context)
  }

  override func evaluate(
    _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws { fill(candidates, result, with: answer) }

  override var cost: Double { 0 }
  override var label: String { answer ? "all" : "none" }
}
