import LarderLMDB

/// Remembers the newest snapshot of a store without keeping it alive.
///
/// Snapshots take themselves out when they go. Used under the store's lock, which a snapshot that goes waits for before its memory
/// does.
struct NewestSnapshot {
  private var snapshot: UncountedReference<Snapshot>?
  private var moment = Moment.zero
  /// The writes to report besides versions.
  var unchangedWrites = UnchangedWrites()

  /// The snapshot, unless its last reference is just going. To be released outside of the lock.
  var retained: Snapshot? { snapshot?.retained }

  /// Remembers a snapshot that is newer than the one before.
  mutating func note(_ newer: Snapshot) {
    guard snapshot == nil || moment < newer.moment else { return }
    snapshot = UncountedReference(newer)
    moment = newer.moment
  }

  /// Called when a snapshot goes.
  mutating func forget(_ ended: Snapshot) {
    unchangedWrites.release(ended.moment.unchangedWrites)
    guard let known = snapshot, known.refers(to: ended) else { return }
    snapshot = nil
  }
}
