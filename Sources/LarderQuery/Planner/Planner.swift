import LarderStorage

/// Chooses between indexes, links and the scan, by what each is reckoned to take.
struct Planner {
  let context: ExecutionContext

  init(_ context: ExecutionContext) { self.context = context }

  /// Every kind of index; the cheap to ask come first.
  private static let sources: [any AccessSource.Type] = [
    GivenObjects.self, ColumnIndexes.self, CompositeIndexes.self, TextIndexes.self, Unions.self,
  ]

  /// The cheapest way to the objects of a predicate.
  ///
  /// - Parameter limit: How many of the first objects are needed; a scan stops there.
  /// - Parameter kernel: The predicate's kernel, where it is made already.
  func select(
    _ predicate: BoundPredicate, _ classID: ClassID, limit: Int = .max, kernel: Kernel? = nil
  ) throws -> Selection {
    let objects = try context.reader.count(of: classID)
    let conditions = Conditions(predicate, classID, objects: objects)
    let kernel = try kernel ?? KernelCompiler(context: context).compile(predicate, classID)
    let scanCost = context.avoidsScans ? .greatestFiniteMagnitude : Double(objects) * max(0.5, kernel.cost)
    var selection = Selection(
      context: context, classID: classID, predicate: predicate, kernel: kernel, cost: scanCost, estimate: objects)
    var paths = try Self.sources.flatMap { try $0.paths(for: conditions, context) }
    var best = try cheapest(paths, conditions)
    let known = min(best?.cost ?? scanCost, scanCost)
    if known > PlanCost.plan + 4 * PlanCost.seek {
      let links = try Links.paths(for: conditions, context, within: known)
      if !links.isEmpty {
        paths += links
        best = try cheapest(paths, conditions)
      }
    }
    guard var chosen = best else { return selection }
    if paths.count > 1 { chosen = try intersected(chosen, paths, conditions) }
    let remaining = conditions.remaining(without: chosen.path.answers)
    selection.estimate = min(objects, chosen.path.estimate)
    // A scan that finds enough stops; how soon is known where every object of the path matches.
    let part = remaining == nil ? min(1, Double(limit) / Double(max(1, selection.estimate))) : 1
    guard PlanCost.plan + chosen.cost < scanCost * part else { return selection }
    (selection.path, selection.remaining, selection.cost) = (chosen.path, remaining, chosen.cost)
    return selection
  }

  private typealias Choice = (path: any AccessPath, cost: Double)

  /// Returns the cost of a path together with that of evaluating the conditions that it leaves open.
  private func cost(_ path: any AccessPath, _ conditions: Conditions) throws -> Double {
    guard let remaining = conditions.remaining(without: path.answers) else { return path.cost }
    let kernel = try KernelCompiler(context: context).compile(remaining, conditions.classID)
    return path.cost + Double(path.estimate) * (PlanCost.candidate + kernel.cost)
  }

  private func cheapest(_ paths: [any AccessPath], _ conditions: Conditions) throws -> Choice? {
    var best: Choice?
    for path in paths {
      let cost = paths.count == 1 && path.answers.count == conditions.all.count ? path.cost : try cost(path, conditions)
      if best.map({ cost < $0.cost }) ?? true { best = (path, cost) }
    }
    return best
  }

  /// Adds paths of other conditions while that is cheaper than asking these of the objects found.
  private func intersected(_ first: Choice, _ paths: [any AccessPath], _ conditions: Conditions) throws -> Choice {
    var (best, parts) = (first, [first.path])
    for path in paths.sorted(by: { $0.cost < $1.cost })
    where !path.answers.contains(where: best.path.answers.contains) {
      let together = IntersectionPath(
        context: context, parts: parts + [path],
        // As if the conditions had nothing to do with each other.
        estimate: Int(Double(best.path.estimate) * Double(path.estimate) / Double(max(1, conditions.objects))) + 1)
      let cost = try cost(together, conditions)
      if cost < best.cost || context.avoidsScans { (best, parts) = ((together, cost), parts + [path]) }
    }
    return best
  }

  /// A context whose link kernels find their targets by plans.
  static func context(_ reader: any StoreReader) -> ExecutionContext {
    ExecutionContext(reader) { context, predicate, classID, kernel in
      try Planner(context).select(predicate, classID, kernel: kernel).keySet()
    }
  }
}
