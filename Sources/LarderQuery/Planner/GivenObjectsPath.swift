import LarderStorage

/// The objects were named themselves.
struct GivenObjectsPath: AccessPath {
  let context: ExecutionContext
  let classID: ClassID
  let keys: Set<ObjectKey>
  let answers: [Int]

  var estimate: Int { keys.count }
  var cost: Double { Double(keys.count) * 50 }
  var node: PlanNode { PlanNode(.identity, "\(keys.count) named objects", estimate: estimate) }

  func find() throws -> [ObjectKey] { try keys.sorted().filter { try context.reader.contains(classID, $0) } }
}

enum GivenObjects: AccessSource {
  static func paths(for conditions: Conditions, _ context: ExecutionContext) throws -> [any AccessPath] {
    conditions.all.enumerated().compactMap { position, condition in
      guard case .isObject(let keys) = condition else { return nil }
      return GivenObjectsPath(context: context, classID: conditions.classID, keys: keys, answers: [position])
    }
  }
}
