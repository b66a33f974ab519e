import LarderStorage

/// Binds `@links.@count`: how many links lead to an object, from every property of every class; the sum over the objects of a collection
///
struct LinkCounter {
  let paths: PathResolver

  func operand(_ path: KeyPathNode, _ classID: ClassID) throws(PredicateError) -> BoundOperand {
    var (target, steps): (ClassID, [BoundReach.Step]) = (classID, [])
    if let last = path.components.last {
      let resolved = try paths.resolve(path.components, of: path, in: classID)
      guard resolved.type == .link, let end = resolved.target else {
        throw paths.scope.fail(
          .notALink, "'\(resolved.name)' is no link: nothing leads to it", path.range,
          expected: "a link or a collection of objects")
      }
      steps = resolved.steps + [try paths.step(resolved, last, end)]
      target = end
    }
    var total: BoundOperand?
    for origin in paths.scope.schema.classes {
      for column in origin.columns where column.target == target || column.type == .mixed {
        let step = ListStep(column: column.id, target: origin.id, elementType: .link, source: .inverse(origin.id))
        let count = BoundOperand.aggregate(BoundReach(steps: steps, end: .values(step)), .count)
        total = total.map { .arithmetic(NumberOperation(.add, paths.scope.dialect), $0, count) } ?? count
      }
    }
    return total ?? .constant(.int(0))
  }

  /// The same as a side of a comparison.
  func side(_ path: KeyPathNode, _ classID: ClassID) throws(PredicateError) -> TypedOperand {
    TypedOperand(
      operand: try operand(path, classID), type: .int, isToMany: false, isAggregate: true, name: path.text,
      range: path.range)
  }
}
