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
  func query(_ values: [SQLValue], _ classID: ClassID, in schema: StoreSchema) throws -> ResultsQuery {
    var query = ResultsQuery(classID)
    var limits = values[...]
    switch access {
    case .all: break
    case .row:
      guard case .integer(let number)? = limits.popFirst(), number >= 0 else { return ResultsQuery(.keys(classID, [])) }
      query = ResultsQuery(.keys(classID, [ObjectKey(rawValue: UInt64(number))]))
    case .query(let terms, let order):
      var nodes: [PredicateNode] = []
      for (term, value) in zip(terms, values) {
        if value == .null, term.operation != .isNull, term.operation != .isNotNull {
          // Nothing compares with NULL.
          nodes.append(.constant(false))
        } else if let condition = term.condition(value) {
          nodes.append(condition.node)
        }
      }
      limits = values.dropFirst(terms.count)
      if !nodes.isEmpty { query = query.filtered(try Binder(schema: schema).bind(.and(nodes), to: classID)) }
      query = try query.sorted(order.map { ($0.column.name, $0.isAscending) }, schema: schema)
    }
    guard hasLimit, case .integer(var count)? = limits.popFirst(), count >= 0 else { return query }
    if hasOffset, case .integer(let skipped)? = limits.popFirst(), skipped > 0 {
      let (sum, isBeyond) = count.addingReportingOverflow(skipped)
      count = isBeyond ? .max : sum
    }
    return query.limited(to: Int(count))
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
    let name = column.name
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
