import LarderLMDB
import LarderLocks

/// Sparse leaves that were expanded lately, for all snapshots of a store: one that no commit changed is expanded once.
///
/// A leaf is known by its key and its checksum. What is no longer kept here lives on in the snapshots that read it. Safe for any number of threads.
final class ExpandedLeaves: Sendable {
  private struct Name: Hashable {
    var key: UInt64
    var checksum: UInt64
  }

  /// Two generations: when the young leaves fill half of the room, the old ones go and the young ones are the old ones.
  private struct Generations {
    var young: [Name: OwnedLeaf] = [:]
    var old: [Name: OwnedLeaf] = [:]
    var youngBytes = 0
  }

  private let limit: Int
  private let generations = Lock(Generations())

  /// - Parameter limit: Bytes that are kept.
  init(limit: Int = CachePolicy.expandedBytes) { self.limit = limit }

  /// The whole leaf of a sparse one, whose checksum was verified; throws `corrupted` when it contradicts itself. O(K) the first time.
  func leaf(_ stored: ByteView, key: UInt64) throws(StorageError) -> OwnedLeaf {
    let name = Name(key: key, checksum: stored.load(0))
    if let known = generations.withLock({ Self.find(name, &$0, limit) }) { return known }
    let made = OwnedLeaf(try SparseLeaf(stored).expanded(key: key))
    generations.withLock { Self.keep(made, name, &$0, limit) }
    return made
  }

  private static func find(_ name: Name, _ generations: inout Generations, _ limit: Int) -> OwnedLeaf? {
    if let known = generations.young[name] { return known }
    guard let known = generations.old[name] else { return nil }
    keep(known, name, &generations, limit)
    return known
  }

  private static func keep(_ leaf: OwnedLeaf, _ name: Name, _ generations: inout Generations, _ limit: Int) {
    let size = leaf.view.count + 96
    if generations.youngBytes + size > limit / 2 {
      generations.old = generations.young
      generations.young = [:]
      generations.youngBytes = 0
    }
    if generations.young.updateValue(leaf, forKey: name) == nil { generations.youngBytes += size }
  }
}
