import Foundation
import LarderExchange
import LarderQuery
import LarderStorage

/// Predicates as they are typed: where programs give dates and data as arguments, texts mean them.
enum PredicateText {
  /// Adds a filter to a query. Dates are texts in ISO 8601, such as `"2013-01-31T10:00:00Z"`, and data texts in base64.
  ///
  /// - Throws: `PredicateError`.
  static func filter(_ query: ResultsQuery, _ text: String, schema: StoreSchema) throws -> ResultsQuery {
    let node = try PredicateParser.parse(text)
    return query.filtered(try binder(text, schema, .format).bind(node, to: query.classID))
  }

  /// Adds what a text in RQL says, with such dates and data besides RQL's own.
  ///
  /// - Throws: `PredicateError`.
  static func query(_ query: ResultsQuery, _ text: String, schema: StoreSchema) throws -> ResultsQuery {
    let (node, clauses) = try PredicateParser.parseQuery(text)
    let binder = binder(text, schema, .query)
    return query.filtered(try binder.bind(node, to: query.classID))
      .appending(try binder.steps(clauses, in: query.classID))
  }

  private static func binder(_ text: String, _ schema: StoreSchema, _ dialect: PredicateDialect) -> Binder {
    Binder(schema: schema, text: text, dialect: dialect, textReader: value)
  }

  /// Reads a text where a date or data is expected; nil where it means none.
  @Sendable static func value(_ text: String, _ type: ColumnType) -> StoredValue? {
    switch type {
    case .date: DateText.parse(text).map { .date($0) }
    case .data: Data(base64Encoded: text).map { .data($0) }
    default: nil
    }
  }
}
