import LarderSyncProtocol
import Synchronization
import Testing

@testable import LarderSyncServer

/// Commits of many sessions become few transactions, and each session learns what became of its own.
@Suite struct CombinerTests {
  private let a = SiteID.test(1)
  private let b = SiteID.test(2)

  /// The heads that a combiner reports.
  private final class Heads: Sendable {
    private let heads = Mutex<[Int64]>([])
    var all: [Int64] { heads.withLock { $0 } }
    func add(_ hint: Hint) { heads.withLock { $0.append(hint.head) } }
  }

  private func combiner(
    _ test: TestStore, _ tenant: TenantID, heads: Heads = Heads(),
    _ configuration: CombinerConfiguration = CombinerConfiguration()
  ) -> Combiner {
    Combiner(tenant: tenant, part: .first, store: test.store, configuration: configuration) { heads.add($0) }
  }

  @Test("each commit has its outcome, in the order of submission", arguments: Backend.allCases)
  func outcomes(_ backend: Backend) async throws {
    let test = try await backend.make()
    let tenant = try await test.makeTenant([a, b])
    let heads = Heads()
    let combiner = combiner(test, tenant, heads: heads)
    let first = try await combiner.submit([
      .test(a, .create(1, task: 1)), .test(a, .set(2, task: 1, "rank", .int(1))), .test(a, .create(4, task: 2)),
    ])
    #expect(first == [.merged(version: 1), .merged(version: 2), .gap(expected: 3)])
    let second = try await combiner.submit([
      .test(a, .set(2, task: 1, "rank", .int(1))), .test(b, .create(1, task: 3), session: 2),
      .test(.test(9), .create(1, task: 3)), .test(a, .create(3, task: 2)),
    ])
    #expect(second == [.duplicate, .fenced, .unknownSite, .merged(version: 3)])
    #expect(try await combiner.submit([]) == [])
    #expect(heads.all == [2, 3])
    let log = try await test.commits(tenant)
    #expect(log.map(\.version) == [1, 2, 3])
    #expect(log.map(\.siteVersion) == [1, 2, 3])
    #expect(try await test.states(tenant, [1, 2, 3]).keys.sorted() == [1, 2])
  }

  @Test("refused operations leave the rest of their commit, and the log says which", arguments: Backend.allCases)
  func refused(_ backend: Backend) async throws {
    let test = try await backend.make()
    let tenant = try await test.makeTenant([a, b])
    let combiner = combiner(test, tenant)
    _ = try await combiner.submit([.test(b, .create(1, task: 2, owner: "bob"))])
    let commit = SyncCommit.test(
      1,
      [
        SyncOperation(TaskSchema.task(1), .create([CreatedProperty("owner", .string("ann"))])),
        SyncOperation(TaskSchema.task(2), .set(SyncPath("owner"), .string("ann"))),
      ])
    let outcomes = try await combiner.submit([.test(a, commit, access: TaskSchema.owner("ann"))])
    #expect(outcomes == [.merged(version: 2)])
    let logged = try #require(try await test.commits(tenant).last)
    #expect(logged.results == [.plain, .refused(.objectBefore)])
    #expect(logged.objects[1].authorNeedsAll)
    let states = try await test.store.read {
      try $0.states(tenant, .first, of: [TaskSchema.task(1), TaskSchema.task(2)])
    }
    #expect(states[TaskSchema.task(2)]?.value(of: "owner") == .string("bob"))
    #expect(states[TaskSchema.task(1)]?.isAlive == true)
  }

  /// Keeps the only thread that writes until a gate is opened.
  private func hold(_ test: TestStore, _ tenant: TenantID, _ gate: Gate) -> Task<Void, any Error> {
    Task {
      try await test.store.write(unknownCommit: .fail) { transaction in
        _ = try transaction.tenant(tenant)
        gate.wait()
      }
    }
  }

  @Test("commits gather while a transaction runs, and more than a batch holds become several")
  func batches() async throws {
    let faults = Faults()
    let test = try await Backend.file.make(faults)
    let sites = (1...60).map { SiteID.test($0) }
    let tenant = try await test.makeTenant(sites)
    let combiner = combiner(test, tenant, CombinerConfiguration(batchUploads: 100))
    faults.reset()
    // The store has one thread for writing, which is busy until all have submitted.
    let gate = Gate()
    let busy = hold(test, tenant, gate)
    while faults.calls == 0 { try await Task.sleep(for: .milliseconds(1)) }
    let tasks = sites.map { site in
      Task { try await combiner.submit((1...5).map { try .test(site, .create($0, task: 1)) }) }
    }
    while await combiner.waitingCount < sites.count { try await Task.sleep(for: .milliseconds(1)) }
    gate.open()
    try await busy.value
    for task in tasks {
      let outcomes = try await task.value
      #expect(outcomes.count == 5)
      #expect(outcomes.allSatisfy { if case .merged = $0 { true } else { false } })
    }
    // Three round trips for each of four batches, of which the first may be small, and those of the busy transaction.
    #expect(faults.calls <= 3 * 5 + 3)
    #expect(try await test.part(tenant)?.head == 300)
  }

