/// The place of a snapshot in the order of what happens in a store, as one process sees it: versions and, between them, writes of this process that
/// assigned only what was there already. These make no version, and observers are notified of them all the same (N-14).
package struct Moment: Hashable, Comparable, Sendable {
  package let version: UInt64
  /// The number of such writes before.
  package let unchangedWrites: UInt64

  package init(version: UInt64, unchangedWrites: UInt64 = 0) {
    self.version = version
    self.unchangedWrites = unchangedWrites
  }

  package static let zero = Moment(version: 0)

  package static func < (one: Moment, other: Moment) -> Bool {
    (one.version, one.unchangedWrites) < (other.version, other.unchangedWrites)
  }

  /// Returns the number of commits between this and an earlier moment, versions or not.
  package func commits(since earlier: Moment) -> UInt64 {
    version - min(version, earlier.version) + unchangedWrites - min(unchangedWrites, earlier.unchangedWrites)
  }
}
