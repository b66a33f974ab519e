/// A query that is followed while names of its results change: people below a score, by name.
struct FollowedQuery {
  /// Its name in the report.
  let name: String
  let limit: Double

  static let all = [FollowedQuery(name: "1pct", limit: 0.01), FollowedQuery(name: "half", limit: 0.5)]

  /// Changes in a transaction, and how many of these there are in a round.
  static let sizes = [
    (changes: 1, transactions: 15), (changes: 100, transactions: 4), (changes: 10_000, transactions: 2),
  ]

  /// Transactions of one change before those, not timed: as for every other row, what is measured is a process in its stride.
  static let untimed = 5

  /// The row of the report for transactions of some size.
  func id(_ changes: Int) -> String { changes == 1 ? "notify-\(name)" : "notify-\(name)-\(changes)" }

  /// The row for running the query again and reading the ids.
  var rerunID: String { "rerun-\(name)" }

  var ids: [String] { Self.sizes.map { id($0.changes) } + [rerunID] }
  static var allIDs: [String] { all.flatMap(\.ids) }
}
