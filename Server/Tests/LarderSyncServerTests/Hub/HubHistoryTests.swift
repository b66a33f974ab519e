import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

/// Random histories of devices, subscriptions, rules and connections against a real hub. `LARDER_SEED` repeats one.
@Suite(.timeLimit(.minutes(10))) struct HubHistoryTests {
  private static let predicates: [SyncText] = ["q == 0", "q == 1", "q == 2", "id > 4", "TRUEPREDICATE"]

  /// Rules by number: everything, what is not `q` 2, what the user owns.
  private static func access(_ number: Int, _ claims: UserClaims) -> UserAccess {
    switch number {
    case 0: return AccessPolicy.everything(schema: HubSchema.schema).access(for: claims)
    case 1:
      guard let rule = try? RuleQuery("q != 2", in: HubSchema.item, claims: [:]) else { preconditionFailure("a rule") }
      let item = ClassAccess(
        read: .matching(rule), write: .matching(rule), insert: .everything, delete: .matching(rule))
      return UserAccess(["Item": item], in: HubSchema.schema)
    default: return HubSchema.own(claims)
    }
  }

  private struct History {
    let fixture: HubFixture
    let devices: [TestDevice]
    var random: SeededRandom
    var rules = 0
    var sets: [UInt64]
    var queries: [[SyncText]]

    init(_ fixture: HubFixture, _ random: SeededRandom) {
      self.fixture = fixture
      self.random = random
      devices = (0..<3).map { TestDevice("user\($0)", seed: random.seed &+ UInt64($0)) }
      sets = [1, 1, 1]
      queries = [["TRUEPREDICATE"], ["TRUEPREDICATE"], ["TRUEPREDICATE"]]
    }

    mutating func step() async throws {
      let index = random.int(0...devices.count - 1)
      let device = devices[index]
      if await !device.isConnected { try await connect(index) }
      switch random.int(0...11) {
      case 0: await device.disconnect()
      case 1: try await subscribe(index)
      case 2 where random.oneIn(3): await changeRules()
      case 3: await device.output?.setSlow(random.oneIn(2))
      case 4:
        try await device.upload()
        if random.oneIn(2) { await device.disconnect() }
      case 5...6: try await sync(index)
      default: for _ in 0..<random.int(1...3) { try await edit(index) }
      }
    }

    func connect(_ index: Int) async throws {
      try await devices[index].connect(fixture.hubs[index % fixture.hubs.count])
    }

    func sync(_ index: Int) async throws {
      await devices[index].output?.setSlow(false)
      try await devices[index].sync()
    }

    private mutating func subscribe(_ index: Int) async throws {
      sets[index] += 1
      queries[index] = HubHistoryTests.predicates.filter { _ in random.oneIn(2) }
      let queries = queries[index].map { SubscribedQuery(className: "Item", predicate: $0) }
      await devices[index].subscribe(Subscribe(version: sets[index], queries: queries))
    }

    private mutating func changeRules() async {
      rules = random.int(0...2)
      fixture.directory.change { [rules] in $0.access = { HubHistoryTests.access(rules, $0) } }
      if random.oneIn(2) { await fixture.hubs[0].configurationsChanged() }
    }

    private mutating func edit(_ index: Int) async throws {
      let device = devices[index]
      let key = random.int(1...8)
      guard await device.keys.contains(key) else {
        if random.oneIn(2) {
          return try await device.countUp(
            key, by: random.int(1...9), q: random.int(0...2), owner: "user\(random.int(0...2))")
        }
        return try await device.create(key, q: random.int(0...2), owner: "user\(random.int(0...2))")
      }
      switch random.int(0...7) {
      case 0: try await device.delete(key)
      case 1, 2: try await device.append(key, random.int(0...99))
      case 3, 4: try await device.set(key, "q", .int(Int64(random.int(0...2))))
      case 5: try await device.set(key, "owner", .string(SyncText("user\(random.int(0...2))")))
      default: try await device.set(key, "x", .int(Int64(random.int(0...99))))
      }
    }

    /// Lets everything arrive, and checks that each device has what it may see of what it asked for.
    mutating func settle() async throws {
      for index in devices.indices {
        if await !devices[index].isConnected { try await connect(index) }
      }
      for hub in fixture.hubs { await hub.configurationsChanged() }
      for _ in 0..<3 {
        for index in devices.indices { try await sync(index) }
      }
      let content = try await fixture.content()
      for index in devices.indices {
        let user = "user\(index)"
        let claims = UserClaims(subject: user, expires: 0, values: ["sub": [.string(SyncText(user))]])
        let rules = ReadRules(HubHistoryTests.access(self.rules, claims), in: HubSchema.schema)
        let queries = queries[index].map { SubscribedQuery(className: "Item", predicate: $0) }
        let view = try SyncView(queries, rules: rules.rules, in: HubSchema.schema)
        let seen = content.filter { name, properties in
          view.contains(name, ObjectSummary(isAlive: true, values: properties.compactMapValues(\.first)))
        }
        let shown = await devices[index].shown
        let different = Set(shown.keys).union(seen.keys).filter { shown[$0] != seen[$0] }.map {
          "\($0): \(String(describing: shown[$0])), not \(String(describing: seen[$0]))"
        }
        #expect(different == [], "C-1: \(user), rules \(self.rules), \(self.queries[index]), seed \(random.seed)")
        try await devices[index].wait("to be complete, seed \(random.seed)") { $0.isComplete }
        #expect(await devices[index].view?.subscriptions == sets[index])
        let failures = await devices[index].failures
        #expect(failures.isEmpty, "seed \(random.seed)")
      }
    }
  }

  /// The counts of what happened in histories, to show that they test something.
  private struct Counts {
    var changes = 0
    var full = 0
    var resumed = 0
    var refused = 0

    mutating func add(_ devices: [TestDevice]) async {
      for device in devices {
        let begins = await device.begins
        changes += begins.count { !$0.isFull }
        full += begins.count { $0.isFull }
        resumed += await device.resumptions.count { $0 == .incremental }
        refused += await device.refused.count
      }
    }
  }

  @Test("C-1 C-2: random histories with subscriptions and rules that change", arguments: Backend.allCases)
  func histories(_ backend: Backend) async throws {
    var counts = Counts()
    for _ in 0..<(backend == .memory ? 6 : 2) {
      let random = SeededRandom.forTest("HubHistoryTests.\(backend)")
      let fixture = try await HubFixture(backend, hubs: backend == .memory ? 1 : 2) {
        $0.ringCommits = 6
        $0.pageObjects = 2
        $0.frameBytes = 400
        $0.mostUnwrittenBytes = 800
      }
      var history = History(fixture, random)
      for index in history.devices.indices { try await history.connect(index) }
      for index in history.devices.indices { try await history.sync(index) }
      for _ in 0..<120 { try await history.step() }
      try await history.settle()
      await counts.add(history.devices)
      await fixture.end()
    }
    print("HubHistoryTests.\(backend): \(counts)")
    #expect(counts.changes > 0 && counts.full > 0 && counts.resumed > 0)
    #expect(backend != .memory || counts.refused > 0)
  }
}
