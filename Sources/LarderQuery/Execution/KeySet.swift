import LarderStorage

/// Objects of one class as bits, cluster by cluster: `stride` words each, slot by slot.
struct KeySet: Sendable {
  package let clusterSize: Int
  /// Words per cluster.
  package let stride: Int
  package private(set) var words: [UInt64]
  /// The clusters that have words; nil for all in order.
  private let numbers: [Int]?

  /// No keys yet, with room for those of some clusters.
  package init(clusterSize: Int, clusters: LiveClusters) {
    self.clusterSize = clusterSize
    self.stride = Bitmap.wordCount(clusterSize)
    self.words = Array(repeating: 0, count: clusters.count * stride)
    numbers = clusters.numbers
  }

  /// Returns the position at which the words of a cluster begin; beyond the end where it has none.
  @inline(__always)
  private func place(_ cluster: Int) -> Int {
    guard let numbers else { return cluster &* stride }
    return (LiveClusters.position(of: cluster, in: numbers) ?? numbers.count) &* stride
  }

  @inline(__always)
  package func contains(_ key: UInt64) -> Bool {
    let (cluster, slot) = key.quotientAndRemainder(dividingBy: UInt64(clusterSize))
    guard cluster < UInt64(UInt32.max) else { return false }
    let index = place(Int(truncatingIfNeeded: cluster)) &+ Int(slot >> 6)
    guard index < words.count else { return false }
    return words[index] >> (slot & 63) & 1 != 0
  }

  /// Adds a key; keys beyond the clusters are dropped.
  package mutating func insert(_ key: ObjectKey) {
    let (cluster, slot) = key.rawValue.quotientAndRemainder(dividingBy: UInt64(clusterSize))
    guard cluster < UInt64(UInt32.max) else { return }
    let index = place(Int(truncatingIfNeeded: cluster)) &+ Int(slot >> 6)
    guard index < words.count else { return }
    words[index] |= 1 << (slot & 63)
  }

  package mutating func set(cluster: Int, _ source: UnsafePointer<UInt64>) {
    let first = place(cluster)
    guard first < words.count else { return }
    for index in 0..<stride { words[first &+ index] = source[index] }
  }

  /// Writes the keys of a cluster that are among the candidates.
  @inline(__always)
  func words(
    cluster: Int, and candidates: UnsafePointer<UInt64>, into result: UnsafeMutablePointer<UInt64>
  ) {
    let first = place(cluster)
    for index in 0..<stride {
      result[index] = first + index < words.count ? words[first + index] & candidates[index] : 0
    }
  }

  /// Adds the keys of another set that has room for the same clusters.
  package mutating func formUnion(_ other: KeySet) {
    for index in 0..<min(words.count, other.words.count) { words[index] |= other.words[index] }
  }

  package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Calls `body` with the words of each cluster that has any bit.
  package func forEachCluster(_ body: (Int, UnsafePointer<UInt64>) throws -> Bool) rethrows {
    try words.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for position in 0..<words.count / stride {
        let first = base + position * stride
        var any: UInt64 = 0
        for index in 0..<stride { any |= first[index] }
        if any != 0, !(try body(numbers?[position] ?? position, first)) { return }
      }
    }
  }

  /// The keys, ascending.
  package var keys: [ObjectKey] {
    var keys: [ObjectKey] = []
    keys.reserveCapacity(count)
    forEachCluster { cluster, words in
      Self.append(cluster, words, clusterSize: clusterSize, stride: stride, to: &keys)
      return true
    }
    return keys
  }

  /// Appends the keys of a cluster's set bits.
  @inline(__always)
  static func append(
    _ cluster: Int, _ words: UnsafePointer<UInt64>, clusterSize: Int, stride: Int, to keys: inout [ObjectKey]
  ) {
    let first = UInt64(cluster) &* UInt64(clusterSize)
    for index in 0..<stride {
      var word = words[index]
      let base = first &+ UInt64(index << 6)
      // Most clusters are full: one question for room and for who else has the array, instead of one for each key.
      if word == .max {
        keys.append(contentsOf: (base..<base &+ 64).lazy.map { ObjectKey(rawValue: $0) })
        continue
      }
      while word != 0 {
        keys.append(ObjectKey(rawValue: base &+ UInt64(word.trailingZeroBitCount)))
        word &= word &- 1
      }
    }
  }
}
