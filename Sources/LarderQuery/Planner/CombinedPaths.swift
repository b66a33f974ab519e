import LarderStorage

/// The objects that several paths all lead to.
struct IntersectionPath: AccessPath {
  let context: ExecutionContext
  let parts: [any AccessPath]
  let estimate: Int

  var answers: [Int] { parts.flatMap(\.answers) }
  var cost: Double { parts.reduce(0) { $0 + $1.cost + Double($1.estimate) * PlanCost.key } }
  var node: PlanNode { PlanNode(.intersection, "intersection", estimate: estimate) }

  func find() throws -> [ObjectKey] {
    guard var common = try parts.first.map({ try context.find($0) }) else { return [] }
    for part in parts.dropFirst() {
      if common.isEmpty { return [] }
      common = Self.common(common, try context.find(part))
    }
    return common
  }

  static func common(_ a: [ObjectKey], _ b: [ObjectKey]) -> [ObjectKey] {
    var result: [ObjectKey] = []
    var (first, second) = (0, 0)
    while first < a.count, second < b.count {
      if a[first] == b[second] {
        result.append(a[first])
        first += 1
        second += 1
      } else if a[first] < b[second] {
        first += 1
      } else {
        second += 1
      }
    }
    return result
  }
}

/// The objects of an OR each of whose sides has a path.
struct UnionPath: AccessPath {
  let context: ExecutionContext
  let classID: ClassID
  let parts: [Selection]
  let answers: [Int]
  let objects: Int

  var estimate: Int { min(objects, parts.reduce(0) { $0 + $1.estimate }) }
  var cost: Double { parts.reduce(0) { $0 + $1.cost + Double($1.estimate) * PlanCost.sortedKey } }
  var node: PlanNode { PlanNode(.union, "union", estimate: estimate) }

  func find() throws -> [ObjectKey] {
    try context.ascending(try parts.flatMap { try $0.keys() }, classID)
  }
}

/// Offers to put the sides of an OR together.
enum Unions: AccessSource {
  static func paths(for conditions: Conditions, _ context: ExecutionContext) throws -> [any AccessPath] {
    try conditions.all.enumerated().compactMap { position, condition in
      guard case .or(let sides) = condition else { return nil }
      var parts: [Selection] = []
      var cost = 0.0
      let kernel = try KernelCompiler(context: context).compile(condition, conditions.classID)
      let scanCost =
        context.avoidsScans ? .greatestFiniteMagnitude : Double(conditions.objects) * max(0.5, kernel.cost)
      for side in sides {
        if case .constant(false) = side { continue }
        let part = try Planner(context).select(side, conditions.classID)
        guard part.path != nil else { return nil }
        parts.append(part)
        cost += part.cost
        // No need to look at the rest once the scan is cheaper.
        if cost > scanCost { return nil }
      }
      return UnionPath(
        context: context, classID: conditions.classID, parts: parts, answers: [position], objects: conditions.objects)
    }
  }
}
