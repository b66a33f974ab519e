import LarderStorage

/// The state that the tables of one connection share. Belongs to the connection's thread.
final class TableStore {
  /// One version of the store.
  let reader: any StoreReader
  let tables: [SQLTable]
  /// The error of a table, which SQLite passes on as a text only.
  var failure: (any Error)?
  /// Plans that SQLite has chosen, by number: a plan goes through SQLite as a number.
  private(set) var plans: [ScanPlan] = []
  /// True if a statement may compare texts in another order than that of their bytes.
  var mayCollate = false
  /// The objects whose primary keys links showed last.
  let shownKeys = ShownKeys()
  /// The number of times that the rows of a scan were looked for in the store.
  var queryCount = 0
  /// The memory of cursors that are opened from now on.
  var memory = SQLMemory()
  /// True if the statement that runs is to end.
  var isCancelled: @Sendable () -> Bool = { false }

  init(_ reader: any StoreReader) {
    self.reader = reader
    tables = SQLTables(reader.schema).all
  }

  /// Keeps a plan, and gives its number.
  func keep(_ plan: ScanPlan) -> Int32 {
    if let known = plans.firstIndex(of: plan) { return Int32(known) }
    plans.append(plan)
    return Int32(plans.count - 1)
  }

  /// The plan of a number; all rows for any other.
  func plan(_ number: Int32) -> ScanPlan {
    plans.indices.contains(Int(number)) ? plans[Int(number)] : ScanPlan(access: .all, estimate: 0)
  }
}
