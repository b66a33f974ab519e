import LarderStorage

/// Integers against a range, or the outside of one. Every comparison with one integer is such a range.
final class IntegerKernel: ColumnKernel {
  /// nil: no value is in it.
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
    scanIntegers(leaf, range, isNegated: isNegated, candidates, result)
  }

  override var cost: Double { 0.5 }
}

extension ColumnKernel {
  /// Integers, or the seconds of dates, against a range or the outside of one; nil: no value is in it.
  func scanIntegers(
    _ leaf: LeafView, _ range: ClosedRange<Int64>?, isNegated: Bool, _ candidates: UnsafePointer<UInt64>,
    _ result: UnsafeMutablePointer<UInt64>
  ) -> Outcome {
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

  /// The range as differences from the base; nil when no difference is in it.
  private static func differences(_ range: ClosedRange<Int64>, base: Int64, limit: UInt64) -> ClosedRange<UInt64>? {
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
}

/// Compares bytes with a range, eight at a time in a 64-bit word.
///
/// Plain arithmetic: masks of vector types take some forty times as long here, since they are gathered lane by lane.
enum ByteSweep {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let high: UInt64 = 0x8080_8080_8080_8080
  /// Gathers the lowest bits of eight bytes in the top byte of a product.
  private static let gather: UInt64 = 0x0102_0408_1020_4080

  /// Sets bit i where `payload[i] - low <= span`, unsigned.
  static func run(
    _ payload: UnsafeRawPointer, count: Int, low: UInt8, span: UInt8, _ candidates: UnsafePointer<UInt64>,
    _ result: UnsafeMutablePointer<UInt64>, words: Int
  ) {
    for index in 0..<words {
      let first = index << 6
      guard first < count, candidates[index] != 0 else {
        result[index] = 0
        continue
      }
      if CandidateWord.isSparse(candidates[index]) {
        result[index] = CandidateWord.test(candidates[index], below: count &- first) { bit in
          payload.load(fromByteOffset: first &+ bit, as: UInt8.self) &- low <= span
        }
        continue
      }
      let whole = min(64, count &- first) & ~7
      var matched: UInt64 = 0
      for group in 0..<(whole >> 3) {
        let bytes = payload.loadUnaligned(fromByteOffset: first &+ group &<< 3, as: UInt64.self)
        matched |= test(bytes, UInt64(low) &* ones, UInt64(span) &* ones) &<< UInt64(group &<< 3)
      }
      for bit in whole..<max(whole, min(64, count &- first)) {
        let byte = payload.load(fromByteOffset: first &+ bit, as: UInt8.self)
        matched |= (byte &- low <= span ? 1 : 0) &<< UInt64(bit)
      }
      result[index] = matched
    }
  }

  /// One bit per byte whose difference from `low` is at most `span`.
  @inline(__always)
  private static func test(_ bytes: UInt64, _ low: UInt64, _ span: UInt64) -> UInt64 {
    // Subtraction within each byte: the top bits are kept out of it and put right afterwards.
    let difference = ((bytes | high) &- (low & ~high)) ^ ((bytes ^ ~low) & high)
    let lowBits = (span | high) &- (difference & ~high)
    let isWithin = ((span & ~difference) | (~(span ^ difference) & lowBits)) & high
    return ((isWithin &>> 7) &* gather) &>> 56
  }
}
