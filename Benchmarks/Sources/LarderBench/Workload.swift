/// One row of the report: its id, on which store it runs, how many units it counts, and what it does.
struct Workload: Sendable {
  /// The store a workload needs. Each peer has one of each kind per round; they live from `insert` to `delete`.
  enum StoreKind {
    /// Primary key only, in memory where the machine has a memory file system.
    case plain
    /// With indexes on age and name, in the same place.
    case indexed
    /// Primary key only, on the disk.
    case disk
    /// Cities that link to countries.
    case linked
  }

  let id: String
  let store: StoreKind
  /// By how much the time is divided.
  let units: @Sendable (Dataset) -> Int
  /// The timed part; gives an answer where there is one to compare.
  let run: @Sendable (any Peer, Dataset) throws -> Answer?
  /// The result that must be equal between peers afterwards; not timed.
  let verify: (@Sendable (any Peer) throws -> Answer)?

  init(
    _ id: String, _ store: StoreKind, units: @escaping @Sendable (Dataset) -> Int = { $0.rows.count },
    verify: (@Sendable (any Peer) throws -> Answer)? = nil,
    run: @escaping @Sendable (any Peer, Dataset) throws -> Answer?
  ) {
    self.id = id
    self.store = store
    self.units = units
    self.verify = verify
    self.run = run
  }

  /// Commits of one object per round.
  static let tmpfsCommits = 2_000
  static let diskCommits = 500
  /// Changes of one name each, and the row of the bytes that each of them writes.
  static let nameCommits = 1_000
  static let commitBytes = "commit-bytes"
  /// Durable commits of one peer before the next one's turn.
  static let diskTurn = 50
  /// Counts by index per round, all in one version: each age forty times.
  static let indexedCounts = 4_000

  /// All workloads in the order in which they run; later ones find the store as earlier ones left it.
  static let all: [Workload] = [
    Workload("insert", .plain, verify: { try $0.contents() }) {
      try $0.insert($1.rows); return nil
    },
    Workload("read-all", .plain) { peer, _ in try peer.readAll() },
    Workload("lookup", .plain, units: { $0.lookupIDs.count }) { try $0.lookup($1.lookupIDs) },
    Workload("count-scan", .plain) { peer, _ in try peer.countScan() },
    Workload("compound-scan", .plain) { peer, _ in try peer.compoundScan() },
    Workload("equal-name", .plain) { try $0.countNames([$1.lookupNames[0]]) },
    Workload("in-10000", .plain) { try $0.countNames($1.manyNames) },
    Workload("top100", .plain) { peer, _ in try peer.top100() },
    Workload("sort2", .plain) { peer, _ in try peer.sort2() },
    Workload("aggregate", .plain) { peer, _ in try peer.aggregate() },
    Workload("commit-tmpfs", .plain, units: { _ in tmpfsCommits }, verify: { try $0.contents() }) {
      try $0.commitEach($1.extra.prefix(tmpfsCommits)); return nil
    },
    Workload("commit-update", .plain, units: { _ in nameCommits }, verify: { try $0.contents() }) {
      try $0.commitNames($1.nameChanges); return nil
    },
    Workload("update", .plain, units: { $0.updates.count }, verify: { try $0.contents() }) {
      try $0.update($1.updates); return nil
    },
    Workload("delete-half", .plain, units: { $0.deletions.count }, verify: { try $0.contents() }) {
      try $0.delete($1.deletions); return nil
    },
    Workload("insert-indexed", .indexed, verify: { try $0.contents() }) {
      try $0.insert($1.rows); return nil
    },
    Workload("count-indexed", .indexed, units: { _ in indexedCounts }) { peer, _ in
      try peer.countIndexed((0..<indexedCounts).map { $0 % 100 })
    },
    Workload("lookup-indexed", .indexed, units: { $0.lookupNames.count }) { try $0.lookupIndexed($1.lookupNames) },
    Workload("update-indexed", .indexed, units: { $0.updates.count }, verify: { try $0.contents() }) {
      try $0.update($1.updates); return nil
    },
    Workload("delete-half-indexed", .indexed, units: { $0.deletions.count }, verify: { try $0.contents() }) {
      try $0.delete($1.deletions); return nil
    },
    Workload("fill-linked", .linked, units: { $0.linked.cities.count }) {
      try $0.insertCities($1.linked); return nil
    },
    Workload("link-path", .linked, units: { $0.linked.countries.count }) {
      try $0.countCities(inCountries: $1.linked.countries)
    },
  ]

  /// The order of the report.
  static let reportOrder =
    [
      "insert", "insert-indexed", "read-all", "lookup", "count-scan", "compound-scan", "count-indexed",
      "lookup-indexed", "equal-name", "in-10000", "link-path", "top100", "sort2", "aggregate", "update",
      "update-indexed", "delete-half",
      "delete-half-indexed", "commit-tmpfs", "commit-update", commitBytes, "commit-disk",
      Runner.oneFlush, "bytes",
    ] + FollowedQuery.allIDs + Trial.all.flatMap(\.ids)

  /// The rows that count bytes for each object or commit instead of nanoseconds.
  static let byteRows: Set<String> = ["bytes", "churn", commitBytes, "stores-2000"]

  /// The rows that count something else, of which less is better as well.
  static let countRows: Set<String> = [ManyStores.threads, ManyStores.descriptors]
}
