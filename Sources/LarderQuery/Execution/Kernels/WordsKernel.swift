import Foundation
import LarderStorage

/// Dates, UUIDs and ObjectIds against a range or a set, and floating-point numbers against a set: each value is a word of 128 bits,
/// in the order of the values.
final class WordsKernel: ColumnKernel {
  private enum Wanted {
    /// nil: no value is in it.
    case range(ClosedRange<UInt128>?, isNegated: Bool)
    case set(Set<UInt128>)
  }

  private let wanted: Wanted
  /// Of dates without fractions, the seconds that are wanted; nil: none.
  private var seconds: ClosedRange<Int64>?

  /// nil for operators that are neither a range nor a set.
  init?(for test: ValueTest, _ context: ExecutionContext, _ classID: ClassID, _ column: ColumnDescriptor) {
    let words = test.values.compactMap { Self.word($0) }
    if test.operation == .in {
      wanted = .set(Set(words))
    } else {
      guard column.type != .double, column.type != .float, let range = Self.range(test.operation, words) else {
        return nil
      }
      wanted = .range(range.range, isNegated: range.isNegated)
      if column.type == .date, let range = range.range { seconds = Self.seconds(range) }
    }
    super.init(context, classID, column, test)
  }

  private static func range(
    _ operation: ComparisonOperator, _ words: [UInt128]
  ) -> (range: ClosedRange<UInt128>?, isNegated: Bool)? {
    guard let word = words.first else { return (nil, operation == .notEqual) }
    switch operation {
    case .equal: return (word...word, false)
    case .notEqual: return (word...word, true)
    case .less: return (word == 0 ? nil : 0...(word - 1), false)
    case .lessOrEqual: return (0...word, false)
    case .greater: return (word == .max ? nil : (word + 1)...UInt128.max, false)
    case .greaterOrEqual: return (word...UInt128.max, false)
    case .between: return (words.count == 2 && word <= words[1] ? word...words[1] : nil, false)
    default: return nil
    }
  }

  /// nil for nil, NaN and values of other types.
  private static func word(_ value: StoredValue) -> UInt128? {
    switch value {
    case .date(let time): word(time.seconds, time.nanoseconds)
    case .objectId(let id): word(id)
    case .uuid(let id): withUnsafeBytes(of: id.uuid) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) }
    case .double(let number): word(number)
    case .float(let number): word(Double(number))
    default: nil
    }
  }

  @inline(__always)
  private static func word(_ seconds: Int64, _ nanoseconds: UInt32) -> UInt128 {
    UInt128(UInt64(bitPattern: seconds) ^ 1 << 63) << 32 | UInt128(nanoseconds)
  }

  @inline(__always)
  private static func word(_ id: ObjectIdBytes) -> UInt128 { UInt128(id.high) << 32 | UInt128(id.low) }

  @inline(__always)
  private static func word(_ number: Double) -> UInt128? {
    number.isNaN ? nil : UInt128((number == 0 ? 0 : number).bitPattern)
  }

  /// The whole seconds whose words are in a range.
  private static func seconds(_ range: ClosedRange<UInt128>) -> ClosedRange<Int64>? {
    func second(_ word: UInt128) -> Int64 { Int64(bitPattern: UInt64(truncatingIfNeeded: word >> 32) ^ 1 << 63) }
    let last = word(.max, 0)
    guard range.lowerBound <= last else { return nil }
    let isWhole = range.lowerBound & 0xFFFF_FFFF == 0
    if !isWhole, second(range.lowerBound) == .max { return nil }
    let low = isWhole ? second(range.lowerBound) : second(range.lowerBound) + 1
    let high = second(min(range.upperBound, last))
    return low <= high ? low...high : nil
  }

  override func scan(
    _ leaf: LeafView, _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws -> Outcome {
    let (pointers, payload) = (leaf.pointers, leaf.payload)
    switch column.type {
    case .date:
      if pointers.extra == nil, case .range(_, let isNegated) = wanted {
        return scanIntegers(leaf, seconds, isNegated: isNegated, candidates, result)
      }
      return run(leaf, candidates, result) {
        let time = pointers.timestamp($0)
        return Self.word(time.seconds, time.nanoseconds)
      }
    case .uuid:
      return run(leaf, candidates, result) {
        UInt128(bigEndian: payload.loadUnaligned(fromByteOffset: $0 &<< 4, as: UInt128.self))
      }
    case .objectId: return run(leaf, candidates, result) { Self.word(pointers.objectId($0)) }
    case .double: return run(leaf, candidates, result) { Self.word(pointers.double($0)) }
    default: return run(leaf, candidates, result) { Self.word(Double(pointers.float($0))) }
    }
  }

  @inline(__always)
  private func run(
    _ leaf: LeafView, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>,
    _ word: (Int) -> UInt128?
  ) -> Outcome {
    switch wanted {
    case .set(let words):
      if words.isEmpty { return .none }
      visit(leaf, candidates, result) { slot in word(slot).map { words.contains($0) } ?? false }
    case .range(nil, let isNegated): return isNegated ? .all : .none
    case .range(let range?, let isNegated):
      let (low, high) = (range.lowerBound, range.upperBound)
      visit(leaf, candidates, result) { slot in
        guard let word = word(slot) else { return isNegated }
        return (word >= low && word <= high) != isNegated
      }
    }
    return .mixed
  }

  override var cost: Double { 2 }
}

/// Decimals against constants, compared as numbers.
final class DecimalKernel: ColumnKernel {
  private let operation: ComparisonOperator
  private let wanted: [DecimalNumber]

  /// nil for a long IN, which is looked up.
  init?(for test: ValueTest, _ context: ExecutionContext, _ classID: ClassID, _ column: ColumnDescriptor) {
    guard !test.isLookup, !test.operation.isTextual else { return nil }
    operation = test.operation
    // What is nil or NaN equals no number and is in no order with any.
    wanted = test.values.compactMap { value in
      guard case .decimal128(let bits) = value else { return nil }
      let number = DecimalNumber(bits)
      return number.isNaN ? nil : number
    }
    if operation == .between, wanted.count != test.values.count { return nil }
    super.init(context, classID, column, test)
  }

  override func scan(
    _ leaf: LeafView, _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws -> Outcome {
    guard let first = wanted.first else { return operation == .notEqual ? .all : .none }
    let (pointers, wanted) = (leaf.pointers, wanted)
    func run(_ test: (DecimalNumber) -> Bool) {
      visit(leaf, candidates, result) { test(DecimalNumber(pointers.decimal128($0))) }
    }
    switch operation {
    case .equal: run { $0 == first }
    case .notEqual: run { $0 != first }
    case .less: run { $0 < first && !$0.isNaN }
    case .lessOrEqual: run { $0 <= first && !$0.isNaN }
    case .greater: run { $0 > first }
    case .greaterOrEqual: run { $0 >= first }
    case .between: run { wanted.count == 2 && $0 >= wanted[0] && $0 <= wanted[1] }
    default: run { number in wanted.contains { $0 == number } }
    }
    return .mixed
  }

  override var cost: Double { 25 }
}
