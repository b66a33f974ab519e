/// The changes of a transaction that the trees of indexes and backlinks still need, and the trees that it has written.
struct PairTreeChanges {
  /// Pairs that wait for the next flush.
  private(set) var waiting: [PairTreeID: PendingPairs] = [:]
  /// Trees that the transaction has written, so that the base snapshot no longer has them.
  private(set) var written: Set<PairTreeID> = []
  /// The words of texts that a flush gathers for one index are written when they take more bytes than this.
  var limit = HostileSettings.current.memory(CachePolicy.pairBytes)

  /// True if nothing waits.
  var isEmpty: Bool { waiting.isEmpty }

  func isWaiting(_ tree: PairTreeID) -> Bool { waiting[tree] != nil }

  func isWritten(_ tree: PairTreeID) -> Bool { written.contains(tree) }

  /// Returns the pairs that wait for a tree, to be added to.
  mutating func waiting(for tree: PairTreeID, _ codec: PairCodec) -> PendingPairs {
    if let known = waiting[tree] { return known }
    let made = PendingPairs(codec: codec)
    waiting[tree] = made
    return made
  }

  /// The transaction has written a tree.
  mutating func wasWritten(_ tree: PairTreeID) { written.insert(tree) }

  /// Forgets what waits, after a part of the transaction was undone.
  mutating func rollBack(to written: Set<PairTreeID>) {
    forget()
    self.written = written
  }

  /// Forgets what waits: it was written, or the transaction ends.
  mutating func forget() { if !waiting.isEmpty { waiting = [:] } }
}
