import LarderStorage

/// An index that a class does not have, and what it would have done for queries.
package struct IndexAdvice: Hashable, Sendable {
  package var className: String
  /// Stored names of the properties, the first one sorts first.
  package var properties: [String]
  /// The queries that it helps, by their numbers.
  package var queries: [Int]
  /// Objects that those queries examine or sort as things are.
  package var before: Int
  /// Objects that the index would lead them to.
  package var after: Int
  /// True if some of the queries would find their order in it.
  package var sorts: Bool
}

/// Finds the indexes that would have helped queries.
///
/// For each query it tries what a planner could use: the comparisons that must all hold, those of every side of an OR, those at the
/// ends of links, and the sort. How many objects an index would lead to is counted, not guessed; that takes a scan for each.
package struct IndexAdvisor {
  private let reader: any StoreReader
  private var found: [Key: IndexAdvice] = [:]
  private var order: [Key] = []
  private var queries = 0

  private struct Key: Hashable {
    var classID: ClassID
    var columns: [ColumnID]
  }

  /// An index must leave out at least three of four objects, as for the planner.
  private static let worthwhile = 4

  package init(_ reader: any StoreReader) { self.reader = reader }

  /// Looks at a query; `limit` is how many of the first results are wanted. Queries are numbered from 1.
  package mutating func add(_ query: ResultsQuery, limit: Int = .max) throws {
    queries += 1
    guard case .objects(let classID) = query.source else { return }
    // What is skipped must be found as well.
    let wanted = query.steps.reversed().reduce(limit) { least, step in
      switch step {
      case .limit(let count): return min(least, count)
      case .offset(let count):
        let (sum, isTooMuch) = least.addingReportingOverflow(count)
        return isTooMuch ? .max : sum
      default: return least
      }
    }
    if let predicate = query.predicate { try add(predicate.merged, classID) }
    if case .sort(let keys)? = query.steps.first { try addSort(keys, query.predicate?.merged, classID, limit: wanted) }
  }

  /// The indexes by what they spare, the most useful first.
  package var advice: [IndexAdvice] {
    let all = order.compactMap { found[$0] }
    return all.enumerated().sorted { a, b in
      let (left, right) = (a.element.before - a.element.after, b.element.before - b.element.after)
      return left != right ? left > right : a.offset < b.offset
    }.map(\.element)
  }

  // MARK: - Conditions

  private mutating func add(_ predicate: BoundPredicate, _ classID: ClassID) throws {
    let objects = try reader.count(of: classID)
    let conditions = Conditions(predicate, classID, objects: objects)
    try addLinks(conditions)
    for case .or(let sides) in conditions.all { try addSides(sides, classID) }
    let counters = try examined(predicate, classID)
    var equal: [ColumnID] = []
    var ranges: [ColumnID] = []
    var best = counters
    for column in columns(of: conditions) {
      guard let (request, answers) = IndexRequest.combined(conditions.tests(of: column)) else { continue }
      if case .equal(let values) = request, values.count == 1 { equal.append(column) } else { ranges.append(column) }
      guard try !hasIndex(classID, [column]) else { continue }
      let count = try matches(conditions, answers)
      if try note(classID, [column], before: counters, after: count) { best = min(best, count) }
    }
    guard equal.count + ranges.count > 1, !equal.isEmpty else { return }
    // One index for the values, followed by the range that leaves the fewest objects.
    let columns = equal + ranges.prefix(1)
    guard columns.count > 1, try !hasIndex(classID, columns) else { return }
    let answers = columns.flatMap { conditions.tests(of: $0).map(\.position) }
    let count = try matches(conditions, answers)
    // Several properties in one index must do clearly more than the best single one.
    guard count * Self.worthwhile <= best else { return }
    _ = try note(classID, columns, before: counters, after: count)
  }

  private func columns(of conditions: Conditions) -> [ColumnID] {
    var columns: [ColumnID] = []
    for case .value(let column, let test) in conditions.all
    where IndexRequest.isIndexable(test.type) && !columns.contains(column) {
      columns.append(column)
    }
    return columns
  }

  /// Objects that the query examines as things are.
  private func examined(_ predicate: BoundPredicate, _ classID: ClassID) throws -> Int {
    let run = try ResultsRun(ResultsQuery(.objects(classID), predicate: predicate), reader, .planned)
    let count = try run.count()
    return max(run.context.counters.objectsExamined, min(count, run.context.counters.indexEntries))
  }

  private func matches(_ conditions: Conditions, _ positions: [Int]) throws -> Int {
    let asked = BoundPredicate.and(positions.map { conditions.all[$0] })
    return try ResultsQuery(.objects(conditions.classID), predicate: asked).count(in: reader)
  }

  /// An OR goes through indexes only when each of its sides can.
  private mutating func addSides(_ sides: [BoundPredicate], _ classID: ClassID) throws {
    let objects = try reader.count(of: classID)
    var wanted: [(column: ColumnID, count: Int)] = []
    for side in sides {
      let conditions = Conditions(side, classID, objects: objects)
      guard
        let column = columns(of: conditions).first(where: { IndexRequest.combined(conditions.tests(of: $0)) != nil })
      else { return }
      wanted.append((column, try matches(conditions, conditions.tests(of: column).map(\.position))))
    }
    let total = wanted.reduce(0) { $0 + $1.count }
    guard total * Self.worthwhile <= objects else { return }
    for (column, count) in wanted where try !hasIndex(classID, [column]) {
      _ = try note(classID, [column], before: objects, after: count)
    }
  }

  /// Conditions at the ends of links are queries of their own.
  private mutating func addLinks(_ conditions: Conditions) throws {
    for condition in conditions.all {
      switch condition {
      case .through(let step, let inner, _): try add(inner, step.target)
      case .anyElement(let step, let inner):
        if let target = step.target { try add(inner, target) }
      default: continue
      }
    }
  }

  // MARK: - Sorts

  private mutating func addSort(
    _ keys: [SortKey], _ predicate: BoundPredicate?, _ classID: ClassID, limit: Int
  ) throws {
    guard let first = keys.first, keys.allSatisfy({ $0.isAscending == first.isAscending }) else { return }
    var columns: [ColumnID] = []
    for key in keys {
      guard case .path(let path) = key.target, path.links.isEmpty, IndexRequest.isIndexable(path.type),
        key.collation == .binary || path.type != .string
      else { return }
      columns.append(path.column)
    }
    let objects = try reader.count(of: classID)
    let conditions = Conditions(predicate ?? .and([]), classID, objects: objects)
    var leading: [ColumnID] = []
    for column in self.columns(of: conditions) where !columns.contains(column) {
      if case (.equal(let values), _)? = IndexRequest.combined(conditions.tests(of: column)), values.count == 1 {
        leading.append(column)
      }
    }
    let whole = leading + columns
    let context = Planner.context(reader)
    guard try SortedIndex.find(keys, predicate, classID, context) == nil, try !hasIndex(classID, whole) else { return }
    let matching = try predicate.map { try ResultsQuery(.objects(classID), predicate: $0).count(in: reader) } ?? objects
    _ = try note(classID, whole, before: objects, after: min(matching, limit), sorts: true)
  }

  // MARK: - Noting

  private func hasIndex(_ classID: ClassID, _ columns: [ColumnID]) throws -> Bool {
    let entry = try reader.descriptor(classID)
    if columns.count == 1, entry.column(columns[0])?.hasIndex == true { return true }
    return entry.indexes.contains { $0.columns.starts(with: columns) }
  }

  /// False for an index that would not be used.
  private mutating func note(
    _ classID: ClassID, _ columns: [ColumnID], before: Int, after: Int, sorts: Bool = false
  ) throws -> Bool {
    guard after * Self.worthwhile <= before, before > 0 else { return false }
    let key = Key(classID: classID, columns: columns)
    let entry = try reader.descriptor(classID)
    if found[key] == nil { order.append(key) }
    var advice =
      found[key]
      ?? IndexAdvice(
        className: entry.name, properties: columns.compactMap { entry.column($0)?.name }, queries: [], before: 0,
        after: 0, sorts: false)
    guard advice.queries.last != queries else { return true }
    advice.queries.append(queries)
    advice.before += before
    advice.after += after
    advice.sorts = advice.sorts || sorts
    found[key] = advice
    return true
  }
}
