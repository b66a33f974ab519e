import LarderLMDB

/// Checks the log, and the tombstones of deleted objects.
struct LogCheck: StoreCheck {
  let snapshot: Snapshot
  let problems: ProblemList

  func checkLog() throws {
    let state = snapshot.state
    let found = try snapshot.store.log.verify(
      floor: state.logFloor, newest: state.version, in: snapshot.transaction)
    for problem in found { report(.log, "log", problem.description) }
    if let newest = try snapshot.store.log.record(state.version, in: snapshot.transaction),
      newest.time.rawValue > state.clock
    {
      report(.log, "log", "the catalog's clock is before the time of the newest record")
    }
    try checkTombstones()
  }

  /// Tombstones are of objects of known classes that are no longer there.
  private func checkTombstones() throws {
    let cursor = try snapshot.transaction.cursor(snapshot.store.tables.tombstones, for: .examining)
    var entry = try cursor.first()
    while let found = entry, !problems.isFull {
      entry = try cursor.next()
      guard found.key.count == 16, found.key.loadBigEndian(0, as: UInt64.self) << 16 == 0 else {
        report(.log, "tombstones", "a key that none has")
        continue
      }
      let word: UInt64 = found.key.loadBigEndian(0)
      let key = ObjectKey(rawValue: found.key.loadBigEndian(8))
      let classID = ClassID(rawValue: UInt16(truncatingIfNeeded: word >> 48))
      // Those of removed classes stay with the log.
      guard let owner = snapshot.schema[classID] else {
        if !snapshot.schemaRecord.retired.contains(where: { $0.classID == classID }) {
          report(.log, "tombstones", "one of class number \(classID.rawValue), which there never was")
        }
        continue
      }
      if try snapshot.contains(classID, key) {
        report(.log, "tombstones", "one of object \(key.rawValue) of \(owner.name), which is there")
      } else if key >= snapshot.nextObjectKey(of: classID) {
        report(.log, "tombstones", "one of object \(key.rawValue) of \(owner.name), which there never was")
      }
    }
  }
}
