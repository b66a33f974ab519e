import Testing

@testable import LarderStorage

@Suite struct BitmapTests {
  @Test(arguments: [0, 1, 8, 63, 64, 65, 128, 496, 1_000])
  func `agrees with a set of numbers`(count: Int) {
    var random = LeafRandom(seed: UInt64(count) + 1)
    var left = Bitmap(count: count)
    var leftSet: Set<Int> = []
    for index in 0..<count {
      if random.next() & 1 == 0 {
        if index.isMultiple(of: 2) { left.set(index) } else { left[index] = true }
        leftSet.insert(index)
      }
    }
    func expect(_ bitmap: Bitmap, _ set: Set<Int>) {
      var members: [Int] = []
      bitmap.forEachSet { members.append($0) }
      #expect(members == set.sorted())
      #expect(bitmap.popcount == set.count)
      #expect(bitmap.isEmpty == set.isEmpty)
      #expect(bitmap.isFull == (set.count == count))
      #expect(bitmap.first == set.min())
      #expect(bitmap.last == set.max())
      for (rank, member) in members.enumerated() {
        #expect(bitmap.select(rank) == member)
        #expect(bitmap.rank(member) == rank)
      }
      #expect(bitmap.rank(count) == set.count)
      #expect(bitmap.select(set.count) == nil)
    }
    expect(left, leftSet)
    var result = left
    for index in leftSet { result.clear(index) }
    expect(result, [])
    expect(Bitmap(count: count, repeating: true), Set(0..<count))
    expect(Bitmap(words: left.words + [.max], count: count), leftSet)
  }
}
