import LarderLMDB

/// The blocks of one tree's values at one version, in order, each with its first value and the pairs before it.
///
/// Finding a block takes a search in an array instead of two seeks in LMDB, and counting takes two such searches however many
/// pairs there are. Immutable: any number of threads may read it while the version is there.
final class BlockList: Sendable {
  private let firstWords: ContiguousArray<UInt64>
  private let blocks: ContiguousArray<ByteView>
  /// Number of pairs before each block; at the end, of all.
  private let pairsBefore: ContiguousArray<Int>

  /// Walks over the blocks once.
  init(_ reader: PairReader) throws {
    var (words, blocks, before, total) = (ContiguousArray<UInt64>(), ContiguousArray<ByteView>(), [0][...], 0)
    try reader.forEachEntry(.values) { entry in
      // Later only the blocks at the ends of a range are looked into: what the others count is trusted from here on.
      try reader.check(entry.value, .values)
      let block = try PairBlock(entry.value)
      words.append(block.word(run: 0))
      blocks.append(entry.value)
      total += block.count
      before.append(total)
      return true
    }
    (firstWords, self.blocks, pairsBefore) = (words, blocks, ContiguousArray(before))
  }

  var count: Int { blocks.count }

  subscript(_ position: Int) -> ByteView { blocks[position] }

  /// Number of pairs before a block.
  func pairs(before position: Int) -> Int { pairsBefore[position] }

  /// Number of blocks whose first value is below the target.
  func blocks(below target: PairTarget) throws -> Int { try partition(target) { $0 < 0 } }

  /// Number of blocks whose first value is not above the target.
  func blocks(upTo target: PairTarget) throws -> Int { try partition(target) { $0 <= 0 } }

  /// The key of a word, in a tree of integers in which each is there once at most.
  func onlyKey(equalTo word: UInt64) throws -> ObjectKey? {
    var (low, high) = (0, firstWords.count)
    while low < high {
      let middle = (low + high) / 2
      if firstWords[middle] <= word { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : try PairBlock(blocks[low - 1]).firstKey(equalTo: word)
  }

  @inline(__always)
  private func partition(_ target: PairTarget, _ isBefore: (Int) -> Bool) throws -> Int {
    var (low, high) = (0, firstWords.count)
    while low < high {
      let middle = (low + high) / 2
      let word = firstWords[middle]
      // Words hold the first bytes of a text only.
      let order =
        word != target.word ? (word < target.word ? -1 : 1) : try PairBlock(blocks[middle]).compare(run: 0, target)
      if isBefore(order) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