  @Test("a row that cannot be read fails the site that names it, and no other", arguments: Backend.allCases)
  func apart(_ backend: Backend) async throws {
    let test = try await backend.make()
    let tenant = try await test.makeTenant([a, b, .test(3)])
    try await test.store.write(unknownCommit: .fail) { transaction in
      let record = ObjectRecord(key: ObjectKey(TaskSchema.task(1)), isAlive: true, version: 0, body: [99])
      try transaction.putObjects(tenant, .first, [ObjectWrite(record)])
    }
    // After four commits the combiner gathers four.
    let combiner = combiner(test, tenant, CombinerConfiguration(gathering: .seconds(1)))
    _ = try await combiner.submit((1...4).map { try .test(a, .create($0, task: 2)) })
    let first = Task { try await combiner.submit([.test(a, .create(5, task: 2)), .test(a, .create(6, task: 3))]) }
    let broken = Task { try await combiner.submit([.test(b, .create(1, task: 1))]) }
    let last = Task { try await combiner.submit([.test(.test(3), .create(1, task: 3))]) }
    let error = await #expect(throws: SyncStoreError.self) { try await broken.value }
    #expect(error?.kind == .damaged)
    #expect(try await first.value.count == 2)
    #expect(try await last.value.count == 1)
    let sites = try await test.commits(tenant).map(\.site)
    #expect(sites.filter { $0 == a }.count == 6)
    #expect(sites.count == 7)
  }

  @Test("after closing what was submitted is merged, and nothing more is taken")
  func closing() async throws {
    let test = try await Backend.file.make()
    let tenant = try await test.makeTenant([a])
    let combiners = Combiners(store: test.store, hints: InProcessHintBus())
    let submitted = Task { try await combiners.submit([.test(a, .create(1, task: 1))], to: tenant) }
    #expect(try await submitted.value == [.merged(version: 1)])
    await combiners.close()
    let error = await #expect(throws: SyncStoreError.self) {
      try await combiners.submit([.test(a, .create(2, task: 1))], to: tenant)
    }
    #expect(error?.kind == .closed)
    #expect(try await test.part(tenant)?.head == 1)
  }

  @Test("closing waits for the transaction that runs")
  func closingWaits() async throws {
    let faults = Faults()
    let test = try await Backend.file.make(faults)
    let tenant = try await test.makeTenant([a])
    let combiner = combiner(test, tenant)
    faults.reset()
    let gate = Gate()
    let busy = hold(test, tenant, gate)
    while faults.calls == 0 { try await Task.sleep(for: .milliseconds(1)) }
    let submitted = Task { try await combiner.submit((1...3).map { try .test(a, .create($0, task: 1)) }) }
    while await combiner.waitingCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
    let closed = Task { await combiner.close() }
    gate.open()
    await closed.value
    #expect(try await test.part(tenant)?.head == 3)
    #expect(try await submitted.value.count == 3)
    try await busy.value
  }

  @Test("other servers get a hint of each new head, and this one is called")
  func hints() async throws {
    let test = try await Backend.file.make()
    let tenant = try await test.makeTenant([a])
    let bus = InProcessHintBus()
    let stream = bus.hints()
    let heads = Heads()
    let combiners = Combiners(store: test.store, hints: bus) { heads.add($0) }
    for number in 1...3 {
      _ = try await combiners.submit([.test(a, .create(number, task: 1))], to: tenant)
      // Called before the answer.
      #expect(heads.all == (1...Int64(number)).map { $0 })
    }
    bus.close()
    var found: [Hint] = []
    for await hint in stream { found.append(hint) }
    #expect(found == (1...3).map { Hint(tenant: tenant, head: $0) })
  }

  @Test("many tenants come and go")
  func manyTenants() async throws {
    let test = try await Backend.memory.make()
    let combiners = Combiners(store: test.store, hints: InProcessHintBus())
    for number in 1...150 {
      let tenant = try await test.makeTenant("t\(number)", sites: [SiteKey(a)])
      #expect(try await combiners.submit([.test(a, .create(1, task: 1))], to: tenant) == [.merged(version: 1)])
    }
    #expect(combiners.knownCount < 150)
  }
}
