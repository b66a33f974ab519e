import LarderStorage

/// Groups of rows: what they are grouped by, what is worked out over each, which are kept, in which order (Q-77).
package struct GroupQuery: Sendable {
  /// A column of groups: the keys first, then the aggregates.
  package struct Order: Hashable, Sendable {
    package var column: Int
    package var isAscending: Bool

    package init(_ column: Int, isAscending: Bool = true) {
      (self.column, self.isAscending) = (column, isAscending)
    }
  }

  /// A condition, and the columns of its terms.
  package struct Filter: Sendable {
    package var condition: GroupCondition
    package var columns: [Int]

    package init(_ condition: GroupCondition, columns: [Int]) {
      (self.condition, self.columns) = (condition, columns)
    }
  }

  package var source: GroupSource
  package var keys: [GroupKey]
  package var aggregates: [GroupAggregate]
  package var filters: [Filter] = []
  /// None: the order of the keys, which also decides among equals.
  package var order: [Order] = []
  package var offset = 0
  package var limit: Int?

  package init(_ source: GroupSource, by keys: [GroupKey], _ aggregates: [GroupAggregate]) {
    (self.source, self.keys, self.aggregates) = (source, keys, aggregates)
  }

  /// The type of a column's values.
  package func type(ofColumn column: Int, in schema: StoreSchema) throws(PredicateError) -> ColumnType {
    guard column >= keys.count else { return keys[column].type }
    let aggregate = aggregates[column - keys.count]
    guard aggregate.operation != .count else { return .int }
    return aggregate.operation.resultType(of: aggregate.type)
  }

  /// The groups; without keys one, of all rows.
  ///
  /// Reads each column in its leaves, in time of the rows. Keeps a number for each row and column of keys, and the groups; for percentiles all
  /// their values besides.
  /// - Throws: `PredicateError` (`unsupportedAggregate`) for what a property does not have.
  package func groups(in reader: any StoreReader) throws -> [ResultsGroup] { try run(GroupRun(reader, nil)) }

  /// Returns the number of groups, without offset and limit.
  package func count(in reader: any StoreReader) throws -> Int {
    var query = self
    (query.offset, query.limit, query.order) = (0, nil, [])
    return try query.groups(in: reader).count
  }

  /// Runs the query once and says how.
  package func explain(in reader: any StoreReader) throws -> ExplainedPlan {
    let run = GroupRun(reader, PlanRecorder())
    let groups = try self.run(run)
    var root = run.recorder?.roots.last ?? PlanNode(.group, "nothing")
    root.rows = groups.count
    return ExplainedPlan(root: root, counters: run.counters)
  }

  private func run(_ run: GroupRun) throws -> [ResultsGroup] {
    var groups = try run.record(PlanNode(.group, text(run.reader.schema)), rows: \.count) {
      let sides = try run.sides(source)
      return try Grouping(context: run.context, sides: sides).groups(by: keys, aggregates)
    }
    for filter in filters {
      groups = groups.filter { group in
        filter.condition.holds(filter.columns.map { group.value($0) })
      }
    }
    if !order.isEmpty { groups = sorted(groups) }
    return Array(groups.dropFirst(offset).prefix(limit ?? .max))
  }

  private func sorted(_ groups: [ResultsGroup]) -> [ResultsGroup] {
    groups.indices.sorted { a, b in
      for criterion in order {
        let order = ValueOrder.compare(groups[a].value(criterion.column), groups[b].value(criterion.column))
        if order != 0 { return (order < 0) == criterion.isAscending }
      }
      return a < b
    }.map { groups[$0] }
  }

  /// Returns the plan's text about the groups.
  private func text(_ schema: StoreSchema) -> String {
    let names = PredicateDescription(schema: schema)
    let classes = source.classes
    func qualified(_ text: String, _ side: Int) -> String {
      classes.count > 1 ? "\(names.className(classes[side])).\(text)" : text
    }
    let by = keys.map { qualified(names.text($0.target, classes[$0.side]), $0.side) }
    let worked = aggregates.filter { $0.operation != .count }.map { aggregate in
      let text = qualified(names.text(aggregate.target, classes[aggregate.side]), aggregate.side)
      return GroupTerm.aggregate(aggregate.operation, text).title
    }
    let over = worked.isEmpty ? "" : ", " + worked.joined(separator: ", ")
    let having = filters.isEmpty ? "" : ", of which a condition keeps some"
    let sorts = order.isEmpty ? "" : ", sorted"
    return (by.isEmpty ? "one group by columns: count" : "group by columns \(by.joined(separator: ", ")): count")
      + over + having + sorts
  }
}

extension ResultsGroup {
  /// The value of a column, the keys first.
  package func value(_ column: Int) -> StoredValue {
    column < keys.count ? keys[column] : values[column - keys.count]
  }
}

/// One evaluation of groups or of a join, over one version.
final class GroupRun {
  let reader: any StoreReader
  let recorder: PlanRecorder?
  /// Reads the columns.
  let context: ExecutionContext
  private var contexts: [ExecutionContext]

  init(_ reader: any StoreReader, _ recorder: PlanRecorder?) {
    (self.reader, self.recorder) = (reader, recorder)
    context = Planner.context(reader)
    contexts = [context]
  }

  /// The keys of a query.
  func keys(_ query: ResultsQuery) throws -> [ObjectKey] {
    let run = try ResultsRun(query, reader, .planned)
    run.context.recorder = recorder
    contexts.append(run.context)
    return try run.keys()
  }

  /// The objects of the rows.
  func sides(_ source: GroupSource) throws -> [Grouping.Side] {
    switch source {
    case .objects(var query):
      // An order that nothing hangs on.
      if query.steps.allSatisfy(\.isOnlyOrder) { query.steps = [] }
      return [Grouping.Side(classID: query.classID, objects: try keys(query).map(\.rawValue))]
    case .pairs(let join):
      let pairs = try join.pairs(self)
      return [
        Grouping.Side(classID: join.left.classID, objects: pairs.left),
        Grouping.Side(classID: join.right.classID, objects: pairs.right),
      ]
    }
  }

  func record<T>(_ node: PlanNode, rows: (T) -> Int, _ body: () throws -> T) rethrows -> T {
    guard let recorder else { return try body() }
    return try recorder.record(node, leaves: { contexts.reduce(0) { $0 + $1.counters.leavesRead } }, rows: rows, body)
  }

  /// The counts of all that it looked at.
  var counters: ExecutionCounters {
    contexts.reduce(into: ExecutionCounters()) { sum, context in
      let counters = context.counters
      sum.clustersVisited += counters.clustersVisited
      sum.clustersSkipped += counters.clustersSkipped
      sum.leavesRead += counters.leavesRead
      sum.objectsExamined += counters.objectsExamined
      sum.rowsExamined += counters.rowsExamined
      sum.indexSeeks += counters.indexSeeks
      sum.indexEntries += counters.indexEntries
      sum.listsRead += counters.listsRead
    }
  }
}
