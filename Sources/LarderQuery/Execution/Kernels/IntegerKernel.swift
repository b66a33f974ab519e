import LarderStorage

/// Integers against a range, or the outside of one. Every comparison with one integer is such a range.
final class IntegerKernel: ColumnKernel {
  /// nil: no value lies in it.
  private let range: ClosedRange<Int64>?
  private let isNegated: Bool

  init(
    _ context: ExecutionContext, _ classID: ClassID, _ column: ColumnDescriptor, _ test: ValueTest,
    range: ClosedRange<Int64>?, isNegated: Bool
  ) {
    self.range = range
    self.isNegated = isNegated
    super.init(context, classID, column, test)
  }

  /// The range of values that a comparison accepts, or rejects for `!=`.
  static func range(_ operation: ComparisonOperator, _ values: [Int64]) -> (ClosedRange<Int64>?, isNegated: Bool)? {
    guard let value = values.first else { return nil }
    switch operation {
    case .equal: return (value...value, false)
    case .notEqual: return (value...value, true)
    case .less: return (value == .min ? nil : Int64.min...(value - 1), false)
    case .lessOrEqual: return (Int64.min...value, false)
    case .greater: return (value == .max ? nil : (value + 1)...Int64.max, false)
    case .greaterOrEqual: return (value...Int64.max, false)
    case .between: return values.count == 2 ? (values[0] <= values[1] ? values[0]...values[1] : nil, false) : nil
    default: return nil
    }
  }

  override func scan(
    _ leaf: LeafView, _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws -> Outcome {
    let inside: Outcome = isNegated ? .none : .all
    let outside: Outcome = isNegated ? .all : .none
    guard let range else { return outside }
    if let known = leaf.integerRange {
      if !range.overlaps(known) { return outside }
      if range.lowerBound <= known.lowerBound, known.upperBound <= range.upperBound { return inside }
    }
    if leaf.width == 1 || leaf.width == 2 || leaf.width == 4 {
      // Differences are unsigned: values below the base are not stored, larger than the width cannot be.
      let limit: UInt64 = leaf.width == 1 ? 0xFF : (leaf.width == 2 ? 0xFFFF : 0xFFFF_FFFF)
      guard let bounds = Self.differences(range, base: leaf.base, limit: limit) else { return outside }
      sweepDifferences(leaf, bounds, candidates, result)
    } else if leaf.width == 8 {
      let (payload, span) = (leaf.payload, UInt64(bitPattern: range.upperBound &- range.lowerBound))
      sweep(leaf, candidates, result) { slot in
        let value = payload.loadUnaligned(fromByteOffset: slot &<< 3, as: Int64.self)
        return UInt64(bitPattern: value &- range.lowerBound) <= span
      }
    } else {
      let pointers = leaf.pointers
      sweep(leaf, candidates, result) { range.contains(pointers.int($0)) }
    }
    if isNegated { for index in 0..<context.stride { result[index] = ~result[index] } }
    return .mixed
  }

  /// The range as differences from the base; nil when no difference lies in it.
  static func differences(_ range: ClosedRange<Int64>, base: Int64, limit: UInt64) -> ClosedRange<UInt64>? {
    guard range.upperBound >= base else { return nil }
    let low = range.lowerBound <= base ? 0 : UInt64(bitPattern: range.lowerBound &- base)
    let high = min(limit, UInt64(bitPattern: range.upperBound &- base))
    return low <= high ? low...high : nil
  }

  private func sweepDifferences(
    _ leaf: LeafView, _ bounds: ClosedRange<UInt64>, _ candidates: UnsafePointer<UInt64>,
    _ result: UnsafeMutablePointer<UInt64>
  ) {
    let payload = leaf.payload
    switch leaf.width {
    case 1:
      ByteSweep.run(
        payload, count: leaf.count, low: UInt8(bounds.lowerBound), span: UInt8(bounds.upperBound - bounds.lowerBound),
        candidates, result, words: context.stride)
    case 2:
      let (low, span) = (UInt16(bounds.lowerBound), UInt16(bounds.upperBound - bounds.lowerBound))
      sweep(leaf, candidates, result) {
        payload.loadUnaligned(fromByteOffset: $0 &<< 1, as: UInt16.self) &- low <= span
      }
    default:
      let (low, span) = (UInt32(bounds.lowerBound), UInt32(bounds.upperBound - bounds.lowerBound))
      sweep(leaf, candidates, result) {
        payload.loadUnaligned(fromByteOffset: $0 &<< 2, as: UInt32.self) &- low <= span
      }
    }
  }

  override var cost: Double { 0.5 }
}

/// Compares bytes with a range, sixteen at a time.
enum ByteSweep {
  /// Sets bit i where `payload[i] - low <= span`, unsigned.
  static func run(
    _ payload: UnsafeRawPointer, count: Int, low: UInt8, span: UInt8, _ candidates: UnsafePointer<UInt64>,
    _ result: UnsafeMutablePointer<UInt64>, words: Int
  ) {
    for index in 0..<words {
      let first = index << 6
      guard first < count else {
        result[index] = 0
        continue
      }
      if count &- first >= 64 {
        var matched: UInt64 = 0
        for part in 0..<4 {
          let bytes = payload.loadUnaligned(fromByteOffset: first &+ part &<< 4, as: SIMD16<UInt8>.self)
          let mask = (bytes &- SIMD16(repeating: low)) .<= SIMD16(repeating: span)
          matched |= bits(mask) &<< UInt64(part &<< 4)
        }
        result[index] = matched
      } else {
        var matched: UInt64 = 0
        for bit in 0..<(count &- first) {
          let byte = payload.load(fromByteOffset: first &+ bit, as: UInt8.self)
          matched |= (byte &- low <= span ? 1 : 0) &<< UInt64(bit)
        }
        result[index] = matched
      }
    }
  }

  /// One bit per lane. The multiplication gathers the lowest bits of eight bytes in the top byte.
  @inline(__always)
  private static func bits(_ mask: SIMDMask<SIMD16<Int8>>) -> UInt64 {
    let ones = SIMD16<UInt8>(repeating: 0).replacing(with: 1, where: mask)
    let halves = unsafeBitCast(ones, to: SIMD2<UInt64>.self)
    let magic: UInt64 = 0x0102_0408_1020_4080
    return (halves[0] &* magic) &>> 56 | ((halves[1] &* magic) &>> 56) &<< 8
  }
}
