import LarderStorage

extension ResultsQuery {
  /// The plan as an indented tree, and what running it once looked at.
  package func explain(in reader: any StoreReader) throws -> String {
    let run = ResultsRun(self, reader, .planned)
    var lines = describeSteps(reader)
    lines += try describeSource(run)
    let keys = try run.keys()
    let counters = run.context.counters
    lines.append(
      "ran: \(keys.count) results; \(counters.clustersVisited) clusters visited, \(counters.clustersSkipped) decided by "
        + "a leaf's range, \(counters.leavesRead) leaves read, \(counters.rowsExamined) rows examined one by one, "
        + "\(counters.indexSeeks) index seeks, \(counters.listsRead) lists read")
    return lines.joined(separator: "\n")
  }

  /// The steps, the last one first.
  private func describeSteps(_ reader: any StoreReader) -> [String] {
    let describe = PredicateDescription(schema: reader.schema)
    return steps.reversed().enumerated().map { depth, step in
      let text =
        switch step {
        case .limit(let count): "limit \(count)"
        case .offset(let count): "offset \(count)"
        case .filter(let condition): "where " + describe.text(condition, classID)
        case .distinct(let paths): "distinct " + paths.map { describe.text($0, classID) }.joined(separator: ", ")
        case .sort(let keys):
          "sort "
            + keys.map { describe.text($0.target, classID) + ($0.isAscending ? "" : " descending") }
            .joined(separator: ", ")
        }
      return String(repeating: "  ", count: depth) + text
    }
  }

  private func describeSource(_ run: ResultsRun) throws -> [String] {
    let reader = run.reader
    let indent = String(repeating: "  ", count: steps.count)
    let name = reader.schema[classID]?.name ?? "class \(classID.rawValue)"
    let describe = PredicateDescription(schema: reader.schema)
    switch source {
    case .keys(_, let keys): return [indent + "\(keys.count) given objects of \(name)" + filterText(describe)]
    case .list(let owner, let column, _):
      return [indent + "list \(describe.name(column, owner.classID)) of \(name)" + filterText(describe)]
    case .backlinks(let target, let origin, let column):
      return [
        indent + "objects with a link from \(describe.name(column, origin)) to object \(target.key.rawValue)"
          + filterText(describe)
      ]
    case .objects: break
    }
    let count = try reader.count(of: classID)
    guard let predicate else { return [indent + "all \(count) objects of \(name)"] }
    switch try Planner(run.context).path(predicate, classID) {
    case .scan:
      return [indent + "scan \(count) objects of \(name)", indent + "  where \(describe.text(predicate, classID))"]
    case .keys(let keys, let remaining, let label):
      var lines = [indent + "\(try label()) of \(name): \(keys.count) of \(count) objects"]
      if let remaining { lines.append(indent + "  where \(describe.text(remaining, classID))") }
      return lines
    }
  }

  private func filterText(_ describe: PredicateDescription) -> String {
    predicate.map { " where \(describe.text($0, classID))" } ?? ""
  }
}

extension PredicateDescription {
  fileprivate func text(_ target: SortTarget, _ classID: ClassID) -> String {
    switch target {
    case .path(let path): text(path, classID)
    case .operand(let operand): text(operand, classID)
    }
  }
}
