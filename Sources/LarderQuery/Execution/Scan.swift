import LarderStorage

/// Runs a kernel over the clusters of a class, or over those of given candidates.
struct Scan {
  let context: ExecutionContext
  let classID: ClassID
  let kernel: Kernel?
  /// The clusters before it are left out.
  var firstCluster = 0
  /// Restricts the scan to these objects, ascending; nil for all.
  var candidates: [ObjectKey]?

  /// Calls `body` with the matching bits of every cluster that has any, until it returns false.
  func forEachCluster(_ body: (Int, UnsafePointer<UInt64>) throws -> Bool) throws {
    try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 3 * context.stride) { buffer in
      guard let present = buffer.baseAddress else { return }
      let wanted = present + 2 * context.stride
      if let candidates {
        var next = 0
        while next < candidates.count {
          let cluster = Int(candidates[next].rawValue / UInt64(context.clusterSize))
          next = take(candidates, from: next, cluster, into: wanted)
          guard try context.presence(classID, cluster, into: present) else { continue }
          for index in 0..<context.stride { present[index] &= wanted[index] }
          if !(try visit(cluster, present, body)) { return }
        }
      } else {
        for cluster in try context.reader.liveClusters(of: classID) where cluster >= firstCluster {
          guard try context.presence(classID, cluster, into: present) else { continue }
          if !(try visit(cluster, present, body)) { return }
        }
      }
    }
  }

  /// Writes the candidates of a cluster into its words; returns the position after them.
  private func take(
    _ candidates: [ObjectKey], from start: Int, _ cluster: Int, into words: UnsafeMutablePointer<UInt64>
  ) -> Int {
    for index in 0..<context.stride { words[index] = 0 }
    let first = UInt64(cluster) * UInt64(context.clusterSize)
    var next = start
    while next < candidates.count {
      let slot = candidates[next].rawValue &- first
      guard slot < UInt64(context.clusterSize) else { break }
      words[Int(slot >> 6)] |= 1 << (slot & 63)
      next += 1
    }
    return next
  }

  /// Evaluates the kernel after the present bits, whose buffer has room for the result.
  @inline(__always)
  private func visit(
    _ cluster: Int, _ present: UnsafeMutablePointer<UInt64>, _ body: (Int, UnsafePointer<UInt64>) throws -> Bool
  ) throws -> Bool {
    context.counters.clustersVisited += 1
    guard let kernel else { return try body(cluster, present) }
    for index in 0..<context.stride { context.counters.objectsExamined &+= present[index].nonzeroBitCount }
    let matched = present + context.stride
    try kernel.evaluate(cluster, present, matched)
    var any: UInt64 = 0
    for index in 0..<context.stride { any |= matched[index] }
    return any == 0 ? true : try body(cluster, matched)
  }

  func keySet() throws -> KeySet {
    var set = KeySet(clusterSize: context.clusterSize, clusters: try context.reader.liveClusters(of: classID))
    try forEachCluster { cluster, words in
      set.set(cluster: cluster, words)
      return true
    }
    return set
  }

  func keys(limit: Int = .max) throws -> [ObjectKey] {
    var keys: [ObjectKey] = []
    guard limit > 0 else { return [] }
    try forEachCluster { cluster, words in
      KeySet.append(cluster, words, clusterSize: context.clusterSize, stride: context.stride, to: &keys)
      return keys.count < limit
    }
    return keys.count > limit ? Array(keys.prefix(limit)) : keys
  }

  func count() throws -> Int {
    var count = 0
    let stride = context.stride
    try forEachCluster { _, words in
      for index in 0..<stride { count &+= words[index].nonzeroBitCount }
      return true
    }
    return count
  }
}
