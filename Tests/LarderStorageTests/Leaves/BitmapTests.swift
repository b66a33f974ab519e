import Testing

@testable import LarderStorage

@Suite struct BitmapTests {
  @Test(arguments: [0, 1, 8, 63, 64, 65, 128, 496, 1_000])
  func `agrees with a set of numbers`(count: Int) {
    var random = LeafRandom(seed: UInt64(count) + 1)
    var left = Bitmap(count: count)
    var right = Bitmap(count: count)
    var leftSet: Set<Int> = []
    var rightSet: Set<Int> = []
    for index in 0..<count {
      if random.next() & 1 == 0 {
        left.set(index)
        leftSet.insert(index)
      }
      if random.next() & 1 == 0 {
        right[index] = true
        rightSet.insert(index)
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
    result.formAnd(right)
    expect(result, leftSet.intersection(rightSet))
    result = left
    result.formOr(right)
    expect(result, leftSet.union(rightSet))
    result = left
    result.formAndNot(right)
    expect(result, leftSet.subtracting(rightSet))
    result = left
    result.formNot()
    expect(result, Set(0..<count).subtracting(leftSet))
    result.formNot()
    #expect(result == left)
    for index in leftSet { result.clear(index) }
    expect(result, [])
    expect(Bitmap(count: count, repeating: true), Set(0..<count))
    expect(Bitmap(words: left.words + [.max], count: count), leftSet)
  }

  @Test func `bits beyond the end that a kernel sets are dropped`() {
    var bitmap = Bitmap(count: 70)
    bitmap.withMutableWords { words in for index in words.indices { words[index] = .max } }
    #expect(bitmap == Bitmap(count: 70, repeating: true))
    #expect(bitmap.popcount == 70)
  }
}
