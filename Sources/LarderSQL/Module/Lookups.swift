import LarderQuery
import LarderStorage

/// Finds the objects of one scan after the other: a join starts one for each row of the other side, and asks for columns by value, or for
/// values that come again.
final class Lookups {
  private let table: SQLTable
  private let sources: RowSources
  private let memory: SQLMemory
  private let store: TableStore
  private var number: Int32 = -1
  private(set) var plan = ScanPlan(access: .all, estimate: 0)
  private var found: FoundKeys
  private var join: JoinTable?
  /// The places of the values in a key of `join`, with their columns' types.
  private var parts: [(place: Int, type: ColumnType)] = []
  /// The values of the other conditions, which `join` is made with.
  private var rest: [Int] = []
  private var restValues: [SQLValue] = []
  private var key = JoinKey()
  /// Of a plan that looks for one primary key and nothing else.
  private var lastShown: ShownKey?
  /// The cost of the scans of this plan until now, reckoned in nanoseconds; nil where no `join` can be made.
  private var spent: Double?
  /// True if `join` holds objects that conditions would leave out.
  private var leavesRest = false
  /// With more objects to a value the store, which narrows by all conditions, is faster than SQLite's look at each of them.
  private static let mostWithValue = 256

  init(_ table: SQLTable, _ sources: RowSources, _ store: TableStore) {
    (self.table, self.sources, self.store, memory) = (table, sources, store, store.memory)
    found = FoundKeys(memory)
  }

  /// Begins a scan by the plan of a number.
  func begin(_ number: Int32, _ plan: () -> ScanPlan) throws {
    guard number != self.number else { return }
    self.number = number
    self.plan = plan()
    found = FoundKeys(memory)
    (join, parts, rest, spent, leavesRest, lastShown) = (nil, [], [], nil, false, nil)
    guard !table.isElements, !self.plan.hasLimit, self.plan.bounds.isEmpty, !self.plan.isDescending,
      case .query(let terms, _) = self.plan.access
    else { return }
    for (place, term) in terms.enumerated() {
      if term.isJoinable { parts.append((place, term.subject.type)) } else { rest.append(place) }
    }
    if !parts.isEmpty { spent = 0 }
    if terms.count == 1, parts.count == 1, terms[0].column.isPrimaryKey {
      let step = SQLColumn.Step(classID: table.classID, column: terms[0].column)
      lastShown = ShownKey(try sources.cell(step), terms[0].subject.type)
    }
  }

  /// The object whose primary key a link showed last, where the plan looks for that key, as a join does that reads the link.
  func shown(_ arguments: UnsafeBufferPointer<OpaquePointer?>) throws -> UInt64? {
    try lastShown?.object(arguments[parts[0].place])
  }

  /// The objects that the values are looked up for in a table; nil where there is none, or SQLite would convert a value first.
  func objects(_ arguments: UnsafeBufferPointer<OpaquePointer?>) throws -> UnsafeBufferPointer<ObjectKey>? {
    guard let join else { return nil }
    if !rest.isEmpty, rest.map({ SQLValue(arguments[$0]) }) != restValues {
      // Made for other values of other conditions: they need not be the last ones.
      self.join = nil
      leaveRest()
      return nil
    }
    key.removeAll()
    for part in parts {
      switch key.append(arguments[part.place], part.type) {
      case .bytes: continue
      case .nothing: return UnsafeBufferPointer(start: nil, count: 0)
      case .otherType: return nil
      }
    }
    return join.objects(key)
  }

  /// Has the next table made without the conditions whose values change from row to row, which SQLite looks at itself; none is made where
  /// that was tried, or all values are fixed.
  private func leaveRest() {
    guard case .query(let terms, _) = plan.access, rest.contains(where: { !terms[$0].isSettled }) else {
      spent = nil
      return
    }
    rest.removeAll { !terms[$0].isSettled }
    (spent, leavesRest) = (.infinity, true)
  }

  /// Asks the store, or what it said before.
  ///
  /// - Returns: The objects, and what finds all where there may be more.
  func find(_ values: [SQLValue]) throws -> (keys: [ObjectKey], whole: (() throws -> [ObjectKey])?) {
    if let known = found.keys(values) { return (known, nil) }
    guard let limit = plan.limit(values) else {
      let keys = try query(plan, values, limit: .max)
      found.keep(keys, values)
      try prepare(values)
      return (keys, nil)
    }
    let keys = try query(plan, values, limit: limit)
    let plan = plan
    return (keys, limit == keys.count ? { try self.query(plan, values, limit: .max) } : nil)
  }

  private func query(_ plan: ScanPlan, _ values: [SQLValue], limit: Int) throws -> [ObjectKey] {
    store.queryCount += 1
    let (reader, classID) = (sources.reader, table.classID)
    guard case .query(let terms, let order) = plan.access, !plan.bounds.isEmpty || plan.isDescending else {
      let query = try plan.query(values, classID, in: reader.schema)
      return try (limit == .max ? query : query.limited(to: limit)).keys(in: reader)
    }
    guard let rows = try plan.rows(values) else { return [] }
    let presence = try sources.presence(classID)
    if terms.isEmpty, order.isEmpty { return try presence.keys(in: rows, descending: plan.isDescending, limit: limit) }
    // Objects within narrow bounds are fewer than those that an index finds.
    let isNarrow = try rows.upperBound - rows.lowerBound < UInt64(reader.count(of: classID) / 8)
    let inside = isNarrow ? try presence.keys(in: rows) : nil
    var keys = try plan.query(values, classID, in: reader.schema, keys: inside).keys(in: reader)
    if !isNarrow { keys.removeAll { !rows.contains($0.rawValue) } }
    if plan.isDescending { keys.reverse() }
    return limit < keys.count ? Array(keys.prefix(limit)) : keys
  }

  /// Makes a table once the scans that it would have saved have taken half its time.
  private func prepare(_ values: [SQLValue]) throws {
    guard var spent, case .query(let terms, let order) = plan.access else { return }
    let count = Double(try sources.reader.count(of: table.classID))
    spent +=
      terms.contains { $0.links.isEmpty && $0.column.hasIndex && $0.operation == .equal } ? 20_000 : 20_000 + count
    self.spent = spent
    guard spent * 2 > count * 100 else { return }
    self.spent = nil
    var wide = plan
    wide.access = .query(rest.map { terms[$0] }, order: order)
    restValues = rest.map { values[$0] }
    let columns = try parts.map {
      try sources.cell(SQLColumn.Step(classID: table.classID, column: terms[$0.place].column))
    }
    let keys = try query(wide, restValues, limit: .max)
    join = try JoinTable(keys, columns, limit: memory.joinTableBytes)
    if leavesRest, let made = join, keys.count > made.valueCount * Self.mostWithValue { join = nil }
  }
}

extension PushedTerm {
  /// True if a `JoinTable` may look its value up.
  fileprivate var isJoinable: Bool {
    guard operation == .equal, links.isEmpty else { return false }
    return switch subject.type {
    case .bool, .int, .float, .double, .string, .date, .link, .uuid, .objectId: true
    case .data, .decimal128, .mixed: false
    }
  }
}
