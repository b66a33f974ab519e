import LarderSyncProtocol

@testable import LarderSyncServer

/// Commits of several sites: random edits of a few tasks, of lists with the elements and places of all sites.
struct RandomCommits {
  /// The number of tasks.
  static let tasks = 6
  private var versions: [SiteID: Int] = [:]
  /// The names that were given in the list of each task, the newest last.
  private var elements: [Int: [OperationID]] = [:]
  private var places: [Int: [OperationID]] = [:]

  /// The next commit of a site.
  mutating func next(_ site: SiteID, _ random: inout SeededRandom) -> SyncCommit {
    let siteVersion = versions[site, default: 0] + 1
    versions[site] = siteVersion
    var operations: [SyncOperation] = []
    for _ in 0..<random.int(1...4) {
      let name = OperationID(site: site, siteVersion: UInt64(siteVersion), operation: UInt32(operations.count))
      let task = random.int(1...Self.tasks)
      operations.append(SyncOperation(TaskSchema.task(task), edit(task, name, &random)))
    }
    // Clocks of sites are slow and are put forward by a minute at a time, each at another commit: one or two of three are always
    // late, and many commits are older than what is merged. At times a clock is put back.
    let (minutes, commits) = (siteVersion + Int(site.low) * 20).quotientAndRemainder(dividingBy: 60)
    let clock = UInt64(minutes * 60_000 + commits * 10 + random.int(0...9))
    let time = SyncTime(milliseconds: random.oneIn(40) ? 1 : clock)
    return SyncCommit(
      siteVersion: UInt64(siteVersion), time: time, nonce: random.next(), operations: operations)
  }

  private mutating func edit(_ task: Int, _ name: OperationID, _ random: inout SeededRandom) -> SyncEdit {
    switch random.int(0...15) {
    case 0, 1:
      return .create([
        CreatedProperty("owner", .string(random.pick(["ann", "bob"]))),
        CreatedProperty("count", .int(1), rank: random.pick(ValueRank.allCases)),
      ])
    case 2: return .delete
    case 3: return .set(SyncPath("owner"), .string(random.pick(["ann", "bob", "é"])))
    case 4: return .set(SyncPath("rank"), random.oneIn(4) ? .null : .int(Int64(random.int(-3...3))))
    case 5: return .set(SyncPath("weight"), .double(random.pick([0.5, -0.0, .nan])))
    case 6: return .add(SyncPath("count"), .int(Int64(random.int(-5...5))))
    case 7: return .setInsert(SyncCollectionPath(SyncPath("tags")), tag(&random))
    case 8: return random.oneIn(2) ? .setRemove(collection("tags"), tag(&random)) : .setClear(collection("tags"))
    case 9: return .mapPut(collection("marks"), random.pick(["a", "b"]), .int(Int64(random.int(0...9))))
    case 10: return random.oneIn(2) ? .mapRemove(collection("marks"), "a") : .mapClear(collection("marks"))
    case 11: return place(name, &random)
    case 12: return move(task, name, &random)
    case 13: return remove(task, &random)
    default: return insert(task, name, &random)
    }
  }

  private func collection(_ property: SyncText) -> SyncCollectionPath { SyncCollectionPath(SyncPath(property)) }

  private func tag(_ random: inout SeededRandom) -> SyncValue { .string(random.pick(["red", "blue", "green"])) }

  private func place(_ name: OperationID, _ random: inout SeededRandom) -> SyncEdit {
    guard !random.oneIn(4) else { return .set(SyncPath("place"), .null) }
    let street = SyncProperty("street", .string(random.pick(["High", "Low"])))
    return .set(SyncPath("place"), .embedded(SyncEmbedded(incarnation: name, properties: [street])))
  }

  private mutating func insert(_ task: Int, _ name: OperationID, _ random: inout SeededRandom) -> SyncEdit {
    let count = random.int(1...3)
    let values = (0..<count).map { _ in tag(&random) }
    let left = recent(places[task], &random)
    for index in 0..<count {
      guard let id = name.advanced(by: UInt32(index)) else { continue }
      elements[task, default: []].append(id)
      places[task, default: []].append(id)
    }
    return .listInsert(collection("notes"), values, first: name, left: left, right: nil)
  }

  private mutating func move(_ task: Int, _ name: OperationID, _ random: inout SeededRandom) -> SyncEdit {
    guard let element = elements[task]?.suffix(3).randomElement(using: &random) else { return .delete }
    let left = recent(places[task], &random)
    places[task, default: []].append(name)
    return .listMove(collection("notes"), element, position: name, left: left, right: nil)
  }

  private func remove(_ task: Int, _ random: inout SeededRandom) -> SyncEdit {
    guard let known = elements[task], let first = known.first else { return .delete }
    return .listRemove(collection("notes"), OperationIDRun.runs(of: known.filter { _ in random.oneIn(4) } + [first]))
  }

  /// One of the newest names, or none.
  private func recent(_ names: [OperationID]?, _ random: inout SeededRandom) -> OperationID? {
    random.oneIn(3) ? nil : names?.suffix(6).randomElement(using: &random)
  }
}

/// Merges commits one after the other in memory: what every other way to merge them has to come to.
struct OracleMerger {
  struct Objects: MergeObjects {
    var states: [ObjectName: ObjectState] = [:]

    subscript(object: ObjectName) -> ObjectState {
      get { states[object] ?? ObjectState() }
      _modify { yield &states[object, default: ObjectState()] }
    }
  }

  var part = PartState(epoch: 1)
  var objects = Objects()
  private var clients: [SiteID: ClientState] = [:]

  mutating func merge(
    _ commit: SyncCommit, site: SiteID, access: UserAccess = TaskSchema.everything, now: UInt64
  ) -> MergedCommit<ObjectSummary> {
    var merger = Merger(part: part, rules: access)
    let merged = merger.merge(
      commit, site: site, client: &clients[site, default: ClientState()], now: now, objects: &objects)
    part = merger.part
    return merged
  }

  /// The bytes of the states of tasks, as far as something is known of them.
  func states(_ tasks: [Int]) -> [Int: [UInt8]] {
    var bytes: [Int: [UInt8]] = [:]
    for task in tasks {
      guard let state = objects.states[TaskSchema.task(task)], state.isKnown else { continue }
      bytes[task] = state.encoded()
    }
    return bytes
  }
}
