import LarderStorage

/// The decision about a predicate: the scan, or a path with the conditions that it leaves open.
struct Selection {
  let context: ExecutionContext
  let classID: ClassID
  let predicate: BoundPredicate
  /// The predicate's kernel, for the scan of all objects.
  let kernel: Kernel
  /// nil: the scan.
  var path: (any AccessPath)?
  /// The conditions that are left to evaluate for the objects of the path.
  var remaining: BoundPredicate?
  /// Rough nanoseconds that all takes.
  var cost: Double
  /// Number of objects, or an upper bound.
  var estimate: Int

  /// The matching objects, ascending, at most `limit`.
  func keys(limit: Int = .max) throws -> [ObjectKey] {
    try context.record(scanNode, rows: { $0.count }) {
      guard let path else { return try scan(nil).keys(limit: limit) }
      let found = try context.find(path)
      guard remaining != nil else { return found.count > limit ? Array(found.prefix(limit)) : found }
      return try scan(found).keys(limit: limit)
    }
  }

  /// The same as bits.
  func keySet() throws -> KeySet {
    try context.record(scanNode, rows: { $0.count }) {
      try scan(try path.map { try context.find($0) }).keySet()
    }
  }

  func count() throws -> Int {
    guard let path else { return try scan(nil).count() }
    if remaining == nil, let count = try path.count() { return count }
    let found = try context.find(path)
    return remaining == nil ? found.count : try scan(found).count()
  }

  /// The scan that gives just the matching objects.
  func scan() throws -> Scan { try scan(try path.map { try context.find($0) }) }

  private func scan(_ candidates: [ObjectKey]?) throws -> Scan {
    guard let candidates else { return Scan(context: context, classID: classID, kernel: kernel) }
    return Scan(
      context: context, classID: classID,
      kernel: try remaining.map { try KernelCompiler(context: context).compile($0, classID) },
      candidates: candidates)
  }

  private var scanNode: PlanNode {
    guard path == nil else {
      guard let remaining else { return PlanNode(.objects, context.names.className(classID), estimate: estimate) }
      return PlanNode(
        .filter, "\(context.names.className(classID)) where \(context.names.text(remaining, classID))",
        estimate: estimate)
    }
    return PlanNode(
      .scan, "scan \(context.names.className(classID)) where \(context.names.text(predicate, classID))")
  }
}

extension ExecutionContext {
  /// The keys of a path.
  func find(_ path: any AccessPath) throws -> [ObjectKey] {
    try record(path.node, rows: { $0.count }) { try path.find() }
  }

  /// Puts keys in order and drops duplicates; many of them through bits.
  func ascending(_ keys: [ObjectKey], _ classID: ClassID) throws -> [ObjectKey] {
    if zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) { return keys }
    let clusters = try reader.liveClusters(of: classID)
    guard keys.count > 64, keys.count > clusters.count * 2 else { return Self.merged(keys) }
    var set = KeySet(clusterSize: clusterSize, clusters: clusters)
    for key in keys { set.insert(key) }
    return set.keys
  }

  static func merged(_ keys: [ObjectKey]) -> [ObjectKey] {
    let sorted = keys.sorted()
    var result: [ObjectKey] = []
    result.reserveCapacity(sorted.count)
    for key in sorted where key != result.last { result.append(key) }
    return result
  }
}
