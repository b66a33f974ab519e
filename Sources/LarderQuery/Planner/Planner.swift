import LarderStorage

/// Chooses between indexes, backlinks and the scan, by the number of objects each would look at.
struct Planner {
  let context: ExecutionContext

  init(_ context: ExecutionContext) { self.context = context }

  /// Nanoseconds a scan is reckoned to take per object.
  private static let scanCost = 2.0

  /// The cheapest way to the objects of a predicate.
  func path(_ predicate: BoundPredicate, _ classID: ClassID) throws -> AccessPath {
    let conditions = if case .and(let children) = predicate { children } else { [predicate] }
    let objects = try context.reader.count(of: classID)
    var best: AccessCandidate?
    var bestCost = Double(objects) * Self.scanCost
    func consider(_ candidate: AccessCandidate?) {
      guard let candidate else { return }
      let cost = 300 + Double(candidate.estimate) * candidate.costPerObject
      if cost < bestCost { (best, bestCost) = (candidate, cost) }
    }
    for (position, condition) in conditions.enumerated() {
      consider(try indexCandidate(condition, classID, position))
    }
    if best == nil {
      for (position, condition) in conditions.enumerated() {
        consider(try linkCandidate(condition, classID, position, objects: objects))
      }
    }
    guard let best else { return .scan }
    var remaining = conditions
    remaining.remove(at: best.position)
    return .keys(
      try best.keys(), remaining: remaining.isEmpty ? nil : (remaining.count == 1 ? remaining[0] : .and(remaining)),
      label: best.label)
  }

  /// The scan that a plan comes down to.
  func scan(_ predicate: BoundPredicate, _ classID: ClassID) throws -> Scan {
    switch try path(predicate, classID) {
    case .scan:
      return Scan(
        context: context, classID: classID, kernel: try KernelCompiler(context: context).compile(predicate, classID))
    case .keys(let keys, let remaining, _):
      let kernel = try remaining.map { try KernelCompiler(context: context).compile($0, classID) }
      return Scan(context: context, classID: classID, kernel: kernel, candidates: keys)
    }
  }

  /// A context whose link kernels find their targets by plans.
  static func context(_ reader: any StoreReader) -> ExecutionContext {
    ExecutionContext(reader) { context, predicate, classID, kernel in
      switch try Planner(context).path(predicate, classID) {
      case .scan: return try Scan(context: context, classID: classID, kernel: kernel).keySet()
      case .keys: return try Planner(context).scan(predicate, classID).keySet()
      }
    }
  }
}
