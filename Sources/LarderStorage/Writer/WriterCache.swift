/// The classes of a transaction that has committed, each with the cluster it changed last, decoded: the next transaction often
/// goes on there.
final class WriterCache: CachedWriter, @unchecked Sendable {
  // Unchecked: one transaction lets go of it before the next one gets it, and the store's lock is between.
  let version: UInt64
  /// By class number.
  let classes: [ClassWriter?]
  /// Highest key of table `clusters`.
  let lastLeafWord: UInt64?

  /// The presence of consumers that follow the log, and the transaction of LMDB after which it was so; nil where it is not known.
  private let consumers: (exist: Bool, transactionID: UInt64)?

  /// Takes over the classes of a transaction that has just ended.
  ///
  /// - Parameter transactionID: The transaction of LMDB that made the version; nil when that was the one that has just ended, in which
  ///   someone may have begun to follow the log.
  init(
    version: UInt64, after transactionID: UInt64?, _ classes: [ClassWriter?], _ cache: ClusterCache,
    _ recorder: ChangeRecorder
  ) {
    self.version = version
    consumers = transactionID.map { (recorder.needsPrimaryKeys, $0) }
    self.classes = classes
    lastLeafWord = cache.lastLeafWord
    var bytes = 0
    for case let owner? in classes {
      if owner.written.isEmpty, owner.firstNewKey == owner.nextKey {
        bytes += owner.current?.decodedBytes ?? 0
        if bytes > CachePolicy.writerBytes { owner.current = nil }
      }
      owner.becomeBase()
    }
  }

  /// Returns true if a consumer follows the log at a version; nil where that must be looked up.
  func hasConsumers(at base: Snapshot) -> Bool? {
    consumers.flatMap { $0.transactionID == base.transaction.transactionID ? $0.exist : nil }
  }
}
