import LarderSyncProtocol

extension Subscribe {
  /// Checks that the set has no more queries than a server takes.
  ///
  /// - Throws: `RefusedQuery`, with the first query that is one too many.
  func check(queries most: Int) throws(RefusedQuery) {
    guard queries.count > most else { return }
    throw RefusedQuery(
      query: queries[most],
      reason:
        "The set has \(queries.count) queries; this server takes at most \(most). Remove subscriptions, or join queries with OR."
    )
  }
}
