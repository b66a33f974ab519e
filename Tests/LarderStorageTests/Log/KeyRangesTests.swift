import Testing

@testable import LarderStorage

@Suite("Key ranges")
struct KeyRangesTests {
  @Test("set operations agree with a plain set", arguments: [1, 2, 3] as [UInt64])
  func setOperations(seed: UInt64) {
    var random = LogRandom(seed: seed)
    for round in 0..<300 {
      func make() -> (KeyRanges, Set<UInt64>) {
        var runs: [KeyRange] = []
        var set = Set<UInt64>()
        for _ in 0..<Int.random(in: 0..<12, using: &random) {
          let start = UInt64.random(in: 0..<60, using: &random)
          let count = UInt64.random(in: 1..<8, using: &random)
          runs.append(KeyRange(start: start, count: count))
          set.formUnion(start..<start + count)
        }
        return (KeyRanges(unordered: runs), set)
      }
      let (left, leftSet) = make()
      let (right, rightSet) = make()
      #expect(left.keys.map(\.rawValue) == leftSet.sorted(), "seed \(seed), round \(round)")
      #expect(left.count == leftSet.count)
      #expect(left.union(right).keys.map(\.rawValue) == leftSet.union(rightSet).sorted())
      #expect(left.subtracting(right).keys.map(\.rawValue) == leftSet.subtracting(rightSet).sorted())
      for probe in 0..<70 as Range<UInt64> {
        #expect(left.contains(ObjectKey(rawValue: probe)) == leftSet.contains(probe))
      }
      for (one, next) in zip(left.runs, left.runs.dropFirst()) { #expect(one.end < next.start) }
    }
  }

  @Test("many scattered keys are put in order", arguments: [1, 2, 3] as [UInt64])
  func scattered(seed: UInt64) {
    var random = LogRandom(seed: seed)
    for width in [200, 640, 5000, 1 << 40] as [UInt64] {
      var set = Set<UInt64>()
      var runs: [KeyRange] = []
      for _ in 0..<Int.random(in: 60..<400, using: &random) {
        let start = UInt64.random(in: 70..<70 + width, using: &random)
        let count = UInt64.random(in: 0..<4, using: &random) == 0 ? UInt64.random(in: 1..<150, using: &random) : 1
        runs.append(KeyRange(start: start, count: count))
        set.formUnion(start..<start + count)
      }
      let ranges = KeyRanges(unordered: runs)
      #expect(ranges.keys.map(\.rawValue) == set.sorted(), "seed \(seed), width \(width)")
      for (one, next) in zip(ranges.runs, ranges.runs.dropFirst()) { #expect(one.end < next.start) }
    }
  }

  @Test("a run buffer keeps every key, in whatever order they come")
  func runBuffer() {
    var random = LogRandom(seed: 9)
    for _ in 0..<200 {
      var buffer = RunBuffer()
      var set = Set<UInt64>()
      for _ in 0..<Int.random(in: 0..<40, using: &random) {
        let start = UInt64.random(in: 0..<50, using: &random)
        let count = UInt64.random(in: 0..<4, using: &random)
        if count == 1 { buffer.add(start) } else { buffer.add(KeyRange(start: start, count: count)) }
        set.formUnion(start..<start + count)
      }
      #expect(buffer.isEmpty == set.isEmpty)
      #expect(buffer.ranges().keys.map(\.rawValue) == set.sorted())
    }
  }
}
