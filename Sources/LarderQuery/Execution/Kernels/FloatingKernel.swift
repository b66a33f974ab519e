import LarderStorage

/// The closed range of numbers that a comparison accepts, or rejects for `!=`. NaN is in no range.
struct FloatingRange<Value: BinaryFloatingPoint> {
  var low: Value
  var high: Value
  var isNegated = false

  private static var empty: FloatingRange { FloatingRange(low: .infinity, high: -.infinity) }

  /// nil for operators that are no range; no values: nothing is accepted, as against nil.
  init?(_ operation: ComparisonOperator, _ values: [Value]) {
    guard operation != .in else { return nil }
    guard let value = values.first else {
      self = .empty
      isNegated = operation == .notEqual
      return
    }
    switch operation {
    case .equal: self.init(low: value, high: value)
    case .notEqual: self.init(low: value, high: value, isNegated: true)
    case .less: self = value == -.infinity ? .empty : FloatingRange(low: -.infinity, high: value.nextDown)
    case .lessOrEqual: self.init(low: -.infinity, high: value)
    case .greater: self = value == .infinity ? .empty : FloatingRange(low: value.nextUp, high: .infinity)
    case .greaterOrEqual: self.init(low: value, high: .infinity)
    case .between: self = values.count == 2 ? FloatingRange(low: values[0], high: values[1]) : .empty
    default: return nil
    }
  }

  init(low: Value, high: Value, isNegated: Bool = false) {
    self.low = low
    self.high = high
    self.isNegated = isNegated
  }

  /// Returns the outcome that the header of a leaf decides; nil when the values must be looked at.
  @inline(__always)
  func decide(_ leaf: LeafView) -> ColumnKernel.Outcome? {
    guard low <= high else { return isNegated ? ColumnKernel.Outcome.all : ColumnKernel.Outcome.none }
    guard !leaf.hasNaN, let known = leaf.doubleRange else { return nil }
    if known.upperBound < Double(low) || known.lowerBound > Double(high) {
      return isNegated ? ColumnKernel.Outcome.all : ColumnKernel.Outcome.none
    }
    if Double(low) <= known.lowerBound, known.upperBound <= Double(high) {
      return isNegated ? ColumnKernel.Outcome.none : ColumnKernel.Outcome.all
    }
    return nil
  }
}

/// Doubles against a range, or the outside of one.
final class DoubleKernel: ColumnKernel {
  private let range: FloatingRange<Double>

  init(
    _ context: ExecutionContext, _ classID: ClassID, _ column: ColumnDescriptor, _ test: ValueTest,
    _ range: FloatingRange<Double>
  ) {
    self.range = range
    super.init(context, classID, column, test)
  }

  override func scan(
    _ leaf: LeafView, _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws -> Outcome {
    if let decided = range.decide(leaf) { return decided }
    let (payload, low, high) = (leaf.payload, range.low, range.high)
    sweep(leaf, candidates, result) { slot in
      let value = payload.loadUnaligned(fromByteOffset: slot &<< 3, as: Double.self)
      return (value >= low) != (value > high)
    }
    if range.isNegated { for index in 0..<context.stride { result[index] = ~result[index] } }
    return .mixed
  }
}

/// Floats against a range, or the outside of one.
final class FloatKernel: ColumnKernel {
  private let range: FloatingRange<Float>

  init(
    _ context: ExecutionContext, _ classID: ClassID, _ column: ColumnDescriptor, _ test: ValueTest,
    _ range: FloatingRange<Float>
  ) {
    self.range = range
    super.init(context, classID, column, test)
  }

  override func scan(
    _ leaf: LeafView, _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws -> Outcome {
    if let decided = range.decide(leaf) { return decided }
    let (payload, low, high) = (leaf.payload, range.low, range.high)
    sweep(leaf, candidates, result) { slot in
      let value = payload.loadUnaligned(fromByteOffset: slot &<< 2, as: Float.self)
      return (value >= low) != (value > high)
    }
    if range.isNegated { for index in 0..<context.stride { result[index] = ~result[index] } }
    return .mixed
  }
}
