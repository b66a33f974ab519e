import LarderQuery
import LarderStorage

/// The question of SQLite to a table when it plans a statement, and the answer.
struct ScanRequest {
  struct Constraint {
    /// Number of the column; nil: the row's number.
    var column: Int?
    var operation: Operation
    var isUsable: Bool
    /// The value, where the statement says it.
    var value: SQLValue?
  }

  enum Operation: Hashable {
    case term(PushedTerm.Operation)
    case limit, offset, other
  }

  var constraints: [Constraint]
  var order: [(column: Int?, isAscending: Bool)]

  struct Answer {
    var plan: ScanPlan
    /// For each constraint the number of its value, from 0, if the plan takes it.
    var arguments: [Int?]
    /// True if SQLite need not look at the condition again.
    var isExact: [Bool]
    var orderIsConsumed: Bool
    var cost: Double
    var isUnique: Bool
  }

  /// Chooses how the table is read.
  func answer(_ table: SQLTable, _ reader: any StoreReader) throws -> Answer {
    let count = try reader.count(of: table.classID)
    if let place = constraints.firstIndex(where: { isRow($0, table) }) {
      var arguments = [Int?](repeating: nil, count: constraints.count)
      arguments[place] = 0
      let rows = table.isElements ? 8 : 1
      return Answer(
        plan: ScanPlan(access: .row, estimate: rows), arguments: arguments,
        isExact: constraints.map { _ in false }, orderIsConsumed: false, cost: 4, isUnique: !table.isElements)
    }
    guard !table.isElements else {
      return Answer(
        plan: ScanPlan(access: .all, estimate: count * 4), arguments: constraints.map { _ in nil },
        isExact: constraints.map { _ in false }, orderIsConsumed: false, cost: Double(count) * 8, isUnique: false)
    }
    return try query(table, reader, count)
  }

  private func isRow(_ constraint: Constraint, _ table: SQLTable) -> Bool {
    guard constraint.isUsable, constraint.operation == .term(.equal) else { return false }
    guard table.isElements else { return constraint.column == nil }
    return constraint.column.map { table.columns[$0].content == .owner } ?? false
  }

  private func query(_ table: SQLTable, _ reader: any StoreReader, _ count: Int) throws -> Answer {
    var arguments = [Int?](repeating: nil, count: constraints.count)
    var isExact = [Bool](repeating: false, count: constraints.count)
    var terms: [PushedTerm] = []
    var rows = Double(count)
    var isUnique = false
    var hasIndex = false
    for (place, constraint) in constraints.enumerated() {
      guard case .term(let operation) = constraint.operation, constraint.isUsable,
        let shown = constraint.column.map({ table.columns[$0] }), let (links, column) = shown.reachedProperty
      else { continue }
      var term = PushedTerm(links: links, column: column, key: shown.linked?.column, operation: operation)
      guard term.isPossible else { continue }
      if let value = constraint.value ?? (operation == .isNull || operation == .isNotNull ? .null : nil) {
        guard value == .null || term.condition(value) != nil else { continue }
        isExact[place] = term.condition(value)?.isExact ?? false
      }
      arguments[place] = terms.count
      term.isSettled = isExact[place]
      terms.append(term)
      let estimate = try term.estimate(constraint.value, count, table.classID, reader)
      // Each equality leaves a part of what the others leave: else one with a constant would hide that a join narrows rows further.
      rows = operation == .equal ? max(1, rows * estimate / Double(max(1, count))) : min(rows, estimate)
      if links.isEmpty, column.hasIndex, operation != .notEqual { hasIndex = true }
      if links.isEmpty, column.isPrimaryKey, operation == .equal { isUnique = true }
    }
    let bounds = bounds(&arguments, &isExact, from: terms.count)
    for _ in bounds { rows = min(rows, max(1, rows / 2)) }
    var plan = ScanPlan(access: .all, bounds: bounds, estimate: Int(rows))
    let order = order(table)
    plan.isDescending = isByRow && !self.order[0].isAscending
    let isAll = terms.isEmpty && bounds.isEmpty && (order ?? []).isEmpty && !plan.isDescending
    plan.access = isAll ? .all : .query(terms, order: order ?? [])
    addLimit(&plan, terms.count + bounds.count, &arguments, isExact, orderIsConsumed: order != nil)
    // A scan looks at a value in a nanosecond, SQLite at a row in a hundred.
    let looked = hasIndex || terms.isEmpty && !bounds.isEmpty ? 4 : Double(count) * 0.02
    return Answer(
      plan: plan, arguments: arguments, isExact: isExact, orderIsConsumed: order != nil,
      cost: looked + (isUnique ? 1 : rows), isUnique: isUnique)
  }

