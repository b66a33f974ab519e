import LarderLMDB

/// Checks every structure of a store at one version: leaves, counters, large values, lists, indexes, backlinks, owners
/// of embedded objects, and the log. Reads everything once or twice; O(store).
package struct StoreVerifier {
  private let snapshot: Snapshot
  private let problems: ProblemList

  private init(_ snapshot: Snapshot, limit: Int) {
    self.snapshot = snapshot
    problems = ProblemList(limit: limit)
  }

  /// Checks everything.
  ///
  /// - Returns: The problems found, at most the limit; empty when the store is sound.
  /// - Throws: When the file cannot be read at all.
  package static func verify(_ snapshot: Snapshot, limit: Int = 200) throws -> [StoreProblem] {
    let verifier = StoreVerifier(snapshot, limit: limit)
    try verifier.run()
    return verifier.problems.found
  }

  /// Returns what a check cannot see in this store, each in a sentence; empty but in stores of the first versions.
  package static func notes(_ snapshot: Snapshot) throws -> [String] {
    let store = snapshot.store
    guard try CatalogSeal.isMissing(store.tables.catalog, in: snapshot.transaction) else { return [] }
    return [
      "The catalog of '\(store.path)' has no checksums, as the first stores were written: a changed name or number in it would not "
        + "be noticed. The next commit by this version of Larder gives it them."
    ]
  }

  private func run() throws {
    let catalog = CatalogCheck(snapshot: snapshot, problems: problems)
    let links = LinkCheck(snapshot: snapshot, problems: problems)
    let leaves = LeafCheck(snapshot: snapshot, problems: problems)
    catalog.checkSchema()
    try leaves.checkLeaves()
    try TailCheck(snapshot: snapshot, problems: problems).checkTails()
    for entry in snapshot.schema.classes {
      catalog.checkCounters(entry)
      guard !problems.isFull else { return }
      // What follows reads values; with damaged leaves that would only repeat what was found.
      guard !problems.contains(.leaf), !problems.contains(.presence) else { continue }
      attempt(.index, entry.name) { try IndexCheck(snapshot: snapshot, problems: problems).checkIndexes(entry) }
      attempt(.large, entry.name) { try leaves.checkLarge(entry) }
      attempt(.leaf, entry.name) { try NestedCheck(snapshot: snapshot, problems: problems).checkNested(entry) }
      attempt(.list, entry.name) { try CollectionCheck(snapshot: snapshot, problems: problems).checkLists(entry) }
      attempt(.backlink, entry.name) { try links.checkBacklinks(entry) }
      attempt(.embedded, entry.name) { try links.checkOwners(entry) }
    }
    attempt(.catalog, "tables") { try StrayCheck(snapshot: snapshot, problems: problems).checkStrays() }
    attempt(.log, "log") { try LogCheck(snapshot: snapshot, problems: problems).checkLog() }
    attempt(.log, "sync") { try SyncCheck(snapshot: snapshot, problems: problems).checkSync() }
  }

  /// Runs one check; an error it meets becomes a problem.
  private func attempt(_ structure: StoreProblem.Structure, _ location: String, _ body: () throws -> Void) {
    do { try body() } catch { problems.add(StoreProblem(structure, location, "\(error)")) }
  }
}
