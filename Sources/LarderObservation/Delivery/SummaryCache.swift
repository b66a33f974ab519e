import LarderStorage

/// The changes between older versions and this one, each computed once.
struct SummaryCache {
  private let newer: Snapshot
  private var summaries: [Moment: ChangeSummary] = [:]

  init(_ newer: Snapshot) { self.newer = newer }

  mutating func changes(since older: Snapshot) throws -> ChangeSummary {
    if let found = summaries[older.moment] { return found }
    let summary = try newer.changes(since: older.moment)
    summaries[older.moment] = summary
    return summary
  }
}
