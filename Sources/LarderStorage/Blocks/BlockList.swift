import LarderCrypto
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
  /// In a tree of integers: how each block ends and how many pairs have its first and its last value. Values of which there are many are
  /// counted by these alone.
  private let edges: ContiguousArray<Edges>
  /// Made by the first look-up of a text.
  private let probes = OnceReference<ProbeWords>()
  /// In a tree of hashes: what makes them, in which place, and the blocks with what their headers say.
  private let hash: KeyedHash?
  private let place: UInt64
  private let hashed: ContiguousArray<PairBlock>

  /// Walks over the blocks once.
  init(_ reader: PairReader) throws {
    var (words, blocks, before, total) = (ContiguousArray<UInt64>(), ContiguousArray<ByteView>(), [0][...], 0)
    var (hashed, edges) = (ContiguousArray<PairBlock>(), ContiguousArray<Edges>())
    try reader.forEachEntry(.values) { entry in
      // Later only the blocks at the ends of a range are looked into: what the others count is trusted from here on.
      try reader.check(entry.value, .values)
      let block = try PairBlock(entry.value)
      if reader.tree.hash != nil {
        guard block.holdsHashes else { throw reader.tree.damage }
        hashed.append(block)
      }
      if block.kind != PairBlock.Format.strings { edges.append(Edges(block)) }
      words.append(block.word(run: 0))
      blocks.append(entry.value)
      total += block.count
      before.append(total)
      return true
    }
    (firstWords, self.blocks, pairsBefore, self.edges) = (words, blocks, ContiguousArray(before), edges)
    (hash, place, self.hashed) = (reader.tree.hash, reader.tree.prefix, hashed)
  }

  var count: Int { blocks.count }

  subscript(_ position: Int) -> ByteView { blocks[position] }

  /// Number of pairs before a block.
  func pairs(before position: Int) -> Int { pairsBefore[position] }

  /// Number of blocks whose first value is below the target.
  func blocks(below target: PairTarget) throws -> Int { try partition(target) { $0 < 0 } }

  /// Number of blocks whose first value is not above the target.
  func blocks(upTo target: PairTarget) throws -> Int { try partition(target) { $0 <= 0 } }

  /// The key of a word, in a tree of integers in which each is there once at most, or of their hashes.
  func onlyKey(equalTo word: UInt64) throws -> ObjectKey? {
    if hash != nil { return try hashedKey(of: word) }
    var (low, high) = (0, firstWords.count)
    while low < high {
      let middle = (low + high) / 2
      if firstWords[middle] <= word { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : try PairBlock(blocks[low - 1]).firstKey(equalTo: word)
  }

  /// The smallest key that has the text, which is not cut, or nil, in a tree of texts or of their hashes. Copies nothing of a native string.
  func firstKey(equalTo text: String) throws -> ObjectKey? {
    var text = text
    return try text.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      if hash != nil { return try hashedKey(of: bytes) }
      return try firstKey(PairTarget(word: PackedPair.word(of: bytes), bytes: bytes))
    }
  }

  private func firstKey(_ target: PairTarget) throws -> ObjectKey? {
    let probes = probes.object ?? probes.set(ProbeWords(blocks: blocks.count))
    // The block before the first one that begins with the text or above may end with it.
    for position in max(0, try blocks(below: target) - 1)..<blocks.count {
      let block = try PairBlock(blocks[position])
      let run = probes.runs(of: block, at: position, below: target)
      guard run < block.runs else { continue }
      return block.compare(run: run, target) == 0 ? ObjectKey(rawValue: block.key(block.pairs(inFirst: run))) : nil
    }
    return nil
  }

  // Not inlined into the look-ups of plain stores, which took 35 ns longer with it.
  @inline(never)
  private func hashedKey(of word: UInt64) throws -> ObjectKey? {
    try hash.flatMap { firstKey(equalTo: try $0.value(of: word, in: place)) }
  }

  @inline(never)
  private func hashedKey(of text: UnsafeRawBufferPointer) throws -> ObjectKey? {
    try hash.flatMap { firstKey(equalTo: try $0.value(of: text, in: place)) }
  }

  /// The smallest key that has the hash, or nil, in a tree of hashes.
  ///
  /// They are spread evenly, over the list as within a block: where one is follows from itself, to within a cache line or two.
  func firstKey(equalTo hash: HashedValue) -> ObjectKey? {
    let guess = HashSearch.guess(hash.high, from: 0, to: .max, count: hashed.count)
    let below = HashSearch.partition(hashed.count, from: guess) { place in
      let word = firstWords[place]
      return word != hash.high ? word < hash.high : hashed[place].hash(run: 0).low < hash.low
    }
    // The block before the first one that begins with the hash or above may end with it.
    for place in max(0, below - 1)..<hashed.count {
      let next = place + 1 < hashed.count ? firstWords[place + 1] : .max
      let guess = HashSearch.guess(hash.high, from: firstWords[place], to: next, count: hashed[place].runs)
      let run = hashed[place].runs(below: hash, from: guess)
      guard run < hashed[place].runs else { continue }
      guard hashed[place].hash(run: run) == hash else { return nil }
      return ObjectKey(rawValue: hashed[place].key(hashed[place].pairs(inFirst: run)))
    }
    return nil
  }

  /// Number of pairs with the word, in a tree of integers.
  func count(equalTo word: UInt64) throws -> Int {
    guard edges.count == blocks.count else {
      throw StorageError(.corrupted, "An index of integers has a block of texts. Run `larder check` on the store.")
    }
    let end = blocks(before: edges.count) { firstWords[$0] <= word }
    guard end > 0 else { return 0 }
    let last = end - 1
    let isFirst = firstWords[last] == word
    let upTo: Int
    if edges[last].last <= word {
      upTo = pairsBefore[end]
    } else if isFirst {
      upTo = pairsBefore[last] + Int(edges[last].firstRun)
    } else {
      // It is within this block, or not there.
      let block = try PairBlock(blocks[last])
      let run = block.runs(below: PairTarget(word: word))
      return run < block.runs && block.word(run: run) == word ? block.pairs(run: run).count : 0
    }
    if !isFirst { return edges[last].last == word ? Int(edges[last].lastRun) : 0 }
    let start = blocks(before: last) { firstWords[$0] < word }
    guard start > 0, edges[start - 1].last == word else { return upTo - pairsBefore[start] }
    return upTo - pairsBefore[start] + Int(edges[start - 1].lastRun)
  }

  /// The ends of a block of integers.
  private struct Edges {
    let last: UInt64
    /// Pairs that have the first value, and pairs that have the last one.
    let firstRun: UInt32
    let lastRun: UInt32

    init(_ block: PairBlock) {
      last = block.word(run: block.runs - 1)
      firstRun = UInt32(clamping: block.pairs(run: 0).count)
      lastRun = UInt32(clamping: block.pairs(run: block.runs - 1).count)
    }
  }

  /// The first of the blocks for which a condition does not hold, which holds for those before it alone.
  @inline(__always)
  private func blocks(before end: Int, _ holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, end)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
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
