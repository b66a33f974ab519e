import LarderStorage

/// AND: each child sees only what the ones before it left over.
final class AndKernel: Kernel {
  private let operands: [Kernel]

  init(_ context: ExecutionContext, _ operands: [Kernel]) {
    self.operands = operands.sorted { $0.cost < $1.cost }
    super.init(context)
  }

  override func evaluate(
    _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws {
    let stride = context.stride
    fill(candidates, result, with: true)
    try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: stride) { buffer in
      guard let left = buffer.baseAddress else { return }
      for operand in operands {
        var any: UInt64 = 0
        for index in 0..<stride {
          left[index] = result[index]
          any |= left[index]
        }
        guard any != 0 else { return }
        try operand.evaluate(cluster, left, result)
      }
    }
  }

  override var cost: Double { operands.reduce(0) { $0 + $1.cost } }
  override var label: String { "and" }
  override var children: [Kernel] { operands }
}

/// OR: each child sees only what the ones before it did not accept.
final class OrKernel: Kernel {
  private let operands: [Kernel]

  init(_ context: ExecutionContext, _ operands: [Kernel]) {
    self.operands = operands.sorted { $0.cost < $1.cost }
    super.init(context)
  }

  override func evaluate(
    _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws {
    let stride = context.stride
    fill(candidates, result, with: false)
    try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * stride) { buffer in
      guard let open = buffer.baseAddress else { return }
      let accepted = open + stride
      for operand in operands {
        var any: UInt64 = 0
        for index in 0..<stride {
          open[index] = candidates[index] & ~result[index]
          any |= open[index]
        }
        guard any != 0 else { return }
        try operand.evaluate(cluster, open, accepted)
        for index in 0..<stride { result[index] |= accepted[index] }
      }
    }
  }

  override var cost: Double { operands.reduce(0) { $0 + $1.cost } }
  override var label: String { "or" }
  override var children: [Kernel] { operands }
}

/// NOT: the complement among the candidates.
final class NotKernel: Kernel {
  private let operand: Kernel

  init(_ context: ExecutionContext, _ operand: Kernel) {
    self.operand = operand
    super.init(context)
  }

  override func evaluate(
    _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws {
    try operand.evaluate(cluster, candidates, result)
    for index in 0..<context.stride { result[index] = candidates[index] & ~result[index] }
  }

  override var cost: Double { operand.cost }
  override var label: String { "not" }
  override var children: [Kernel] { [operand] }
}
