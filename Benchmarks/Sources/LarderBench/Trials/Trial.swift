/// A workload that has stores of its own, with the peers that can do its work.
struct Trial: Sendable {
  /// The rows of the report that it fills.
  let ids: [String]
  /// By name of the peer.
  let entrants: [String: any Entrant.Type]
  /// True if the stores are on the disk and not in memory.
  var isOnDisk = false

  /// In the order in which they run.
  static let all: [Trial] = [
    Churn.trial, ObservedObjects.one, ObservedObjects.all, WideClasses.trial, UUIDKeys.trial, TextKeys.trial,
    Upsert.trial,
    EmptyWrites.trial, ThreadCommits.memory, ThreadCommits.disk, QueuedCommits.trial, ProcessCommits.trial,
    FirstQuery.trial, LookupForms.trial, Scans.trial, LongLists.trial, ColdStart.trial, Encrypted.trial,
    ManyClasses.trial, ScopedBlocks.trial, ManyStores.trial,
    RealmFiles.trial,
    Exchange.trial,
  ]
}

/// A peer's part in a trial.
protocol Entrant: SendableMetatype {
  /// Does the work in an empty directory, from making the store to closing it, and measures what counts.
  ///
  /// - Returns: What must be equal between all that take part.
  static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer
}

/// Takes the measurements of one peer in a trial.
struct Meter {
  let peer: String
  /// Rows of the trial, and those of them that were asked for.
  let ids: [String]
  private let wanted: Set<String>
  private(set) var measurements: Measurements

  init(peer: String, _ trial: Trial, wanted: Set<String>, _ measurements: Measurements) {
    self.peer = peer
    self.wanted = wanted
    ids = trial.ids
    self.measurements = measurements
  }

  /// Measures some work, with what it leaves to other threads.
  mutating func time(_ id: String, units: Int, _ work: () throws -> Void) rethrows {
    add(id, try Self.spent(work), units: units)
  }

  /// Measures some work and returns its time, with that of the work it leaves to other threads.
  static func spent(_ work: () throws -> Void) rethrows -> Spent {
    var spent = try Stopwatch.measure(work)
    spent.processor += Background.finish()
    return spent
  }

  mutating func add(_ id: String, _ spent: Spent, units: Int) {
    if wanted.contains(id) { measurements.add(id, peer, spent, units: units) }
  }

  mutating func add(_ id: String, bytes: Double) {
    if wanted.contains(id) { measurements.add(id, peer, bytes: bytes) }
  }
}
