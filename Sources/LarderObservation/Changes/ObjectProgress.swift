import LarderStorage

/// Which changes an observer of one object hears of.
package enum ObjectScope: Hashable, Sendable {
  /// Any of its own properties (N-40).
  case own
  /// Values at the end of these paths from it; a hit is told as the first property of the path (N-43).
  case paths([DependencyPath])
}

/// Tells what happened to one observed object between two versions.
struct ObjectProgress {
  let object: ObjectLink
  let scope: ObjectScope
  let older: any StoreReader
  let newer: any StoreReader
  let summary: ChangeSummary
  /// How many objects may be looked at before `LinkWalker.TooMany` is thrown; nil for as many as it takes.
  var effort: Int?

  /// The changed columns in the order of the schema, then inverses (N-41), and which of the scope's paths led to a change; nil when
  /// the object was deleted.
  func advance() throws -> (steps: [PathStep], paths: [DependencyPath])? {
    guard try newer.contains(object.classID, object.key) else { return nil }
    let columns = (newer.schema[object.classID]?.columns ?? []).map { PathStep(object.classID, $0.id) }
    var paths: [DependencyPath] = []
    let changed = try changedSteps(columns, &paths)
    return (columns.filter { changed.contains($0) } + changed.filter { $0.origin != nil }, paths)
  }

  private func changedSteps(_ columns: [PathStep], _ reached: inout [DependencyPath]) throws -> Set<PathStep> {
    switch scope {
    case .own:
      if summary.isUnknown(object.classID) { return Set(columns) }
      let modified = summary[object.classID]?.modified ?? [:]
      return Set(columns.filter { modified[$0.column]?.contains(object.key) ?? false })
    case .paths(let paths):
      let walker = LinkWalker(summary: summary, reader: newer, older: older, effort: effort)
      var result: Set<PathStep> = []
      for path in paths {
        guard let root = path.first, try isReached(path, walker) else { continue }
        result.insert(root)
        reached.append(path)
      }
      return result
    }
  }

  /// Whether a change is reached along a path; assumed where the log does not tell.
  private func isReached(_ path: DependencyPath, _ walker: LinkWalker) throws -> Bool {
    do { return try walker.reaching(path).contains(object.key) } catch is LinkWalker.Unknown { return true }
  }
}
