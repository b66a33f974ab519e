import LarderLMDB
import LarderLocks

/// Sparse leaves that were expanded lately, for all snapshots of a store: one that no commit changed is expanded once.
///
/// A leaf is known by its key and its checksum; of the leaves of one key the one that was asked for last is kept, since each commit that changes
/// it makes another. What is no longer kept here lives on in the snapshots that read it. Safe for any number of threads.
final class ExpandedLeaves: Sendable {
  private struct Kept {
    var checksum: UInt64
    var leaf: OwnedLeaf

    /// The approximate number of bytes that it takes.
    var bytes: Int { leaf.view.count + 96 }
  }

  /// Two generations by key: when the young leaves fill half of the room, or after some versions, the old ones go and the young ones
  /// are the old ones.
  private struct Generations {
    var young: [UInt64: Kept] = [:]
    var old: [UInt64: Kept] = [:]
    var youngBytes = 0
    /// The version at which the young ones began.
    var begin: UInt64 = 0

    mutating func age() {
      old = young
      young = [:]
      youngBytes = 0
    }

    /// A leaf of a version is asked for.
    mutating func reach(_ version: UInt64) {
      guard version > begin, version - begin >= CachePolicy.expandedVersions else { return }
      age()
      if version - begin >= 2 * CachePolicy.expandedVersions { old = [:] }
      begin = version
    }
  }

  private let limit: Int
  private let generations = Lock(Generations())

  /// - Parameter limit: Bytes that are kept.
  init(limit: Int = CachePolicy.expandedBytes) { self.limit = limit }

  /// Leaves that are kept.
  var count: Int { generations.withLock { $0.young.count + $0.old.count } }

  /// The whole leaf of a sparse one, whose checksum was verified; throws `corrupted` when it contradicts itself. O(K) the first time.
  func leaf(_ stored: ByteView, key: UInt64, version: UInt64) throws(StorageError) -> OwnedLeaf {
    let checksum: UInt64 = stored.load(0)
    let known = generations.withLock { generations in
      generations.reach(version)
      return Self.find(key, checksum, &generations, limit)
    }
    if let known { return known }
    let made = OwnedLeaf(try SparseLeaf(stored).expanded(key: key))
    generations.withLock { Self.keep(Kept(checksum: checksum, leaf: made), key, &$0, limit) }
    return made
  }

  private static func find(
    _ key: UInt64, _ checksum: UInt64, _ generations: inout Generations, _ limit: Int
  ) -> OwnedLeaf? {
    if let known = generations.young[key], known.checksum == checksum { return known.leaf }
    guard let known = generations.old[key], known.checksum == checksum else { return nil }
    keep(known, key, &generations, limit)
    return known.leaf
  }

  private static func keep(_ leaf: Kept, _ key: UInt64, _ generations: inout Generations, _ limit: Int) {
    generations.youngBytes -= generations.young.removeValue(forKey: key)?.bytes ?? 0
    generations.old[key] = nil
    if generations.youngBytes + leaf.bytes > limit / 2 { generations.age() }
    generations.young[key] = leaf
    generations.youngBytes += leaf.bytes
  }
}
