import LarderStorage

/// The version that a Realm is at, and the numbers by which others notice that it has moved.
struct RealmVersion {
  /// Nil until something is read, and after `invalidate()`.
  private(set) var snapshot: Snapshot?
  /// Changes with every move to another version, and when a transaction begins or ends; part of the tag of every object.
  private(set) var generation: UInt32 = 1
  /// Changes of the open write transaction: collections that were evaluated before one are evaluated again.
  private(set) var changes: UInt32 = 0
  /// Changes with `invalidate()`.
  private(set) var epoch: UInt32 = 0

  init(_ snapshot: Snapshot?) { self.snapshot = snapshot }

  /// Differs whenever contents read before may have changed.
  @inline(__always)
  var stamp: UInt64 { UInt64(generation) << 32 | UInt64(changes) }

  mutating func move(to newest: Snapshot?) {
    snapshot = newest
    generation &+= 1
  }

  /// Makes contents that were read before be read again, though the version is the same.
  mutating func reset() { generation &+= 1 }

  @inline(__always)
  mutating func noteChange() { changes &+= 1 }

  /// Ends everything that was made before.
  mutating func beginEpoch() { epoch &+= 1 }
}
