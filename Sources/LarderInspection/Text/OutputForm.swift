/// The forms in which verbs that print tables write them.
package enum OutputForm: String, CaseIterable, Sendable {
  case table, vertical, json, csv, markdown, html

  /// True if columns and cells are for people.
  package var isForPeople: Bool { self != .json && self != .csv }
}
