import Synchronization

/// The words that searches in blocks of texts compare with first: the first eight bytes of 31 texts of each block, side by side, in the order in
/// which a search by halves comes to them.
///
/// A search in a block of five hundred texts makes nine comparisons, and each of them is a cache miss or two in a block that was not used lately. The
/// first five are with the same texts in every search; here they take three cache lines, which stay in the cache. A word is noted when a search has
/// read it: nothing is read that no search needs.
///
/// Safe for any number of threads, and without a lock: threads that note a word note the same one. 256 bytes a block.
final class ProbeWords: @unchecked Sendable {
  // Unchecked: the pointer never changes, and what it points to are atomics.
  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  private let blocks: Int

  /// Places of a block; the first is unused, so that what follows place `n` is in `2n` and `2n + 1`.
  private static let places = CachePolicy.probeWords

  init(blocks: Int) {
    self.blocks = blocks
    words = .allocate(capacity: blocks * Self.places)
    for place in 0..<blocks * Self.places { (words + place).initialize(to: Atomic(0)) }
  }

  deinit {
    words.deinitialize(count: blocks * Self.places)
    words.deallocate()
  }

  /// Number of runs of a block whose value is below the target.
  ///
  /// - Parameter position: The block's place among the `blocks`.
  func runs(of block: PairBlock, at position: Int, below target: PairTarget) -> Int {
    precondition(position >= 0 && position < blocks, "a block outside of the list")
    let known = words + position * Self.places
    var (low, high, place) = (0, block.runs, 1)
    while low < high, place < Self.places {
      let middle = (low + high) / 2
      var word = known[place].load(ordering: .relaxed)
      // A text without bytes has the word zero as well, and is read every time.
      if word == 0 {
        word = block.word(run: middle)
        known[place].store(word, ordering: .relaxed)
      }
      let isBelow = word != target.word ? word < target.word : block.compare(run: middle, target) < 0
      (low, high, place) = isBelow ? (middle + 1, high, 2 * place + 1) : (low, middle, 2 * place)
    }
    while low < high {
      let middle = (low + high) / 2
      if block.compare(run: middle, target) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
