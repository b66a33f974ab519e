import LarderStorage

/// Reads one column for any keys, keeping the leaves it has seen.
final class ColumnAccess {
  let context: ExecutionContext
  let classID: ClassID
  let column: ColumnDescriptor
  /// The value of slots without a stored one.
  let initial: StoredValue
  /// The clusters that the arrays have places for; nil for all in order.
  private let numbers: [Int]?
  private var leaves: [LeafView?]
  private var isLoaded: [Bool]

  init(_ context: ExecutionContext, _ classID: ClassID, _ column: ColumnID) throws {
    self.context = context
    self.classID = classID
    self.column = try context.reader.descriptor(classID, column)
    self.initial = .initial(self.column)
    let clusters = try context.reader.liveClusters(of: classID)
    numbers = clusters.numbers
    leaves = Array(repeating: nil, count: clusters.count)
    isLoaded = Array(repeating: false, count: clusters.count)
  }

  /// The leaf of a cluster; nil when none is stored.
  @inline(__always)
  func leaf(_ cluster: Int) throws -> LeafView? {
    var place = cluster
    if let numbers {
      guard let found = LiveClusters.position(of: cluster, in: numbers) else { return nil }
      place = found
    }
    guard place < leaves.count else { return nil }
    if isLoaded[place] { return leaves[place] }
    let leaf = try context.leaf(classID, column.id, cluster)
    leaves[place] = leaf
    isLoaded[place] = true
    return leaf
  }

  /// Splits keys into runs that are in one cluster: `body` gets the positions, the key of slot 0 and the leaf.
  @inline(__always)
  func forEachRun(_ keys: [UInt64], _ body: (Range<Int>, UInt64, LeafView?) throws -> Void) throws {
    let size = UInt64(context.clusterSize)
    var start = 0
    while start < keys.count {
      let cluster = keys[start] / size
      let first = cluster &* size
      var end = start + 1
      while end < keys.count, keys[end] >= first, keys[end] - first < size { end += 1 }
      try body(start..<end, first, try leaf(Int(truncatingIfNeeded: min(cluster, UInt64(UInt32.max)))))
      start = end
    }
  }

  /// The bytes of a string or data value, wherever they live; nil for null.
  func withBytes<R>(_ key: UInt64, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R? {
    let (cluster, slot) = key.quotientAndRemainder(dividingBy: UInt64(context.clusterSize))
    guard let leaf = try leaf(Int(cluster)), Int(slot) < leaf.count else {
      return try initial.textBytes.map { try $0.withUnsafeBytes(body) }
    }
    if leaf.isNull(Int(slot)) { return nil }
    if leaf.isLarge(Int(slot)) {
      return try context.reader.largeValue(classID, column.id, ObjectKey(rawValue: key)).withUnsafeBytes(body)
    }
    return try body(leaf.bytes(Int(slot)))
  }

  /// Any value that is no link.
  func value(_ key: UInt64) throws -> StoredValue {
    let (cluster, slot) = key.quotientAndRemainder(dividingBy: UInt64(context.clusterSize))
    guard let leaf = try leaf(Int(cluster)), Int(slot) < leaf.count else { return initial }
    if leaf.isLarge(Int(slot)) {
      return try StoredValue(
        bytes: try context.reader.largeValue(classID, column.id, ObjectKey(rawValue: key)), type: column.type)
    }
    return try leaf.value(Int(slot))
  }
}

/// "No object" where keys are raw numbers.
let noKey = UInt64.max

extension ExecutionContext {
  /// Follows a to-one link from many objects; `noKey` where the link is nil or leads nowhere.
  func follow(_ step: LinkStep, _ classID: ClassID, _ keys: [UInt64]) throws -> [UInt64] {
    let access = try ColumnAccess(self, classID, step.column)
    let live = try liveKeys(step.target)
    var result = [UInt64](repeating: noKey, count: keys.count)
    try access.forEachRun(keys) { positions, first, leaf in
      guard let leaf else { return }
      for position in positions where keys[position] != noKey {
        let slot = Int(truncatingIfNeeded: keys[position] &- first)
        guard slot < leaf.count, let target = leaf.link(slot), live.contains(target.rawValue) else { continue }
        result[position] = target.rawValue
      }
    }
    return result
  }
}
