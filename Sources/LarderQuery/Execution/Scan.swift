import LarderStorage

/// Runs a kernel over the clusters of a class, or over those of given candidates.
struct Scan {
  let context: ExecutionContext
  let classID: ClassID
  let kernel: Kernel?
  /// Restricts the scan to these objects, ascending; nil for all.
  var candidates: [ObjectKey]?

  /// Calls `body` with the matching bits of every cluster that has any, until it returns false.
  func forEachCluster(_ body: (Int, UnsafePointer<UInt64>) throws -> Bool) throws {
    try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 3 * context.stride) { buffer in
      guard let present = buffer.baseAddress else { return }
      let wanted = present + 2 * context.stride
      if let candidates {
        var rest = candidates[...]
        while let first = rest.first {
          let cluster = Int(first.rawValue / UInt64(context.clusterSize))
          take(&rest, cluster, into: wanted)
          guard try context.presence(classID, cluster, into: present) else { continue }
          for index in 0..<context.stride { present[index] &= wanted[index] }
          if !(try visit(cluster, present, body)) { return }
        }
      } else {
        for cluster in 0..<(try context.reader.clusterCount(of: classID)) {
          guard try context.presence(classID, cluster, into: present) else { continue }
          if !(try visit(cluster, present, body)) { return }
        }
      }
    }
  }

  /// Moves the candidates of a cluster into its words.
  private func take(_ rest: inout ArraySlice<ObjectKey>, _ cluster: Int, into words: UnsafeMutablePointer<UInt64>) {
    for index in 0..<context.stride { words[index] = 0 }
    let first = UInt64(cluster) * UInt64(context.clusterSize)
    while let key = rest.first, key.rawValue < first + UInt64(context.clusterSize) {
      let slot = key.rawValue - first
      words[Int(slot >> 6)] |= 1 << (slot & 63)
      rest.removeFirst()
    }
  }

  /// Evaluates the kernel behind the present bits, whose buffer has room for the result.
  @inline(__always)
  private func visit(
    _ cluster: Int, _ present: UnsafeMutablePointer<UInt64>, _ body: (Int, UnsafePointer<UInt64>) throws -> Bool
  ) throws -> Bool {
    context.counters.clustersVisited += 1
    guard let kernel else { return try body(cluster, present) }
    let matched = present + context.stride
    try kernel.evaluate(cluster, present, matched)
    var any: UInt64 = 0
    for index in 0..<context.stride { any |= matched[index] }
    return any == 0 ? true : try body(cluster, matched)
  }

  func keySet() throws -> KeySet {
    var set = KeySet(clusterSize: context.clusterSize, clusters: try context.reader.clusterCount(of: classID))
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
