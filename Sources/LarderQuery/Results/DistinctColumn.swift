import LarderStorage

/// Keeps the first object of each value of one column of the class, reading the column's leaves.
struct DistinctColumn {
  private let context: ExecutionContext
  private let access: ColumnAccess
  private var seen: SeenValues
  private var result: [ObjectKey] = []
  private let limit: Int

  /// - Returns: Nil for a column of another class, and for types that are compared by meaning.
  init?(_ context: ExecutionContext, _ classID: ClassID, _ path: BoundPath, limit: Int) throws {
    guard path.links.isEmpty, let seen = SeenValues(path.type) else { return nil }
    self.context = context
    self.seen = seen
    self.limit = limit
    access = try ColumnAccess(context, classID, path.column)
  }

  /// The first objects of given ones, in their order.
  func apply(_ keys: [ObjectKey]) throws -> [ObjectKey] {
    var run = self
    try access.forEachRun(keys.map(\.rawValue)) { positions, first, leaf in
      for position in positions where run.result.count < limit {
        try run.visit(keys[position], Int(truncatingIfNeeded: keys[position].rawValue &- first), leaf)
      }
    }
    return run.result
  }

  /// The first objects of all that a scan finds, in the order of keys.
  func apply(_ scan: Scan) throws -> [ObjectKey] {
    guard limit > 0 else { return [] }
    var run = self
    let size = UInt64(context.clusterSize)
    try scan.forEachCluster { cluster, words in
      let leaf = try context.leaf(access.classID, access.column.id, cluster)
      if let leaf, leaf.count > 0, run.seen.hasAllValues(of: leaf), run.hasNoOthers(leaf, words, context.stride) {
        context.counters.clustersSkipped += 1
        return true
      }
      try run.visit(words, UInt64(cluster) * size, leaf)
      return run.result.count < limit
    }
    return run.result
  }

  /// Returns true if no chosen slot is null or beyond the end of the leaf; a null that was seen is none.
  private func hasNoOthers(_ leaf: LeafView, _ words: UnsafePointer<UInt64>, _ stride: Int) -> Bool {
    let pointers = leaf.pointers
    for index in 0..<stride {
      let rest = leaf.count - index << 6
      var others = words[index]
      if rest >= 64 {
        others = seen.hasNull ? 0 : others & pointers.nullWord(index)
      } else if rest > 0 {
        let inside: UInt64 = 1 << UInt64(rest) - 1
        others &= ~inside | (seen.hasNull ? 0 : pointers.nullWord(index))
      }
      if others != 0 { return false }
    }
    return true
  }

  private mutating func visit(_ words: UnsafePointer<UInt64>, _ first: UInt64, _ leaf: LeafView?) throws {
    // The values of a byte that were looked up for this leaf.
    var known = ByteFlags()
    let isNarrow = leaf.map { $0.type == .int && $0.width == 1 } ?? false
    for index in 0..<context.stride {
      var word = words[index]
      while word != 0 {
        let slot = index << 6 &+ word.trailingZeroBitCount
        word &= word &- 1
        if isNarrow, let leaf, slot < leaf.count, !leaf.pointers.isNull(slot) {
          let offset = UInt64(bitPattern: leaf.pointers.int(slot) &- leaf.base)
          if offset < 256 {
            if known.contains(offset) { continue }
            known.insert(offset)
          }
        }
        try visit(ObjectKey(rawValue: first &+ UInt64(slot)), slot, leaf)
        if result.count >= limit { return }
      }
    }
  }

  private mutating func visit(_ key: ObjectKey, _ slot: Int, _ leaf: LeafView?) throws {
    let isNew: Bool
    if let leaf, slot < leaf.count {
      let pointers = leaf.pointers
      if pointers.isNull(slot) {
        isNew = seen.insertNull()
      } else if pointers.isLarge(slot) {
        isNew = seen.insert(try context.reader.largeValue(access.classID, access.column.id, key))
      } else {
        isNew = seen.insert(pointers, slot)
      }
    } else {
      isNew = seen.insert(access.initial)
    }
    if isNew { result.append(key) }
  }
}

/// A set of those of 256 values that were met.
private struct ByteFlags {
  private var words = SIMD4<UInt64>.zero

  @inline(__always)
  func contains(_ value: UInt64) -> Bool { words[Int(value >> 6)] >> (value & 63) & 1 != 0 }

  @inline(__always)
  mutating func insert(_ value: UInt64) { words[Int(value >> 6)] |= 1 << (value & 63) }
}
