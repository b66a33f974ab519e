import LarderStorage

/// The way in which a query was answered: the operations, each with what it found.
package struct ExplainedPlan: Hashable, Sendable {
  package var root: PlanNode
  /// The counts of what the whole run looked at.
  package var counters: ExecutionCounters

  /// The plan as an indented tree, and a line of what the run looked at.
  package var description: String {
    root.description
      + "\nran: \(root.rows) results; \(counters.objectsExamined) objects examined, \(counters.rowsExamined) of them one by "
      + "one; \(counters.clustersVisited) clusters visited, \(counters.clustersSkipped) decided by a leaf's range; "
      + "\(counters.leavesRead) leaves read; \(counters.indexSeeks) index seeks, \(counters.indexEntries) index entries; "
      + "\(counters.listsRead) lists read"
  }
}

extension ResultsQuery {
  /// Runs the query once and says how. As long as the query takes, and a little more.
  package func explain(in reader: any StoreReader, limit: Int = .max) throws -> ExplainedPlan {
    let query = limit == .max ? self : limited(to: limit)
    let run = try ResultsRun(query, reader, .planned)
    let recorder = PlanRecorder()
    run.context.recorder = recorder
    let keys = try run.keys()
    var root = recorder.roots.last ?? PlanNode(.objects, "nothing")
    root.rows = keys.count
    return ExplainedPlan(root: root, counters: run.context.counters)
  }
}

extension PredicateDescription {
  func node(_ step: ResultsStep, _ classID: ClassID) -> PlanNode {
    switch step {
    case .limit(let count): PlanNode(.limit, "limit \(count)")
    case .offset(let count): PlanNode(.offset, "offset \(count)")
    case .after(let position): PlanNode(.offset, "after object \(position.key.rawValue)")
    case .relevance: PlanNode(.sort, "sort by relevance")
    case .filter(let condition): PlanNode(.filter, "where " + text(condition, classID))
    case .distinct(let paths):
      PlanNode(.distinct, "distinct " + paths.map { text($0, classID) }.joined(separator: ", "))
    case .sort(let keys):
      PlanNode(
        .sort,
        "sort "
          + keys.map { text($0.target, classID) + ($0.isAscending ? "" : " descending") }.joined(separator: ", "))
    }
  }

  /// The source of a query with its filter.
  func node(_ query: ResultsQuery) -> PlanNode {
    let name = className(query.classID)
    let filter = query.predicate.map { " where \(text($0, query.classID))" } ?? ""
    switch query.source {
    case .objects: return PlanNode(.objects, "all objects of \(name)")
    case .keys(_, let keys): return PlanNode(.objects, "\(keys.count) given objects of \(name)\(filter)")
    case .list(let owner, let column, _):
      return PlanNode(.objects, "list \(self.name(column, owner.classID)) of \(className(owner.classID))\(filter)")
    case .backlinks(let target, let origin, let column):
      return PlanNode(
        .objects,
        "objects of \(name) with a link from \(self.name(column, origin)) to object \(target.key.rawValue)\(filter)")
    }
  }

  func text(_ target: SortTarget, _ classID: ClassID) -> String {
    switch target {
    case .path(let path): text(path, classID)
    case .operand(let operand): text(operand, classID)
    }
  }
}
