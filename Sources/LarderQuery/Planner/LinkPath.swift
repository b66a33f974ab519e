import LarderStorage

/// From few targets back to the objects that link to them.
struct BacklinkPath: AccessPath {
  let context: ExecutionContext
  let classID: ClassID
  let column: ColumnID
  let view: BacklinkView
  let targets: [ObjectKey]
  let answers: [Int]
  let estimate: Int
  /// The number of objects, where that is known: an object has one link of this column, and all targets were looked up.
  let known: Int?

  var cost: Double {
    Double(targets.count) * PlanCost.seek + Double(estimate) * (targets.count > 1 ? PlanCost.sortedKey : PlanCost.key)
  }

  var node: PlanNode {
    let name = context.names.name(column, classID)
    return PlanNode(
      .links, "backlinks over \(name) from \(targets.count) object\(targets.count == 1 ? "" : "s")", estimate: estimate)
  }

  func find() throws -> [ObjectKey] {
    context.counters.indexSeeks += targets.count
    var keys: [ObjectKey] = []
    for target in targets { keys += try view.keys(to: target) }
    context.counters.indexEntries += keys.count
    return try context.ascending(keys, classID)
  }

  func count() -> Int? { known }
}

/// Over an inverse: the objects that those found in the other class link to.
struct InversePath: AccessPath {
  let context: ExecutionContext
  let classID: ClassID
  let targets: KeySet
  let answers: [Int]
  let estimate: Int

  var cost: Double { Double(estimate) * PlanCost.key }
  var node: PlanNode { PlanNode(.links, "links to \(context.names.className(classID))", estimate: estimate) }

  func find() throws -> [ObjectKey] {
    try targets.keys.filter { try context.reader.contains(classID, $0) }
  }
}

/// Offers to follow links from the side where fewer objects are.
enum Links {
  /// Of more targets than this, a sample is counted.
  private static let sample = 64

  /// - Parameter cost: What the best way known takes; objects at the other end are only looked for when that takes less.
  static func paths(
    for conditions: Conditions, _ context: ExecutionContext, within cost: Double
  ) throws -> [any AccessPath] {
    var paths: [any AccessPath] = []
    for (position, condition) in conditions.all.enumerated() {
      switch condition {
      case .value(let column, let test) where test.type == .link:
        guard test.operation == .equal || test.operation == .in, !test.values.contains(.null),
          let target = try context.reader.descriptor(conditions.classID, column).target
        else { continue }
        var keys: [ObjectKey] = []
        for case .link(let key) in test.values where try context.reader.contains(target, key) { keys.append(key) }
        paths += try backlinks(over: column, Array(Set(keys)).sorted(), of: target, position, conditions, context)
      case .through(let step, let inner, whenNil: false):
        paths += try backlinks(over: step.column, from: inner, of: step.target, position, conditions, context, cost)
      case .anyElement(let step, let inner) where step.isInverse:
        paths += try inverse(step, inner, position, conditions, context, cost)
      case .anyElement(let step, let inner):
        guard let target = step.target else { continue }
        paths += try backlinks(over: step.column, from: inner, of: target, position, conditions, context, cost)
      default: continue
      }
    }
    return paths
  }

  private static func backlinks(
    over column: ColumnID, from inner: BoundPredicate, of target: ClassID, _ position: Int, _ conditions: Conditions,
    _ context: ExecutionContext, _ cost: Double
  ) throws -> [any AccessPath] {
    guard try isWorthwhile(inner, target, conditions, context, cost) else { return [] }
    let kernel = try KernelCompiler(context: context).compile(inner, target)
    let targets = try context.linkedKeys(inner, target, kernel)
    guard targets.count < conditions.objects else { return [] }
    return try backlinks(over: column, targets.keys, of: target, position, conditions, context)
  }

  /// A scan needs the objects at the other end as well, unless other conditions leave nothing before.
  private static func isWorthwhile(
    _ inner: BoundPredicate, _ classID: ClassID, _ conditions: Conditions, _ context: ExecutionContext, _ cost: Double
  ) throws -> Bool {
    if conditions.all.count == 1 { return true }
    return try Planner(context).select(inner, classID).cost < cost / 2
  }

  private static func backlinks(
    over column: ColumnID, _ targets: [ObjectKey], of target: ClassID, _ position: Int, _ conditions: Conditions,
    _ context: ExecutionContext
  ) throws -> [any AccessPath] {
    guard let view = try context.reader.backlinks(to: target, from: conditions.classID, column) else { return [] }
    let step = max(1, targets.count / sample)
    var (total, asked) = (0, 0)
    for place in stride(from: 0, to: targets.count, by: step) {
      total += try view.count(to: targets[place])
      asked += 1
    }
    context.counters.indexSeeks += asked
    let estimate = asked == 0 ? 0 : total * targets.count / asked
    let isLink = try context.reader.descriptor(conditions.classID, column).collection == .none
    return [
      BacklinkPath(
        context: context, classID: conditions.classID, column: column, view: view, targets: targets,
        answers: [position], estimate: min(estimate, conditions.objects), known: isLink && step == 1 ? total : nil)
    ]
  }

  private static func inverse(
    _ step: ListStep, _ inner: BoundPredicate, _ position: Int, _ conditions: Conditions, _ context: ExecutionContext,
    _ cost: Double
  ) throws -> [any AccessPath] {
    guard case .inverse(let origin) = step.source else { return [] }
    // A scan of fewer objects asks for the backlinks of each.
    guard try context.objectsBeforeLinks(from: origin, to: conditions.classID) < conditions.objects,
      try isWorthwhile(inner, origin, conditions, context, cost)
    else { return [] }
    let targets = try context.linkTargets(of: step, from: origin, where: inner, in: conditions.classID)
    return [
      InversePath(
        context: context, classID: conditions.classID, targets: targets, answers: [position],
        estimate: min(targets.count, conditions.objects))
    ]
  }
}
