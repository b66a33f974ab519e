import LarderStorage

extension Planner {
  /// Following links backwards from few targets beats reading the links of all objects.
  func linkCandidate(
    _ condition: BoundPredicate, _ classID: ClassID, _ position: Int, objects: Int
  ) throws -> AccessCandidate? {
    let column: ColumnID
    let target: ClassID
    let asked: BoundPredicate
    switch condition {
    case .through(let step, let inner, false): (column, target, asked) = (step.column, step.target, inner)
    case .anyElement(let step, let inner) where !step.isInverse:
      guard let elements = step.target else { return nil }
      (column, target, asked) = (step.column, elements, inner)
    default: return nil
    }
    // The targets are needed by the scan as well, so finding them costs nothing extra.
    let kernel = try KernelCompiler(context: context).compile(asked, target)
    let targets = try context.linkedKeys(asked, target, kernel).keys
    guard targets.count * 8 < objects else { return nil }
    var isList = false
    if case .anyElement = condition { isList = true }
    // A scan opens every list; it reads to-one links at a few nanoseconds each.
    let estimate = isList ? targets.count / 100 : targets.count
    let context = context
    return AccessCandidate(
      position: position, estimate: estimate, costPerObject: 800,
      label: {
        "backlinks over \(try context.reader.descriptor(classID, column).name) from \(targets.count) objects"
      }
    ) {
      var keys: [ObjectKey] = []
      for key in targets {
        keys += try context.reader.backlinks(
          to: ObjectLink(classID: target, key: key), from: classID, column)
      }
      return Self.merged(keys)
    }
  }
}
