/// Filters as conditions of SQL over the column `q`, each true, false or unknown.
///
/// `->` and `->>` mean the same in PostgreSQL and SQLite for names that `QueryFields` takes.
struct SQLFilter {
  /// Filters with more parts than this are not worth what it costs to plan them, and let everything pass.
  static let largest = 200

  /// Adds ` AND (…) IS NOT FALSE` for a filter that narrows.
  static func append(_ filter: QueryFilter, to text: inout SQLText) {
    guard filter.size <= largest, let condition = condition(filter, &text) else { return }
    text += " AND (\(condition)) IS NOT FALSE"
  }

  /// Nil for a filter of which nothing can be said.
  private static func condition(_ filter: QueryFilter, _ text: inout SQLText) -> String? {
    switch filter {
    case .unknown: nil
    case .isNull(let name):
      QueryFields.isUsable(name)
        ? "CAST(q -> \(text.parameter(.text(name), .text)) AS TEXT) = 'null'" : nil
    case .equal(let name, let value): comparison(name, "=", [value], &text)
    case .less(let name, let value): comparison(name, "<", [value], &text)
    case .lessOrEqual(let name, let value): comparison(name, "<=", [value], &text)
    case .oneOf(let name, let values): comparison(name, "IN", values, &text)
    case .prefix(let name, let start): prefix(name, start, &text)
    case .and(let parts): joined(parts, "AND", &text)
    case .or(let parts): joined(parts, "OR", &text)
    case .not(let part): condition(part, &text).map { "NOT (\($0))" }
    }
  }

  /// A comparison with values of one type; unknown for a cell of another type.
  private static func comparison(_ name: String, _ sign: String, _ values: [QueryValue], _ text: inout SQLText)
    -> String?
  {
    let texts = values.compactMap(\.text)
    guard QueryFields.isUsable(name), texts.count == values.count, let type = texts.first?.first,
      texts.allSatisfy({ $0.first == type })
    else { return nil }
    let cell = "(q ->> \(text.parameter(.text(name), .text)))\(text.dialect.bytewise)"
    let operands = texts.map { text.parameter(.text($0), .text) }.joined(separator: ", ")
    let right = sign == "IN" ? "(\(operands))" : operands
    return "CASE WHEN substr(\(cell), 1, 1) = '\(type)' THEN \(cell) \(sign) \(right) END"
  }

  private static func prefix(_ name: String, _ start: String, _ text: inout SQLText) -> String? {
    guard QueryFields.isUsable(name), let start = QueryValue.string(start).text else { return nil }
    let cell = "(q ->> \(text.parameter(.text(name), .text)))\(text.dialect.bytewise)"
    let length = text.parameter(.int(Int64(start.unicodeScalars.count)), .int)
    let operand = text.parameter(.text(start), .text)
    return "CASE WHEN substr(\(cell), 1, 1) = 's' THEN substr(\(cell), 1, CAST(\(length) AS INTEGER)) = \(operand) END"
  }

  private static func joined(_ parts: [QueryFilter], _ word: String, _ text: inout SQLText) -> String? {
    let conditions = parts.map { condition($0, &text).map { "(\($0))" } ?? "NULL" }
    return conditions.isEmpty ? nil : conditions.joined(separator: " \(word) ")
  }
}
