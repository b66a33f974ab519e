import LarderSyncProtocol

/// The objects of one class that a device has: those that are in one of its queries and that its user may read. Many devices share a few of these, so
/// that equality is tested often and the hash is computed once.
struct ClassView: Hashable, Sendable {
  let queries: Set<ViewQuery>
  let rule: ReadRule
  private let hash: Int

  init(_ queries: Set<ViewQuery>, rule: ReadRule) {
    self.queries = queries
    self.rule = rule
    var hasher = Hasher()
    hasher.combine(queries)
    hasher.combine(rule)
    hash = hasher.finalize()
  }

  /// Returns true if an object with this summary is in the view.
  func contains(_ summary: ObjectSummary) -> Bool {
    guard summary.isAlive, rule.allows({ summary[$0] }) else { return false }
    return isAskedFor(summary)
  }

  /// Returns true if one of the queries has an object with this summary, even if the user may not read it.
  func isAskedFor(_ summary: ObjectSummary) -> Bool {
    queries.contains { $0.query.matches { summary[$0] } }
  }

  static func == (left: ClassView, right: ClassView) -> Bool {
    left.hash == right.hash && left.rule == right.rule && left.queries == right.queries
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
