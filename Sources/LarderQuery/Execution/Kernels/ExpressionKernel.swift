import LarderStorage

/// Compares the numbers of two expressions for all objects of a cluster.
final class ExpressionKernel: Kernel {
  private let left: Lanes
  private let right: Lanes
  private let operation: ComparisonOperator

  /// Nil where a side has no lanes, or the operator is none of numbers.
  init?(
    _ context: ExecutionContext, _ classID: ClassID, _ left: BoundOperand, _ operation: ComparisonOperator,
    _ right: BoundOperand
  ) throws {
    guard operation.isRelational || operation == .equal || operation == .notEqual else { return nil }
    let compiler = LaneCompiler(context: context, classID: classID)
    guard let first = try compiler.compile(left), let second = try Self.other(right, first, compiler) else {
      return nil
    }
    self.left = first
    self.right = second
    self.operation = operation
    super.init(context)
  }

  private static func other(_ operand: BoundOperand, _ first: Lanes, _ compiler: LaneCompiler) throws -> Lanes? {
    if case .constant(.null) = operand { return ConstantLanes(compiler.context, first.kind, .null) }
    return try compiler.compile(constant(operand, beside: first))
  }

  /// A whole number as a real one beside reals, where that is the same number.
  private static func constant(_ operand: BoundOperand, beside other: Lanes) -> BoundOperand {
    guard other.kind.isReal, case .constant(.int(let number)) = operand, number.magnitude <= exact else {
      return operand
    }
    return .constant(.double(Double(number)))
  }

  /// Up to here every whole number is a double.
  private static let exact: UInt64 = 1 << 53

  override var cost: Double { left.cost + right.cost + 1 }
  override var label: String { "expression" }

  override func evaluate(
    _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws {
    try left.fill(cluster, candidates)
    try right.fill(cluster, candidates)
    switch (left.kind.isReal, right.kind.isReal) {
    case (false, false): compare(left.integers, right.integers, candidates, result)
    case (true, true): compare(left.reals, right.reals, candidates, result)
    case (false, true): compareExactly(left.integers, right.reals, candidates, result, isSwapped: false)
    case (true, false): compareExactly(right.integers, left.reals, candidates, result, isSwapped: true)
    }
    finish(candidates, result)
  }

  /// NaN is unequal to everything and in no order, as the operators of Swift have it.
  private func compare<Number: Comparable>(
    _ a: UnsafeMutablePointer<Number>, _ b: UnsafeMutablePointer<Number>, _ candidates: UnsafePointer<UInt64>,
    _ result: UnsafeMutablePointer<UInt64>
  ) {
    switch operation {
    case .less: sweep(candidates, result) { a[$0] < b[$0] }
    case .lessOrEqual: sweep(candidates, result) { a[$0] <= b[$0] }
    case .greater: sweep(candidates, result) { a[$0] > b[$0] }
    case .greaterOrEqual: sweep(candidates, result) { a[$0] >= b[$0] }
    case .notEqual: sweep(candidates, result) { a[$0] != b[$0] }
    default: sweep(candidates, result) { a[$0] == b[$0] }
    }
  }

  private func compareExactly(
    _ a: UnsafeMutablePointer<Int64>, _ b: UnsafeMutablePointer<Double>, _ candidates: UnsafePointer<UInt64>,
    _ result: UnsafeMutablePointer<UInt64>, isSwapped: Bool
  ) {
    let operation = isSwapped ? operation.mirrored ?? operation : operation
    sweep(candidates, result) { slot in
      guard a[slot].magnitude <= Self.exact else { return ValueOrder.holds(.int(a[slot]), operation, .double(b[slot])) }
      let number = Double(a[slot])
      return switch operation {
      case .less: number < b[slot]
      case .lessOrEqual: number <= b[slot]
      case .greater: number > b[slot]
      case .greaterOrEqual: number >= b[slot]
      case .notEqual: number != b[slot]
      default: number == b[slot]
      }
    }
  }

  @inline(__always)
  private func sweep(
    _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>, _ test: (Int) -> Bool
  ) {
    for index in 0..<context.stride {
      let first = index << 6
      if CandidateWord.isSparse(candidates[index]) {
        result[index] = CandidateWord.test(candidates[index], below: 64) { test(first &+ $0) }
        continue
      }
      var matched: UInt64 = 0
      for bit in 0..<64 { matched |= (test(first &+ bit) ? 1 : 0) &<< UInt64(bit) }
      result[index] = matched
    }
  }

  /// Puts in the answers for nil, and cuts to the candidates.
  private func finish(_ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>) {
    for index in 0..<context.stride {
      let (a, b) = (left.nulls[index], right.nulls[index])
      var word = result[index] & ~(a | b)
      switch operation {
      case .equal, .lessOrEqual, .greaterOrEqual: word |= a & b
      case .notEqual: word |= a ^ b
      default: break
      }
      result[index] = word & candidates[index]
    }
  }
}
