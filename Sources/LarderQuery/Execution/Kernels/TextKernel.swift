import Foundation
import LarderStorage

/// Strings and data: each candidate's bytes in place.
final class TextKernel: ColumnKernel {
  private let test: ValueTest
  private let matchers: [TextMatcher]
  private let isNegated: Bool

  override init(_ context: ExecutionContext, _ classID: ClassID, _ column: ColumnDescriptor, _ test: ValueTest) {
    self.test = test
    // `!=` is the complement of `==`, so that one matcher serves both.
    self.isNegated = test.operation == .notEqual
    let operation = test.operation == .in || test.operation == .notEqual ? ComparisonOperator.equal : test.operation
    self.matchers = test.values.compactMap { TextMatcher(operation, $0, test.options) }
    super.init(context, classID, column, test)
  }

  override func scan(
    _ leaf: LeafView, _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws -> Outcome {
    guard !matchers.isEmpty else { return isNegated ? .all : .none }
    let pointers = leaf.pointers
    if pointers.isDictionary { return scanDictionary(leaf, candidates, result) { accepts($0) } }
    if !leaf.hasLarge, matchers.count == 1, test.options.isEmpty, scanExact(leaf, candidates, result) {
      return .mixed
    }
    if !leaf.hasLarge, matchers.count == 1, !isNegated,
      TextLeafSearch(matchers[0], leaf)?.run(candidates, result, stride: context.stride) ?? false
    {
      return .mixed
    }
    if !leaf.hasLarge, matchers.count == 1 {
      let (matcher, isNegated) = (matchers[0], isNegated)
      visit(leaf, candidates, result) { matcher.matches(pointers.bytes($0)) != isNegated }
      return .mixed
    }
    try visit(leaf, candidates, result) { slot in
      if pointers.isLarge(slot) {
        let key = ObjectKey(rawValue: UInt64(cluster * context.clusterSize + slot))
        return try context.reader.largeValue(classID, column.id, key).withUnsafeBytes { accepts($0) }
      }
      return accepts(pointers.bytes(slot))
    }
    return .mixed
  }

  @inline(__always)
  private func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
    matchers.contains { $0.matches(bytes) } != isNegated
  }

  /// Equality and prefixes without options: the first byte decides most, without a call.
  private func scanExact(
    _ leaf: LeafView, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) -> Bool {
    let needle = matchers[0].needle
    let operation = matchers[0].operation
    guard operation == .equal || operation == .beginsWith, let first = needle.first else { return false }
    let pointers = leaf.pointers
    let isPrefix = operation == .beginsWith
    let isNegated = isNegated
    needle.withUnsafeBytes { wanted in
      guard let wantedBase = wanted.baseAddress else { return }
      visit(leaf, candidates, result) { slot in
        let bytes = pointers.bytes(slot)
        guard let base = bytes.baseAddress, isPrefix ? bytes.count >= wanted.count : bytes.count == wanted.count,
          base.load(as: UInt8.self) == first
        else { return isNegated }
        return (memcmp(base, wantedBase, wanted.count) == 0) != isNegated
      }
    }
    return true
  }

  /// Rough nanoseconds that splitting a text into words takes.
  static let searchCost = 2_000.0

  override var cost: Double { test.operation == .text ? Self.searchCost : test.options.isEmpty ? 4 : 30 }
}
