import LarderStorage

/// What changed up to a version since others, each computed once.
struct SummaryCache {
  private let newer: Snapshot
  private var summaries: [UInt64: ChangeSummary] = [:]

  init(_ newer: Snapshot) { self.newer = newer }

  mutating func changes(since older: Snapshot) throws -> ChangeSummary {
    if let found = summaries[older.version] { return found }
    let summary = try newer.changes(since: older.version)
    summaries[older.version] = summary
    return summary
  }
}
