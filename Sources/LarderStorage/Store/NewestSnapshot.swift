import CSwiftRuntime

/// Remembers the newest snapshot of a store without keeping it alive.
///
/// A weak reference would send every retain of the snapshot over a slower path for good, and each read retains it. Instead
/// snapshots take themselves out when they go. Used under the store's lock, which a snapshot that goes waits for before its memory
/// does.
struct NewestSnapshot {
  private var snapshot: Unmanaged<Snapshot>?
  private var moment = Moment.zero
  /// What is to be reported besides versions.
  var unchangedWrites = UnchangedWrites()

  /// The snapshot, unless its last reference is just going. To be released outside of the lock.
  var retained: Snapshot? {
    guard let snapshot, let found = swift_tryRetain(snapshot.toOpaque()) else { return nil }
    return Unmanaged<Snapshot>.fromOpaque(found).takeRetainedValue()
  }

  /// Remembers a snapshot that is newer than the one before.
  mutating func note(_ newer: Snapshot) {
    guard snapshot == nil || moment < newer.moment else { return }
    snapshot = Unmanaged.passUnretained(newer)
    moment = newer.moment
  }

  /// Called when a snapshot goes.
  mutating func forget(_ ended: Snapshot) {
    unchangedWrites.release(ended.moment.unchangedWrites)
    guard let known = snapshot, known.toOpaque() == Unmanaged.passUnretained(ended).toOpaque() else { return }
    snapshot = nil
  }
}
