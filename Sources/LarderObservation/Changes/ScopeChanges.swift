import LarderStorage

/// The changes that an observer of one object is notified of.
package enum ObjectScope: Hashable, Sendable {
  /// Any of its own properties (N-40).
  case own
  /// Values at the end of these paths from it; a hit is reported as the first property of the path (N-43).
  case paths([DependencyPath])
}

/// The events within one scope that concern the objects of a class between two versions: found once for all observers of such objects, and then
/// looked up for each.
struct ScopeChanges {
  /// The place where a change is reported: a property of the object, for a scope of paths with the path that led to it.
  private struct Hit {
    let step: PathStep
    let path: DependencyPath?
    /// The objects; nil for all, when the log does not tell.
    let keys: KeyRanges?

    func contains(_ key: ObjectKey) -> Bool { keys?.contains(key) ?? true }
  }

  private let classID: ClassID
  private let newer: any StoreReader
  private let columns: [PathStep]
  private let hits: [Hit]
  /// Nil when the log does not tell.
  private let deleted: KeyRanges?
  /// The changes that are reported for objects, each once: the same one applies to thousands of objects.
  private(set) var changes: [ObservedChange] = []
  /// The position of a change in `changes`, by the hits of an object.
  private var numbers: [[Int]: Int] = [:]
  /// The hits of the object before, and what it is notified of: objects often change alike.
  private var last: (found: [Int], number: Int)?
  private var deletion: Int?

  /// - Parameter effort: How many objects may be looked at before `LinkWalker.TooMany` is thrown; nil for as many as it takes.
  init(
    _ classID: ClassID, _ scope: ObjectScope, older: any StoreReader, newer: any StoreReader, _ summary: ChangeSummary,
    effort: Int? = nil
  ) throws {
    self.classID = classID
    self.newer = newer
    columns = (newer.schema[classID]?.columns ?? []).map { PathStep(classID, $0.id) }
    let isUnknown = summary.isUnknown(classID)
    deleted = isUnknown ? nil : summary[classID]?.deleted ?? KeyRanges()
    switch scope {
    case .own:
      let modified = summary[classID]?.modified ?? [:]
      hits = columns.compactMap { step in
        if isUnknown { return Hit(step: step, path: nil, keys: nil) }
        return modified[step.column].map { Hit(step: step, path: nil, keys: $0) }
      }
    case .paths(let paths):
      let walker = LinkWalker(summary: summary, reader: newer, older: older, effort: effort)
      hits = try paths.compactMap { path in
        guard let root = path.first else { return nil }
        do {
          let keys = try walker.reaching(path)
          return keys.isEmpty ? nil : Hit(step: root, path: path, keys: keys)
        } catch is LinkWalker.Unknown {
          return Hit(step: root, path: path, keys: nil)
        }
      }
    }
  }

  /// Those of some observed objects to which something may have happened. Costs what changed or what is observed, whichever is less.
  func candidates<Observer>(among observed: [ObjectKey: Observer]) -> [ObjectKey] {
    guard let deleted, !hits.contains(where: { $0.keys == nil }) else { return Array(observed.keys) }
    let ranges = [deleted] + hits.compactMap(\.keys)
    if ranges.reduce(0, { $0 + $1.count }) > observed.count {
      return observed.keys.filter { key in ranges.contains { $0.contains(key) } }
    }
    if ranges.count == 1 { return ranges[0].keys.filter { observed[$0] != nil } }
    return Set(ranges.flatMap(\.keys).filter { observed[$0] != nil }).map { $0 }
  }

  /// Returns the change that observers of an object that was there are notified of: the changed columns in the order of the schema, then inverses
  /// (N-41), and which of the scope's paths led to a change. Nil for nothing.
  mutating func change(of key: ObjectKey) throws -> ObservedChange? { try changeNumber(of: key).map { changes[$0] } }

  /// Returns the position of that change in `changes`.
  mutating func changeNumber(of key: ObjectKey) throws -> Int? {
    if try deleted?.contains(key) ?? !newer.contains(classID, key) {
      if deletion == nil { deletion = add(.deleted) }
      return deletion
    }
    if let last, hits(last.found, areThoseOf: key) { return last.number }
    let found = hits.indices.filter { hits[$0].contains(key) }
    if found.isEmpty { return nil }
    let number = numbers[found] ?? add(change(found))
    numbers[found] = number
    last = (found, number)
    return number
  }

  /// Returns true if an object has some hits and no others; without making a list of its own.
  private func hits(_ found: [Int], areThoseOf key: ObjectKey) -> Bool {
    var next = 0
    for index in hits.indices where hits[index].contains(key) {
      guard next < found.count, found[next] == index else { return false }
      next += 1
    }
    return next == found.count
  }

  private func change(_ found: [Int]) -> ObservedChange {
    let steps = Set(found.map { hits[$0].step })
    return .properties(
      columns.filter { steps.contains($0) } + steps.filter { $0.origin != nil },
      along: found.compactMap { hits[$0].path })
  }

  private mutating func add(_ change: ObservedChange) -> Int {
    changes.append(change)
    return changes.count - 1
  }
}
