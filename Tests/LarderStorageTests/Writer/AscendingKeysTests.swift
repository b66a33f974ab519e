import TestSupport
import Testing

@testable import LarderStorage

@Suite("Ascending primary keys of a transaction") struct AscendingKeysTests {
  private func check(_ pairs: [(value: Int64, key: UInt64)], _ random: inout SeededRandom) {
    var keys = AscendingKeys()
    #expect(keys.isEmpty && keys.last == nil && keys.key(of: 0) == nil)
    var expected: [Int64: ObjectKey] = [:]
    for (value, key) in pairs {
      keys.append(value, ObjectKey(rawValue: key))
      expected[value] = ObjectKey(rawValue: key)
      #expect(keys.last == value)
    }
    #expect(keys.count == pairs.count)
    var visited: [Int64] = []
    keys.forEach { value, key in
      visited.append(value)
      #expect(expected[value] == key)
    }
    #expect(visited == pairs.map(\.value))
    for (value, _) in pairs {
      for other in [value, value &+ 1, value &- 1] { #expect(keys.key(of: other) == expected[other]) }
    }
    for value in [.min, .max, 0, random.anyInt64()] as [Int64] { #expect(keys.key(of: value) == expected[value]) }
  }

  @Test("Counted, spread and mixed values, with holes among the objects' keys, are found as in a dictionary")
  func anyValues() {
    var random = SeededRandom.forTest()
    for _ in 0..<100 {
      var (value, key, step) = (Int64(random.int(-1_000...1_000)), UInt64(random.int(0...50)), Int64(1))
      let pairs = (0..<random.int(0...200)).map { _ -> (value: Int64, key: UInt64) in
        if random.oneIn(12) { step = Int64(random.int(1...9)) }
        value += random.oneIn(9) ? Int64(random.int(1...40)) : step
        key += random.oneIn(30) ? UInt64(random.int(1...9)) : 1
        return (value, key)
      }
      check(pairs, &random)
      let spread = Array(Set((0..<random.int(1...60)).map { _ in random.anyInt64() })).sorted()
      check(spread.enumerated().map { ($1, UInt64($0)) }, &random)
    }
  }

  @Test("The lowest and the highest integers are values as others are")
  func extremes() {
    var random = SeededRandom.forTest()
    check([(.min, 3), (.max, 4)], &random)
    check([(.min, 0), (-1, 1), (.max - 1, 2), (.max, 3)], &random)
    check([(.max, 0)], &random)
  }
}
