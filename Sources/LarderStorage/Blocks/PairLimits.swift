/// Sizes of the blocks of a pair tree. Tests lower them; a store uses the defaults.
package struct PairLimits: Hashable, Sendable {
  /// Most pairs in a block, unless they are all copies of one pair.
  ///
  /// At 480, four-byte keys and few distinct values stay below the 2,006 bytes that LMDB keeps inline beside a 24-byte
  /// key: two blocks share a page.
  package var pairs = 480
  /// Most bytes in an encoded block: one overflow page, less its header.
  package var bytes = 4_064

  /// Longest byte string kept whole. Twice as many bytes (all escaped) and the rest of the key fit in LMDB's 511.
  package static let valueBytes = 240

  package init(pairs: Int = 480, bytes: Int = 4_064) {
    precondition(pairs >= 2 && bytes >= 512, "a block must have room for two pairs of any size")
    self.pairs = pairs
    self.bytes = bytes
  }
}
