import LarderExchange
import LarderQuery
import LarderStorage

/// The plan for one table of a statement: the store's part in filtering, sorting and limiting. Values come when a scan starts.
struct ScanPlan: Hashable, Sendable {
  enum Access: Hashable, Sendable {
    /// Objects that the terms are true for, in the order.
    case query([PushedTerm], order: [Order])
    /// The one row with a number, or for elements the rows of one owner.
    case row
    /// Nothing is narrowed down.
    case all
  }

  struct Order: Hashable, Sendable {
    var column: ColumnDescriptor
    var isAscending: Bool
  }

  var access: Access
  /// Bounds of the rows' numbers, whose values come after those of the terms.
  var bounds: [RowBound] = []
  /// True if objects come in the descending order of their keys.
  var isDescending = false
  /// True if a limit, and perhaps the rows that are left out before, come after the values of the terms.
  var hasLimit = false
  var hasOffset = false
  /// Rows that are expected, for `explain`.
  var estimate: Int

  /// The query that the objects come from.
  ///
  /// - Parameters:
  ///   - values: One for each term, then for each bound, then limit and offset.
  ///   - keys: The objects within the bounds; nil: all of the class.
  /// - Throws: `SQLError` when SQLite gives a settled condition another value than it planned with.
  func query(
    _ values: [SQLValue], _ classID: ClassID, in schema: StoreSchema, keys: [ObjectKey]? = nil
  ) throws -> ResultsQuery {
    let all = keys.map { ResultsQuery(.keys(classID, $0)) } ?? ResultsQuery(classID)
    switch access {
    case .all: return all
    case .row:
      if let key = key(values) { return ResultsQuery(.keys(classID, [key])) }
      // SQLite looks again, and converts what is no whole number as it does for its own tables.
      switch values.first {
      case .real?, .text?: return all
      default: return ResultsQuery(.keys(classID, []))
      }
    case .query(let terms, let order):
      let nodes = try zip(terms, values).compactMap { term, value in try Self.node(term, value) }
      var query = all
      if !nodes.isEmpty { query = query.filtered(try Binder(schema: schema).bind(.and(nodes), to: classID)) }
      return try query.sorted(order.map { ($0.column.name, $0.isAscending) }, schema: schema)
    }
  }

  /// True if the plan is to look for the object with a key.
  func isKey(_ values: [SQLValue]) -> Bool { key(values) != nil }

  /// The key of the only object that is looked for, where the plan names one.
  func key(_ values: [SQLValue]) -> ObjectKey? {
    guard access == .row, case .integer(let number)? = values.first, number >= 0 else { return nil }
    return ObjectKey(rawValue: UInt64(number))
  }

  private static func node(_ term: PushedTerm, _ value: SQLValue) throws -> PredicateNode? {
    if value == .null, term.operation != .isNull, term.operation != .isNotNull {
      // Nothing compares with NULL.
      return .constant(false)
    }
    if let condition = term.condition(value) { return condition.node }
    guard !term.isSettled else { throw Self.changed(term.column.name, value) }
    return nil
  }

  private static func changed(_ name: String, _ value: SQLValue) -> SQLError {
    let text = value.plain ?? "NULL"
    return SQLError(.failed, "SQLite compares '\(name)' with '\(text)' after it planned otherwise", statement: "")
  }

  /// The keys that the bounds leave; nil where they leave none.
  ///
  /// - Throws: `SQLError` when SQLite gives a settled bound another kind of value than it planned with.
  func rows(_ values: [SQLValue]) throws -> ClosedRange<UInt64>? {
    var (low, high) = (Int64(0), Int64.max)
    for (bound, value) in zip(bounds, values.dropFirst(termCount)) {
      guard let (from, to) = bound.range(value) else {
        // SQLite looks again, and converts what is no number.
        guard !bound.isSettled else { throw Self.changed("rowid", value) }
        continue
      }
      (low, high) = (max(low, from), min(high, to))
    }
    return low <= high ? UInt64(low)...UInt64(high) : nil
  }

  var termCount: Int {
    guard case .query(let terms, _) = access else { return 0 }
    return terms.count
  }

  /// The number of first rows that the statement needs, with those that it leaves out; nil for all.
  func limit(_ values: [SQLValue]) -> Int? {
    guard hasLimit else { return nil }
    var limits = values.dropFirst(termCount + bounds.count)
    guard case .integer(var count)? = limits.popFirst(), count >= 0 else { return nil }
    if hasOffset, case .integer(let skipped)? = limits.popFirst(), skipped > 0 {
      let (sum, isBeyond) = count.addingReportingOverflow(skipped)
      count = isBeyond ? .max : sum
    }
    return Int(count)
  }

  /// The plan in words, as `explain` prints it.
  func description(of table: SQLTable) -> String {
    var parts: [String] = []
    switch access {
    case .all: parts.append(table.isElements ? "elements of all objects" : "all objects")
    case .row: parts.append(table.isElements ? "elements of one object" : "one object by its key")
    case .query(let terms, let order):
      let conditions = terms.map(\.description) + bounds.map { "rowid \($0.comparison.rawValue) ?" }
      if !conditions.isEmpty { parts.append("where " + conditions.joined(separator: " AND ")) }
      if isDescending { parts.append("sorted by rowid DESC") }
      if !order.isEmpty {
        parts.append(
          "sorted by " + order.map { $0.column.name + ($0.isAscending ? "" : " DESC") }.joined(separator: ", "))
      }
    }
    if hasLimit { parts.append("limited") }
    return "\(table.name): \(parts.joined(separator: ", ")); about \(estimate) row\(estimate == 1 ? "" : "s")"
  }
}

extension PushedTerm {
  var description: String {
    let name = (links + [column.name]).joined(separator: ".")
    return switch operation {
    case .equal: "\(name) == ?"
    case .notEqual: "\(name) != ?"
    case .less: "\(name) < ?"
    case .lessOrEqual: "\(name) <= ?"
    case .greater: "\(name) > ?"
    case .greaterOrEqual: "\(name) >= ?"
    case .isNull: "\(name) == nil"
    case .isNotNull: "\(name) != nil"
    case .glob, .like: "\(name) BEGINSWITH ?"
    }
  }
}
