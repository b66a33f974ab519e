import LarderQuery
import LarderStorage

/// Finds the objects that a change reaches against the direction of links: origins of changed objects, and their
/// origins.
struct LinkWalker {
  /// Thrown when the log does not list the details of a class on the way.
  struct Unknown: Error {}
  /// Thrown when more objects link to what changed than may be looked at.
  struct TooMany: Error {}

  let summary: ChangeSummary
  /// The version after the change.
  let reader: any StoreReader
  /// The version before it: what links led to then.
  let older: any StoreReader
  /// The objects that were found: several columns lead to the same classes.
  private let found: Found

  private final class Found {
    struct Place: Hashable {
      let classID: ClassID
      let hops: Int
    }

    var keys: [Place: KeyRanges] = [:]
    /// The number of objects that may still be looked at; nil for any number.
    var effort: Int?

    init(effort: Int?) { self.effort = effort }

    func spend(_ count: Int) throws {
      guard let left = effort else { return }
      effort = left - count
      if left < count { throw TooMany() }
    }
  }

  /// - Parameter effort: How many links may be followed before `TooMany` is thrown; nil for any number.
  init(summary: ChangeSummary, reader: any StoreReader, older: any StoreReader, effort: Int? = nil) {
    found = Found(effort: effort)
    self.summary = summary
    self.reader = reader
    self.older = older
  }

  /// Objects of the path's first class from which a changed value is reached along the path.
  func reaching(_ path: DependencyPath) throws -> KeyRanges {
    var reached = KeyRanges()
    for (index, step) in path.enumerated().reversed() {
      if let origin = step.origin {
        reached = try targets(of: reached, in: origin, via: step)
        continue
      }
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
    let place = Found.Place(classID: classID, hops: hops)
    if let known = found.keys[place] { return known }
    for column in descriptor.columns {
      for target in targets(of: column) where mayReach(target, hops: hops - 1) {
        let targets = try reaching(target, hops: hops - 1)
        result = result.union(try origins(of: targets, in: target, via: PathStep(classID, column.id)))
      }
    }
    found.keys[place] = result
    return result
  }

  /// Classes that a column may link to: one, or for values of any type all that are not embedded.
  private func targets(of column: ColumnDescriptor) -> [ClassID] {
    if column.type == .mixed { return reader.schema.classes.filter { !$0.isEmbedded }.map(\.id) }
    return column.type == .link ? column.target.map { [$0] } ?? [] : []
  }

  /// Returns true if a class that changed is within reach at all: most changes end here, before any object is looked at.
  private func mayReach(_ classID: ClassID, hops: Int) -> Bool {
    var seen: Set<ClassID> = [classID]
    var edge: Set<ClassID> = [classID]
    for hop in 0...hops {
      if edge.contains(where: { summary.isUnknown($0) || summary[$0]?.modified.isEmpty == false }) { return true }
      if hop == hops { break }
      edge = Set(edge.flatMap { reader.schema[$0]?.columns.flatMap { targets(of: $0) } ?? [] }).subtracting(seen)
      seen.formUnion(edge)
    }
    return false
  }

  /// Objects with an inverse that changed, or that leads to one of some objects.
  private func targets(of reached: KeyRanges, in origin: ClassID, via step: PathStep) throws -> KeyRanges {
    if summary.isUnknown(origin) { throw Unknown() }
    var found: [KeyRange] = []
    func add(_ keys: KeyRanges, _ reader: any StoreReader) throws {
      try keys.forEach { key in
        guard try reader.contains(origin, key) else { return }
        try self.found.spend(1)
        for target in try links(origin, step.column, key, reader) {
          found.append(KeyRange(start: target.rawValue, count: 1))
        }
      }
    }
    let own = summary[origin]
    let relinked = own?.modified[step.column] ?? KeyRanges()
    try add(relinked.union(own?.deleted ?? KeyRanges()), older)
    try add(relinked.union(own?.inserted ?? KeyRanges()).union(reached), reader)
    return KeyRanges(unordered: found)
  }

  /// Returns the objects that a column of an object links to.
  private func links(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ reader: any StoreReader
  ) throws -> [ObjectKey] {
    guard let descriptor = reader.schema[classID]?.column(column) else { return [] }
    if descriptor.collection == .none {
      if case .link(let target) = try reader.value(classID, column, key) { return [target] }
      return []
    }
    var result: [ObjectKey] = []
    try reader.elements(classID, column, key).forEachChunk { _, leaf in
      try self.found.spend(leaf.count)
      for slot in 0..<leaf.count { if let target = leaf.link(slot) { result.append(target) } }
      return true
    }
    return result
  }

  private func origins(of targets: KeyRanges, in target: ClassID, via step: PathStep) throws -> KeyRanges {
    var found: [KeyRange] = []
    try targets.forEach { key in
      let link = ObjectLink(classID: target, key: key)
      let origins = try reader.backlinks(to: link, from: step.classID, step.column)
      try self.found.spend(1 + origins.count)
      for origin in origins {
        found.append(KeyRange(start: origin.rawValue, count: 1))
      }
    }
    return KeyRanges(unordered: found)
  }
}
