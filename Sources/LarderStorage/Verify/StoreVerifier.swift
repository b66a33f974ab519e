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

  private mutating func run() throws {
    try checkLeaves()
    try checkTails()
    for entry in snapshot.schema.classes {
      checkCounters(entry)
      guard problems.count < limit else { return }
      // What follows reads values; with damaged leaves that would only repeat what was found.
      guard !problems.contains(where: { $0.structure == .leaf || $0.structure == .presence }) else { continue }
      attempt(.index, entry.name) { try $0.checkIndexes(entry) }
      attempt(.large, entry.name) { try $0.checkLarge(entry) }
      attempt(.list, entry.name) { try $0.checkLists(entry) }
      attempt(.backlink, entry.name) { try $0.checkBacklinks(entry) }
      attempt(.embedded, entry.name) { try $0.checkOwners(entry) }
    }
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

  // MARK: - Counters and log

  private mutating func checkCounters(_ entry: ClassDescriptor) {
    var present = 0
    do {
      for cluster in 0..<(try snapshot.clusterCount(of: entry.id)) {
        guard let presence = try snapshot.presence(entry.id, cluster: cluster) else { continue }
        present += presence.bitmap(capacity: snapshot.clusterSize).popcount
      }
      let counted = try snapshot.count(of: entry.id)
      if counted != present {
        report(.catalog, entry.name, "the catalog counts \(counted) objects, the clusters hold \(present)")
      }
    } catch {
      report(.presence, entry.name, "\(error)")
    }
    let ids = Set(entry.columns.map(\.id))
    if ids.count != entry.columns.count { report(.catalog, entry.name, "two columns have one number") }
    for column in entry.columns {
      if let target = column.target, snapshot.schema[target] == nil {
        report(.catalog, "\(entry.name).\(column.name)", "links to class number \(target.rawValue), which is unknown")
      }
    }
  }

  private mutating func checkLog() throws {
    let state = snapshot.state
    let found = try snapshot.store.log.verify(
      floor: state.logFloor, newest: state.version, in: snapshot.transaction)
    for problem in found { report(.log, "log", problem.description) }
  }

  /// Calls `body` with the key of each present object of a class.
  func forEachObject(_ entry: ClassDescriptor, _ body: (ObjectKey) throws -> Void) throws {
    for cluster in 0..<(try snapshot.clusterCount(of: entry.id)) {
      guard let presence = try snapshot.presence(entry.id, cluster: cluster) else { continue }
      try presence.bitmap(capacity: snapshot.clusterSize).forEachSet { slot in
        try body(ObjectKey(rawValue: UInt64(cluster * snapshot.clusterSize + slot)))
      }
    }
  }
}