  /// Takes the bounds of the rows' numbers over, whose values come after those of the terms.
  private func bounds(_ arguments: inout [Int?], _ isExact: inout [Bool], from first: Int) -> [RowBound] {
    var bounds: [RowBound] = []
    for (place, constraint) in constraints.enumerated() where constraint.column == nil && constraint.isUsable {
      guard case .term(let operation) = constraint.operation, let comparison = RowBound.Comparison(operation) else {
        continue
      }
      var bound = RowBound(comparison: comparison)
      if let value = constraint.value {
        guard bound.range(value) != nil else { continue }
        bound.isSettled = true
        isExact[place] = true
      }
      arguments[place] = first + bounds.count
      bounds.append(bound)
    }
    return bounds
  }

  /// True if rows are wanted in the order of their numbers.
  private var isByRow: Bool { order.count == 1 && order[0].column == nil }

  /// The order that SQLite asks for, where the store has the same one; nil: SQLite sorts.
  private func order(_ table: SQLTable) -> [ScanPlan.Order]? {
    // Objects come in the order of their keys.
    if isByRow { return [] }
    var result: [ScanPlan.Order] = []
    for (place, criterion) in order.enumerated() {
      guard let column = criterion.column.flatMap({ table.columns[$0].ownProperty }) else { return nil }
      switch column.type {
      case .bool, .int, .string, .date: break
      // NaN and nil are equal to SQLite, so that what comes after decides between them.
      case .float, .double: guard place == order.count - 1 else { return nil }
      case .data, .uuid, .objectId, .decimal128, .link, .mixed: return nil
      }
      result.append(ScanPlan.Order(column: column, isAscending: criterion.isAscending))
    }
    return result
  }

  /// Takes the limit over, where SQLite looks at no condition that it tells of, and sorts nothing.
  private func addLimit(
    _ plan: inout ScanPlan, _ termCount: Int, _ arguments: inout [Int?], _ isExact: [Bool], orderIsConsumed: Bool
  ) {
    guard orderIsConsumed || order.isEmpty,
      let limit = constraints.firstIndex(where: { $0.operation == .limit && $0.isUsable })
    else { return }
    for (place, constraint) in constraints.enumerated() {
      switch constraint.operation {
      case .limit: continue
      case .offset where constraint.isUsable: continue
      default: guard isExact[place] else { return }
      }
    }
    if plan.access == .all { plan.access = .query([], order: []) }
    plan.hasLimit = true
    arguments[limit] = termCount
    guard let offset = constraints.firstIndex(where: { $0.operation == .offset }) else { return }
    plan.hasOffset = true
    arguments[offset] = termCount + 1
  }
}

extension PushedTerm {
  /// True if there is a value with which the condition can be said.
  var isPossible: Bool {
    // NULL where there is no embedded object, too.
    if operation == .isNull, !links.isEmpty { return false }
    return switch subject.type {
    case .int, .bool, .string, .date: true
    case .float, .double: operation != .isNull
    // What they are as text need not be how it is written in a statement.
    case .mixed: operation == .isNotNull
    case .link: [.equal, .notEqual, .isNull, .isNotNull].contains(operation)
    // Bounds of these are rarely asked for, and SQLite looks at them itself.
    case .uuid, .objectId, .data: [.equal, .notEqual, .isNull, .isNotNull].contains(operation)
    case .decimal128: operation == .isNull || operation == .isNotNull
    }
  }

  /// Returns the number of objects that are expected to be found.
  fileprivate func estimate(
    _ value: SQLValue?, _ count: Int, _ classID: ClassID, _ reader: any StoreReader
  ) throws -> Double {
    let total = Double(count)
    if links.isEmpty, column.isPrimaryKey, operation == .equal { return 1 }
    if links.isEmpty, key == nil, operation == .equal, column.hasIndex, let value,
      case .comparison(let node)? = condition(value)?.node,
      case .constant(let constant) = node.right, case .value(let stored) = constant.value,
      let found = try reader.indexedCount(classID, column.id, equalTo: stored)
    {
      return Double(max(1, found))
    }
    return switch operation {
    case .equal: max(1, total / 50)
    case .isNull: max(1, total / 10)
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .glob, .like: max(1, total / 4)
    case .notEqual, .isNotNull: total * 0.9
    }
  }
}
