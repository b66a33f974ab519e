import LarderStorage

/// Finds the objects that a change reaches against the direction of links: origins of changed objects, and their
/// origins.
struct LinkWalker {
  /// Thrown when the log does not list the details of a class on the way.
  struct Unknown: Error {}

  let summary: ChangeSummary
  let reader: any StoreReader

  /// Objects of the path's first class from which a changed value is reached along the path.
  func reaching(_ path: DependencyPath) throws -> KeyRanges {
    var reached = KeyRanges()
    for (index, step) in path.enumerated().reversed() {
      if summary.isUnknown(step.classID) { throw Unknown() }
      let changed = summary[step.classID]?.modified[step.column] ?? KeyRanges()
      if index + 1 < path.count {
        reached = changed.union(try origins(of: reached, in: path[index + 1].classID, via: step))
      } else {
        reached = changed
      }
    }
    return reached
  }

  /// Objects of a class that changed, or from which a changed object is at most `hops` links away.
  func reaching(_ classID: ClassID, hops: Int) throws -> KeyRanges {
    if summary.isUnknown(classID) { throw Unknown() }
    var result = summary[classID]?.allModified ?? KeyRanges()
    guard hops > 0, let descriptor = reader.schema[classID] else { return result }
    for column in descriptor.columns {
      guard let target = column.target, column.type == .link, try mayReach(target, hops: hops - 1) else { continue }
      let targets = try reaching(target, hops: hops - 1)
      result = result.union(try origins(of: targets, in: target, via: PathStep(classID, column.id)))
    }
    return result
  }

  /// Whether a class that changed lies within reach at all: most changes end here, before any object is looked at.
  private func mayReach(_ classID: ClassID, hops: Int) throws -> Bool {
    var seen: Set<ClassID> = [classID]
    var edge: Set<ClassID> = [classID]
    for hop in 0...hops {
      if edge.contains(where: { summary.isUnknown($0) || summary[$0]?.modified.isEmpty == false }) { return true }
      if hop == hops { break }
      edge = Set(edge.flatMap { reader.schema[$0]?.columns.compactMap(\.target) ?? [] }).subtracting(seen)
      seen.formUnion(edge)
    }
    return false
  }

  private func origins(of targets: KeyRanges, in target: ClassID, via step: PathStep) throws -> KeyRanges {
    var found: [KeyRange] = []
    try targets.forEach { key in
      let link = ObjectLink(classID: target, key: key)
      for origin in try reader.backlinks(to: link, from: step.classID, step.column) {
        found.append(KeyRange(start: origin.rawValue, count: 1))
      }
    }
    return KeyRanges(unordered: found)
  }
}
