/// The limits of each cache. What each gives, measured, is in `docs/decisions/0022-caches.md`: a cache without a gain does not stay.
///
/// Bounds of memory within a write transaction are here too: what is above them is written out, not forgotten.
package enum CachePolicy {
  // MARK: - A store, whatever the version

  /// Checksums that were compared, as powers of two of 8-byte marks in each of the two tables of a store: 4 KiB at first, 256 KiB at most
  /// (`VerifiedBlocks`).
  static let leastVerifiedBits: UInt64 = 9
  static let verifiedBits: UInt64 = 15
  /// Bytes of sparse leaves as readers see them (`ExpandedLeaves`).
  static let expandedBytes = 32 << 20
  /// Versions for which such a leaf is kept that no one asks for: clusters come and go, and none of their leaves is asked for again.
  static let expandedVersions: UInt64 = 1_024
  /// Bytes of decoded columns that a commit leaves to the next transaction, of classes that it did not change (`WriterCache`).
  static let writerBytes = 2 << 20

  // MARK: - A snapshot

  /// The number of visited blocks that take as long as a seek (`IndexDirectory`).
  static let blocksOfSeek = 8
  /// Blocks, or seeks worth as many, that users of an index go through before it gets a list in the snapshot. Making one costs a visit of
  /// each block, so that large classes wait longer; sealed blocks have to be opened, all of them, which most have been when this is due.
  static func blocksBeforeList(objects: Int, areSealed: Bool) -> Int {
    max(16 * blocksOfSeek, areSealed ? objects / 30 : objects / 480 / 4)
  }
  /// Words of each block of texts that searches in it begin with, a power of two: 256 bytes beside the block's some ten thousand
  /// (`ProbeWords`).
  static let probeWords = 32

  // MARK: - A list that is read

  /// Chunks of one list that were looked for from its root before a reader makes a directory of it (`ListDirectory`); more where making it
  /// costs more.
  static let descentsBeforeDirectory = 16
  /// Most leaf chunks that a directory is made for: at 108 bytes each, 7 MiB, beside 256 MiB of elements.
  static let directoryChunks = 65_536

  // MARK: - A write transaction

  /// Bytes of decoded columns before they are written out (`ClusterCache`).
  static let decodedBytes = 96 << 20
  /// Bytes of open lists before they are written out (`OpenLists`).
  static let listBytes = 64 << 20
  /// Lists that may be open at a time.
  static let openLists = 8_192
  /// Bytes of words of texts that a flush gathers for one index (`PairTreeChanges`).
  static let pairBytes = 64 << 20

  // MARK: - Queries

  /// Parsed texts that a process keeps (`PredicateCache`).
  package static let predicateTexts = 256
  /// Bytes of the longest text that is kept: longer ones were put together by a program, and hardly come again.
  package static let longestPredicate = 512
  /// Bound comparisons that a Realm keeps.
  package static let boundComparisons = 16
  /// Key paths of conditions written in Swift whose names a process keeps, a power of two (`QueryNames`).
  package static let queryNames = 64

  // MARK: - Live data

  /// Returns the most entries of `SortKeyCache` for so many anchors: the values that anchors of a sorted, observed query are sorted by, kept between
  /// steps.
  package static func sortKeys(anchors: Int) -> Int { 2 * anchors + 256 }
  /// Leaves that were not the last one read, in one version, before a Realm keeps a table of a column's leaves (`LeafTable`).
  package static let missesBeforeLeafTable = 64
  /// Most clusters that such a table is made for: at 80 bytes each, 5 MiB.
  package static let leafTableClusters = 65_536
}
