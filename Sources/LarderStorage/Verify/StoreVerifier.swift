import LarderLMDB

/// Checks every structure of a store at one version: leaves, counters, large values, lists, indexes, backlinks, owners
/// of embedded objects, and the log. Reads everything once or twice; O(store).
package struct StoreVerifier {
  let snapshot: Snapshot
  let limit: Int
  private(set) var problems: [StoreProblem] = []

  /// - Parameter limit: At most so many problems are listed.
  package init(_ snapshot: Snapshot, limit: Int = 200) {
    self.snapshot = snapshot
    self.limit = limit
  }

  /// Checks everything.
  ///
  /// - Returns: The problems found, at most the limit; empty when the store is sound.
  /// - Throws: When the file cannot be read at all.
  package static func verify(_ snapshot: Snapshot, limit: Int = 200) throws -> [StoreProblem] {
    var verifier = StoreVerifier(snapshot, limit: limit)
    try verifier.run()
    return Array(verifier.problems.prefix(limit))
  }

  /// What a check cannot see in this store, each in a sentence; empty but in stores of the first versions.
  package static func notes(_ snapshot: Snapshot) throws -> [String] {
    let store = snapshot.store
    guard try CatalogSeal.isMissing(store.tables.catalog, in: snapshot.transaction) else { return [] }
    return [
      "The catalog of '\(store.path)' has no checksums, as the first stores were written: a changed name or number in it would not "
        + "be noticed. The next commit by this version of Larder gives it them."
    ]
  }

  private mutating func run() throws {
    checkSchema()
    try checkLeaves()
    try checkTails()
    for entry in snapshot.schema.classes {
      checkCounters(entry)
      guard problems.count < limit else { return }
      // What follows reads values; with damaged leaves that would only repeat what was found.
      guard !problems.contains(where: { $0.structure == .leaf || $0.structure == .presence }) else { continue }
      attempt(.index, entry.name) { try $0.checkIndexes(entry) }
      attempt(.large, entry.name) { try $0.checkLarge(entry) }
      attempt(.leaf, entry.name) { try $0.checkNested(entry) }
      attempt(.list, entry.name) { try $0.checkLists(entry) }
      attempt(.backlink, entry.name) { try $0.checkBacklinks(entry) }
      attempt(.embedded, entry.name) { try $0.checkOwners(entry) }
    }
    attempt(.catalog, "tables") { try $0.checkStrays() }
    attempt(.log, "log") { try $0.checkLog() }
  }

  /// Runs one check; an error it meets becomes a problem.
  private mutating func attempt(
    _ structure: StoreProblem.Structure, _ location: String, _ body: (inout StoreVerifier) throws -> Void
  ) {
    do { try body(&self) } catch { report(structure, location, "\(error)") }
  }

  mutating func report(_ structure: StoreProblem.Structure, _ location: String, _ message: String) {
    if problems.count < limit { problems.append(StoreProblem(structure, location, message)) }
  }

  // MARK: - Log

  private mutating func checkLog() throws {
    let state = snapshot.state
    let found = try snapshot.store.log.verify(
      floor: state.logFloor, newest: state.version, in: snapshot.transaction)
    for problem in found { report(.log, "log", problem.description) }
    if let newest = try snapshot.store.log.record(state.version, in: snapshot.transaction),
      newest.time.rawValue > state.clock
    {
      report(.log, "log", "the catalog's clock lies before the time of the newest record")
    }
    try checkTombstones()
  }

  /// Tombstones are of objects of known classes that are no longer there.
  private mutating func checkTombstones() throws {
    let cursor = try snapshot.transaction.cursor(snapshot.store.tables.tombstones, for: .examining)
    var entry = try cursor.first()
    while let found = entry, problems.count < limit {
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

  /// Calls `body` with the key of each present object of a class.
  func forEachObject(_ entry: ClassDescriptor, _ body: (ObjectKey) throws -> Void) throws {
    for cluster in try snapshot.liveClusters(of: entry.id) {
      guard let presence = try snapshot.presence(entry.id, cluster: cluster) else { continue }
      try presence.bitmap(capacity: snapshot.clusterSize).forEachSet { slot in
        try body(ObjectKey(rawValue: UInt64(cluster * snapshot.clusterSize + slot)))
      }
    }
  }
}
