import LarderStorage

/// Some object that links here satisfies a predicate: the links of all those that do are followed once, or, where few objects
/// are asked, the backlinks of each.
final class InverseKernel: Kernel {
  private let rows: OracleKernel
  private let origin: ClassID
  private let makeTargets: () throws -> KeySet
  private var targets: KeySet?
  /// Objects that are still asked one by one before the links are followed.
  private var patience: Int

  /// - Parameter predicate: the whole condition, for asking one by one.
  init(
    _ context: ExecutionContext, _ classID: ClassID, _ step: ListStep, _ inner: BoundPredicate,
    _ predicate: BoundPredicate
  ) throws {
    guard case .inverse(let origin) = step.source else { preconditionFailure("an inverse has an origin") }
    self.origin = origin
    rows = OracleKernel(context, classID, predicate)
    patience = try context.objectsBeforeLinks(from: origin, to: classID)
    makeTargets = { try context.linkTargets(of: step, from: origin, where: inner, in: classID) }
    super.init(context)
  }

  override func evaluate(
    _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws {
    if targets == nil {
      for index in 0..<context.stride { patience -= candidates[index].nonzeroBitCount }
      if patience >= 0 { return try rows.evaluate(cluster, candidates, result) }
    }
    let targets = try self.targets ?? makeTargets()
    self.targets = targets
    targets.words(cluster: cluster, and: candidates, into: result)
  }

  override var cost: Double { 0.1 }
  override var label: String { "linked from class \(origin.rawValue)" }
}

extension ExecutionContext {
  /// Returns the number of objects whose backlinks may be read one by one before following all links takes less.
  func objectsBeforeLinks(from origin: ClassID, to target: ClassID) throws -> Int {
    let (origins, targets) = (try reader.count(of: origin), try reader.count(of: target))
    // Three nanoseconds for an origin in a scan, 300 for one that is asked by itself.
    return origins * 3 / (1000 + 300 * origins / max(1, targets))
  }

  /// The objects that those of another class link to for which a predicate holds.
  func linkTargets(
    of step: ListStep, from origin: ClassID, where inner: BoundPredicate, in classID: ClassID
  ) throws -> KeySet {
    let kernel = try KernelCompiler(context: self).compile(inner, origin)
    let origins = try linkedKeys(inner, origin, kernel).keys
    var targets = KeySet(clusterSize: clusterSize, clusters: try reader.liveClusters(of: classID))
    guard try reader.descriptor(origin, step.column).collection != .none else {
      let keys = origins.map(\.rawValue)
      let link = LinkStep(column: step.column, target: classID)
      for key in try follow(link, origin, keys) where key != noKey { targets.insert(ObjectKey(rawValue: key)) }
      return targets
    }
    for key in origins {
      counters.listsRead += 1
      try reader.elements(origin, step.column, key).forEachChunk { _, leaf in
        for slot in 0..<leaf.count { if let target = leaf.link(slot) { targets.insert(target) } }
        return true
      }
    }
    return targets
  }
}
