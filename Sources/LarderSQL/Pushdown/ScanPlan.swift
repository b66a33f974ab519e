import LarderExchange
import LarderQuery
import LarderStorage

/// How one table of a statement is read: what the store filters, sorts and limits. Values come when a scan starts.
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
  /// Whether a limit, and perhaps the rows that are left out before, come after the values of the terms.
  var hasLimit = false
  var hasOffset = false
  /// Rows that are expected, for `explain`.
  var estimate: Int

  /// The query that the objects come from.
  ///
  /// - Parameter values: One for each term, then limit and offset.
  /// - Throws: `SQLError` when SQLite gives a settled condition another value than it planned with.
  func query(_ values: [SQLValue], _ classID: ClassID, in schema: StoreSchema) throws -> ResultsQuery {
    switch access {
    case .all: return ResultsQuery(classID)
    case .row:
      if let key = key(values) { return ResultsQuery(.keys(classID, [key])) }
      // SQLite looks again, and converts what is no whole number as it does for its own tables.
      switch values.first {
      case .real?, .text?: return ResultsQuery(classID)
      default: return ResultsQuery(.keys(classID, []))
      }
    case .query(let terms, let order):
      let nodes = try zip(terms, values).compactMap { term, value in try Self.node(term, value) }
      var query = ResultsQuery(classID)
      if !nodes.isEmpty { query = query.filtered(try Binder(schema: schema).bind(.and(nodes), to: classID)) }
      return try query.sorted(order.map { ($0.column.name, $0.isAscending) }, schema: schema)
    }
  }

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
    guard !term.isSettled else {
      let text = value.plain ?? "NULL"
      throw SQLError(
        .failed, "SQLite compares '\(term.column.name)' with '\(text)' after it planned otherwise", statement: "")
    }
    return nil
  }

  /// How many of the first rows the statement needs, with those that it leaves out; nil: all.
  func limit(_ values: [SQLValue]) -> Int? {
    guard hasLimit, case .query(let terms, _) = access else { return nil }
    var limits = values.dropFirst(terms.count)
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
      if !terms.isEmpty { parts.append("where " + terms.map(\.description).joined(separator: " AND ")) }
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
