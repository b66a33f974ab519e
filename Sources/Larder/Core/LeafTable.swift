import LarderStorage

/// The leaves of one column that one version of a Realm was asked for, by cluster.
///
/// Loops stay in a cluster for a while and need the last leaf only (`_ColumnState`). Programs that read objects here and there,
/// sorted results above all, come back to clusters: after some misses their leaves are kept here, where finding one costs an array
/// access instead of a way through snapshot and directory. Belongs to the Realm's thread.
final class LeafTable {
  private struct Entry {
    var leaf: LeafPointers
    /// Slots of the leaf; -1 while it was not asked for.
    var count: Int32
  }

  // Touched by each read that misses the last leaf: no exclusivity checks.
  @exclusivity(unchecked) private var generation: UInt64 = 0
  @exclusivity(unchecked) private var misses = 0
  @exclusivity(unchecked) private var entries: ContiguousArray<Entry> = []

  /// The leaf of a cluster and the number of its slots, if it is kept.
  @inline(__always)
  func leaf(_ cluster: Int, generation: UInt64) -> (leaf: LeafPointers, count: Int)? {
    guard generation == self.generation, cluster < entries.count else { return nil }
    let entry = entries[cluster]
    return entry.count < 0 ? nil : (entry.leaf, Int(entry.count))
  }

  /// Notes a leaf that had to be looked for.
  ///
  /// - Parameter clusters: The clusters of the class, asked for when the table is made.
  func note(_ leaf: LeafView, _ cluster: Int, generation: UInt64, clusters: () -> Int) {
    if generation != self.generation { forget(generation) }
    if entries.isEmpty {
      misses += 1
      // What is read in order shall not pay for a table.
      guard misses > CachePolicy.missesBeforeLeafTable else { return }
      let count = clusters()
      guard count <= CachePolicy.leafTableClusters else { return misses = 0 }
      entries = ContiguousArray(repeating: Entry(leaf: .none, count: -1), count: count)
    }
    if cluster < entries.count {
      entries[cluster] = Entry(leaf: leaf.pointers, count: Int32(truncatingIfNeeded: leaf.count))
    }
  }

  private func forget(_ generation: UInt64) {
    self.generation = generation
    misses = 0
    entries = []
  }
}
