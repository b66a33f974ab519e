import LarderStorage

/// The objects of a class that exist, for keys in any order: keeps the bits of the clusters that it has seen.
///
/// Belongs to one thread. The reader must not change meanwhile.
package final class ObjectPresence {
  private let reader: any StoreReader
  private let classID: ClassID
  private let clusterSize: UInt64
  private let clusters: LiveClusters
  private var leaves: [LeafView?]
  private var isLoaded: [Bool]
  private let current: UnsafeMutablePointer<Current>

  /// The cluster that was asked about last.
  private struct Current {
    var first: UInt64 = 0
    /// Keys that it answers for; 0 before the first question.
    var size: UInt64 = 0
    /// Keys that the bits are of.
    var count: UInt64 = 0
    var bits: LeafPointers?
  }

  /// Throws `StorageError` for a class that the store does not have.
  package init(_ reader: any StoreReader, _ classID: ClassID) throws {
    (self.reader, self.classID) = (reader, classID)
    clusterSize = UInt64(reader.clusterSize)
    clusters = try reader.liveClusters(of: classID)
    leaves = Array(repeating: nil, count: clusters.count)
    isLoaded = Array(repeating: false, count: clusters.count)
    current = .allocate(capacity: 1)
    current.initialize(to: Current())
  }

  deinit {
    current.deinitialize(count: 1)
    current.deallocate()
  }

  /// Returns true if there is an object with a key. Some nanoseconds where its cluster is that of the key before.
  package func contains(_ key: UInt64) throws -> Bool {
    if key &- current.pointee.first >= current.pointee.size { try load(key) }
    let slot = key &- current.pointee.first
    guard slot < current.pointee.count, let bits = current.pointee.bits else { return false }
    return bits.bool(Int(truncatingIfNeeded: slot))
  }

  private func load(_ key: UInt64) throws {
    let cluster = key / clusterSize
    let leaf = try leaf(Int(truncatingIfNeeded: min(cluster, UInt64(UInt32.max))))
    current.pointee = Current(
      first: cluster * clusterSize, size: clusterSize, count: UInt64(leaf?.count ?? 0), bits: leaf?.pointers)
  }

  private func leaf(_ cluster: Int) throws -> LeafView? {
    var place = cluster
    if let numbers = clusters.numbers {
      guard let found = LiveClusters.position(of: cluster, in: numbers) else { return nil }
      place = found
    }
    guard place < leaves.count else { return nil }
    if !isLoaded[place] {
      leaves[place] = try reader.presence(classID, cluster: cluster)
      isLoaded[place] = true
    }
    return leaves[place]
  }

  /// The keys of the objects within a range, ascending or descending, at most `limit` of them. Reads no cluster outside of the range, and
  /// none after the limit.
  package func keys(in range: ClosedRange<UInt64>, descending: Bool = false, limit: Int = .max) throws -> [ObjectKey] {
    var keys: [ObjectKey] = []
    let order = descending ? AnySequence(clusters.reversed()) : AnySequence(clusters)
    for cluster in order where keys.count < limit {
      let first = UInt64(cluster) * clusterSize
      guard first <= range.upperBound, first + (clusterSize - 1) >= range.lowerBound,
        let leaf = try leaf(cluster), leaf.count > 0
      else { continue }
      let lowest = Int(max(range.lowerBound, first) - first)
      let highest = Int(min(range.upperBound - first, UInt64(leaf.count - 1)))
      guard lowest <= highest else { continue }
      let slots = lowest...highest
      let found = slots.lazy.filter { leaf.bool($0) }.map { ObjectKey(rawValue: first + UInt64($0)) }
      keys.append(contentsOf: descending ? found.reversed() : Array(found))
    }
    return keys.count > limit ? Array(keys.prefix(limit)) : keys
  }
}
