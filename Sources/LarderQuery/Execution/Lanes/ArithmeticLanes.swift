import LarderStorage

/// Two numbers of each object with an operator between them.
final class ArithmeticLanes: Lanes {
  private let operation: NumberOperation
  private let left: Lanes
  private let right: Lanes

  /// - Parameter kind: The kind of the results; real operands are of it, or integers are converted to it.
  init(_ context: ExecutionContext, _ kind: Kind, _ operation: NumberOperation, _ left: Lanes, _ right: Lanes) {
    self.operation = operation
    self.left = left
    self.right = right
    super.init(context, kind)
  }

  override var cost: Double {
    let own: Double =
      switch operation {
      case .add, .subtract, .multiply: 0.5
      case .divide, .divideToExtreme: kind.isReal ? 1 : 3
      case .remainder: kind.isReal ? 20 : 3
      }
    return own + left.cost + right.cost
  }

  override func fill(_ cluster: Int, _ candidates: UnsafePointer<UInt64>) throws {
    try left.fill(cluster, candidates)
    try right.fill(cluster, candidates)
    for index in 0..<context.stride { nulls[index] = left.nulls[index] | right.nulls[index] }
    switch kind {
    case .integers: computeIntegers(candidates)
    case .doubles: computeReals(candidates) { $0 }
    case .floats: computeReals(candidates) { Double(Float($0)) }
    }
  }

  // One loop for each operator, for which the compiler has vector instructions.

  private func computeIntegers(_ candidates: UnsafePointer<UInt64>) {
    let (a, b, results) = (left.integers, right.integers, integers)
    switch operation {
    case .add: forEachSlot(candidates) { results[$0] = a[$0] &+ b[$0] }
    case .subtract: forEachSlot(candidates) { results[$0] = a[$0] &- b[$0] }
    case .multiply: forEachSlot(candidates) { results[$0] = a[$0] &* b[$0] }
    case .divide, .divideToExtreme, .remainder:
      forEachCandidate(candidates) { slot in
        if let result = Arithmetic.integers(operation, a[slot], b[slot]) {
          results[slot] = result
        } else {
          setNull(slot)
        }
      }
    }
  }

  @inline(__always)
  private func computeReals(_ candidates: UnsafePointer<UInt64>, _ rounded: (Double) -> Double) {
    let (a, b, results) = (left.reals, right.reals, reals)
    switch operation {
    case .add: forEachSlot(candidates) { results[$0] = rounded(a[$0] + b[$0]) }
    case .subtract: forEachSlot(candidates) { results[$0] = rounded(a[$0] - b[$0]) }
    case .multiply: forEachSlot(candidates) { results[$0] = rounded(a[$0] * b[$0]) }
    case .divide, .divideToExtreme: forEachSlot(candidates) { results[$0] = rounded(a[$0] / b[$0]) }
    case .remainder: forEachCandidate(candidates) { results[$0] = a[$0].truncatingRemainder(dividingBy: b[$0]) }
    }
  }
}

/// Integers, or floats, as the kind that they are computed with.
final class ConvertedLanes: Lanes {
  private let inner: Lanes

  init(_ context: ExecutionContext, _ kind: Kind, _ inner: Lanes) {
    self.inner = inner
    super.init(context, kind)
  }

  override var cost: Double { inner.cost + 0.3 }

  override func fill(_ cluster: Int, _ candidates: UnsafePointer<UInt64>) throws {
    try inner.fill(cluster, candidates)
    for index in 0..<context.stride { nulls[index] = inner.nulls[index] }
    let (integers, given, results) = (inner.integers, inner.reals, reals)
    if inner.kind.isReal {
      forEachSlot(candidates) { results[$0] = given[$0] }
    } else if kind == .floats {
      forEachSlot(candidates) { results[$0] = Double(Float(integers[$0])) }
    } else {
      forEachSlot(candidates) { results[$0] = Double(integers[$0]) }
    }
  }
}
