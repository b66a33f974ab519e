/// Objects are added and nearly all deleted again, round after round, each in a transaction of its own: how large the file is for what
/// is left, the time for each object that came, and for counting by a condition in what is left.
enum Churn {
  static let trial = Trial(
    ids: ["churn", "churn-time", "churn-scan"],
    entrants: [
      "larder": ChurnEntrant<LarderPeer>.self, "grdb": ChurnEntrant<GRDBPeer>.self,
      "sqlite": ChurnEntrant<SQLitePeer>.self, "lmdb": ChurnEntrant<LMDBPeer>.self,
    ])

  static let rounds = 20
  /// The number of times that the remaining objects are counted, each time after a commit.
  static let scans = 20
  /// Of so many objects one stays.
  private static let kept = 100

  /// Returns the objects that a round adds and deletes.
  static func round(_ number: Int, _ data: Dataset) -> (rows: [PersonRow], deletions: [Int]) {
    let size = max(1_000, data.rows.count / 10)
    let rows = (0..<size).map { index in
      var row = data.rows[(number * size + index) % data.rows.count]
      row.id = number * size + index
      return row
    }
    return (rows, rows.map(\.id).filter { $0 % kept != 0 })
  }
}

/// The work of every peer of the other workloads that can do it as it is.
private enum ChurnEntrant<Store: Peer>: Entrant {
  static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
    let store = try Store(directory: directory, indexed: false)
    var (total, units, left) = (Spent(), 0, 0)
    for number in 0..<Churn.rounds {
      let (rows, deletions) = Churn.round(number, data)
      total += try Meter.spent { try store.insert(rows) }
      total += try Meter.spent { try store.delete(deletions) }
      units += rows.count
      left += rows.count - deletions.count
    }
    var scanned = Spent()
    for number in 0..<Churn.scans {
      var row = data.rows[0]
      row.id = Churn.rounds * max(1_000, data.rows.count / 10) + number
      try store.commitEach([row])
      scanned += try Meter.spent { _ = try store.countScan() }
    }
    meter.add("churn-scan", scanned, units: left * Churn.scans)
    let answer = try store.contents()
    meter.add("churn-time", total, units: units)
    meter.add("churn", bytes: Double(try store.fileBytes()) / Double(left))
    try store.close()
    return answer
  }
}
