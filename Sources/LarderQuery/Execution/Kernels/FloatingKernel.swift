import LarderStorage

/// Doubles or floats against a range, or the outside of one. NaN lies in no range.
final class FloatingKernel<Value: BinaryFloatingPoint>: ColumnKernel {
  private let low: Value
  private let high: Value
  private let isNegated: Bool

  init(
    _ context: ExecutionContext, _ classID: ClassID, _ column: ColumnDescriptor, _ test: ValueTest,
    range: (low: Value, high: Value), isNegated: Bool
  ) {
    self.low = range.low
    self.high = range.high
    self.isNegated = isNegated
    super.init(context, classID, column, test)
  }

  /// The closed range that a comparison accepts, or rejects for `!=`; low above high (or NaN) when there is none.
  static func range(_ operation: ComparisonOperator, _ values: [Value]) -> (low: Value, high: Value, isNegated: Bool)? {
    guard let value = values.first else { return nil }
    let empty: (Value, Value, Bool) = (.infinity, -.infinity, false)
    switch operation {
    case .equal: return (value, value, false)
    case .notEqual: return (value, value, true)
    case .less: return value == -.infinity ? empty : (-.infinity, value.nextDown, false)
    case .lessOrEqual: return (-.infinity, value, false)
    case .greater: return value == .infinity ? empty : (value.nextUp, .infinity, false)
    case .greaterOrEqual: return (value, .infinity, false)
    case .between: return values.count == 2 ? (values[0], values[1], false) : nil
    default: return nil
    }
  }

  override func scan(
    _ leaf: LeafView, _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws -> Outcome {
    let (low, high) = (low, high)
    guard low <= high else { return isNegated ? .all : .none }
    if let known = leaf.doubleRange, !leaf.hasNaN {
      if known.upperBound < Double(low) || known.lowerBound > Double(high) { return isNegated ? .all : .none }
      if Double(low) <= known.lowerBound, known.upperBound <= Double(high) { return isNegated ? .none : .all }
    }
    let payload = leaf.payload
    sweep(leaf, candidates, result) { slot in
      let value = payload.loadUnaligned(fromByteOffset: slot &* MemoryLayout<Value>.size, as: Value.self)
      return (value >= low) != (value > high)
    }
    if isNegated { for index in 0..<context.stride { result[index] = ~result[index] } }
    return .mixed
  }

  override var cost: Double { 1 }
}
