/// The classes of a transaction that has committed, each with the cluster it changed last, decoded: the next transaction often
/// goes on there.
final class WriterCache: CachedWriter, @unchecked Sendable {
  // Unchecked: one transaction lets go of it before the next one gets it, and the store's lock is between.
  let version: UInt64
  /// By class number.
  let classes: [ClassWriter?]
  /// Highest key of table `clusters`.
  let lastLeafWord: UInt64?

  /// Takes over the classes of a transaction that has just committed.
  init(version: UInt64, classes: [ClassWriter?], lastLeafWord: UInt64?) {
    self.version = version
    self.classes = classes
    self.lastLeafWord = lastLeafWord
    var bytes = 0
    for case let owner? in classes {
      if owner.written.isEmpty, owner.firstNewKey == owner.nextKey {
        bytes += owner.current?.decodedBytes ?? 0
        if bytes > CachePolicy.writerBytes { owner.current = nil }
      }
      owner.becomeBase()
    }
  }
}
