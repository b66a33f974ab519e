/// The memory of the clusters and columns that a transaction decodes, and the stamp that tells that views of them may be out of date.
struct ClusterCache {
  /// Highest key of table `clusters`, so that keys above it can be appended.
  var lastLeafWord: UInt64?
  /// Changes whenever decoded columns may have been written out, encoded or released.
  private(set) var stamp: UInt64 = 0
  /// Estimated bytes of decoded columns.
  private(set) var decodedBytes = 0
  /// Decoded columns are to be written out when they take more than this.
  var decodedLimit = HostileSettings.current.memory(CachePolicy.decodedBytes)

  /// Sparse leaves of the transaction itself as they were read, by their keys.
  private(set) var expanded: [UInt64: OwnedLeaf] = [:]

  /// True if a leaf was written that only builds with `FeatureBits.packedLeaves` can read.
  var usesPackedLeaves = false

  init(lastLeafWord: UInt64?) { self.lastLeafWord = lastLeafWord }

  @inline(__always)
  var isOverLimit: Bool { decodedBytes > decodedLimit }

  /// Counts bytes that were decoded or that were added to a column.
  @inline(__always)
  mutating func count(_ bytes: Int) { decodedBytes += bytes }

  /// Notes that the code which keeps decoded columns or views of leaves has to look for them again.
  @inline(__always)
  mutating func viewsChanged() { stamp &+= 1 }

  /// Keeps an expanded leaf for as long as a view of LMDB's own memory would be valid.
  mutating func keep(_ leaf: OwnedLeaf, _ word: UInt64) { expanded[word] = leaf }

  /// A leaf is going to be put in the place of another.
  @inline(__always)
  mutating func willPut(_ word: UInt64) { if !expanded.isEmpty { expanded[word] = nil } }

  /// Everything decoded was written out.
  mutating func wasWritten() {
    decodedBytes = 0
    expanded = [:]
  }

  /// Forgets what was counted, after a part of the transaction was undone.
  mutating func rollBack(to lastLeafWord: UInt64?) {
    viewsChanged()
    wasWritten()
    self.lastLeafWord = lastLeafWord
  }
}
