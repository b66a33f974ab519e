import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

/// A store that fails in between loses no commit and merges none twice.
@Suite struct CombinerFaultTests {
  private let site = SiteID.test(1)

  private func combiner(_ test: TestStore, _ tenant: TenantID, attempts: Int = 2) -> Combiner {
    Combiner(
      tenant: tenant, part: .first, store: test.store,
      configuration: CombinerConfiguration(
        attempts: attempts, pauses: RetryPolicy(firstPause: .milliseconds(1), longestPause: .milliseconds(2)))
    ) { _ in }
  }

  /// Adds one to the counter of a task: what was merged twice, or not at all, shows in the sum.
  private func add(_ number: Int) -> SyncCommit {
    let task = TaskSchema.task(1)
    return .test(
      number,
      number == 1
        ? [
          SyncOperation(task, .create([CreatedProperty("count", .int(0))])),
          SyncOperation(task, .add(SyncPath("count"), .int(1))),
        ] : [SyncOperation(task, .add(SyncPath("count"), .int(1)))])
  }

  private func count(_ test: TestStore, _ tenant: TenantID) async throws -> SyncValue? {
    try await test.store.read { try $0.states(tenant, .first, of: [TaskSchema.task(1)]) }[TaskSchema.task(1)]?
      .value(of: "count")
  }

  @Test("C-4: each round trip of an append fails in turn, before and after it", arguments: Backend.shared)
  func everyStep(_ backend: Backend) async throws {
    let faults = Faults()
    let test = try await backend.make(faults)
    let tenant = try await test.makeTenant([site])
    let combiner = combiner(test, tenant)
    var number = 0
    for fault in [Faults.Fault.before(Faults.conflict), .before(Faults.loss), .after(Faults.loss)] {
      for call in 1...3 {
        number += 1
        faults.reset([call: fault])
        let outcomes = try await combiner.submit([.test(site, add(number))])
        let isDone = if case .after = fault { call == 3 } else { false }
        #expect(outcomes == [isDone ? .duplicate : .merged(version: Int64(number))])
      }
    }
    #expect(try await test.commits(tenant).map(\.version) == (1...UInt64(number)).map { $0 })
    #expect(try await count(test, tenant) == .int(Int64(number)))
  }

  @Test("a batch is tried again when the store says that it may be", arguments: Backend.shared)
  func again(_ backend: Backend) async throws {
    let faults = Faults()
    let test = try await backend.make(faults, policy: RetryPolicy(conflicts: 3, longestPause: .milliseconds(4)))
    let tenant = try await test.makeTenant([site])
    faults.reset(Dictionary(uniqueKeysWithValues: (1...3).map { ($0, .before(Faults.conflict)) }))
    #expect(try await combiner(test, tenant).submit([.test(site, add(1))]) == [.merged(version: 1)])
    #expect(faults.calls == 6)
  }

  @Test("while the store is away all who wait are refused, and the same commits are merged when it is back")
  func away() async throws {
    let faults = Faults()
    let policy = RetryPolicy(conflicts: 2, connectionTime: .milliseconds(20), longestPause: .milliseconds(4))
    let test = try await Backend.file.make(faults, policy: policy)
    let tenant = try await test.makeTenant([site, .test(2)])
    let combiner = combiner(test, tenant)
    faults.reset(Dictionary(uniqueKeysWithValues: (1...10_000).map { ($0, .before(Faults.loss)) }))
    let other = Task { try await combiner.submit([.test(.test(2), .create(1, task: 2))]) }
    let error = await #expect(throws: SyncStoreError.self) {
      try await combiner.submit([.test(site, add(1)), .test(site, add(2))])
    }
    #expect(error?.kind == .unavailable)
    await #expect(throws: SyncStoreError.self) { try await other.value }
    faults.reset()
    let outcomes = try await combiner.submit([.test(site, add(1)), .test(site, add(2)), .test(site, add(3))])
    #expect(outcomes == [.merged(version: 1), .merged(version: 2), .merged(version: 3)])
    #expect(try await count(test, tenant) == .int(3))
  }

  private static let refusal = SQLFailure(
    SyncStoreError(.refused, "index row size 3040 exceeds btree version 4 maximum 2704", code: "54000"))

  /// Round trips that fail.
  private func refusing(_ attempts: [Int]) -> [Int: Faults.Fault] {
    Dictionary(uniqueKeysWithValues: attempts.map { ($0, .before(Self.refusal)) })
  }

  @Test(
    "F-106: a commit that the database does not take is refused, and those of other devices and later ones are merged")
  func quarantined() async throws {
    let faults = Faults()
    let test = try await Backend.file.make(faults)
    let tenant = try await test.makeTenant([site, .test(2)])
    var configuration = CombinerConfiguration()
    configuration.logger = .quiet
    let combiner = Combiner(tenant: tenant, part: .first, store: test.store, configuration: configuration) { _ in }
    #expect(try await combiner.submit([.test(site, add(1))]) == [.merged(version: 1)])
    faults.reset([1: .before(Self.refusal)])
    #expect(try await combiner.submit([.test(site, add(2))]) == [.merged(version: 2)])
    #expect(faults.calls == 4)
    #expect(try await count(test, tenant) == .int(1))
    #expect(try await test.commits(tenant).last?.results == [.refused(.tooLarge)])
    let outcomes = try await combiner.submit([.test(site, add(3)), .test(.test(2), .create(1, task: 2))])
    #expect(outcomes == [.merged(version: 3), .merged(version: 4)])
    #expect(try await count(test, tenant) == .int(2))
    // It is a duplicate when it is sent again.
    #expect(try await combiner.submit([.test(site, add(2))]) == [.duplicate])
  }

  @Test("F-106: of a batch that the database does not take only the commit is refused whose fault it is")
  func batch() async throws {
    let faults = Faults()
    let test = try await Backend.file.make(faults)
    let tenant = try await test.makeTenant([site])
    var configuration = CombinerConfiguration()
    configuration.logger = .quiet
    let combiner = Combiner(tenant: tenant, part: .first, store: test.store, configuration: configuration) { _ in }
    // The batch, then commit 1 in three round trips, commit 2 twice, and commit 3.
    faults.reset([1: .before(Self.refusal), 5: .before(Self.refusal)])
    let outcomes = try await combiner.submit([.test(site, add(1)), .test(site, add(2)), .test(site, add(3))])
    #expect(outcomes == [.merged(version: 1), .merged(version: 2), .merged(version: 3)])
    #expect(try await count(test, tenant) == .int(2))
    #expect(try await test.commits(tenant).map { $0.results.contains(.refused(.tooLarge)) } == [false, true, false])
  }

  @Test("F-106: when the database takes nothing at all, no commit is refused for it")
  func everything() async throws {
    let faults = Faults()
    let test = try await Backend.file.make(faults)
    let tenant = try await test.makeTenant([site])
    let combiner = combiner(test, tenant)
    faults.reset(refusing(Array(1...20)))
    let error = await #expect(throws: SyncStoreError.self) { try await combiner.submit([.test(site, add(1))]) }
    #expect(error?.kind == .refused)
    faults.reset()
    #expect(try await combiner.submit([.test(site, add(1))]) == [.merged(version: 1)])
    #expect(try await count(test, tenant) == .int(1))
  }

  @Test("a store that was closed is said to be closed")
  func closed() async throws {
    let test = try await Backend.file.make()
    let tenant = try await test.makeTenant([site])
    test.store.close()
    let error = await #expect(throws: SyncStoreError.self) {
      try await combiner(test, tenant).submit([.test(site, add(1))])
    }
    #expect(error?.kind == .closed)
  }

  @Test(
    "C-4: devices that send again until they are acknowledged are merged once, whatever fails",
    arguments: Backend.shared)
  func random(_ backend: Backend) async throws {
    var random = SeededRandom.forTest()
    let faults = Faults()
    let policy = RetryPolicy(conflicts: 2, connectionTime: .milliseconds(1), longestPause: .milliseconds(4))
    let test = try await backend.make(faults, policy: policy)
    let tenant = try await test.makeTenant([site])
    let combiner = combiner(test, tenant, attempts: 1)
    let commits = 60
    var next = 1
    while next <= commits {
      var plan: [Int: Faults.Fault] = [:]
      for call in 1...9 where random.oneIn(3) {
        plan[call] = random.pick([.before(Faults.conflict), .before(Faults.loss), .after(Faults.loss)])
      }
      faults.reset(plan)
      let last = min(commits, next + random.int(0...3))
      let uploads = try (next...last).map { try SubmittedUpload.test(site, add($0)) }
      do throws(SyncStoreError) {
        for outcome in try await combiner.submit(uploads) {
          switch outcome {
          case .merged, .duplicate: next += 1
          default: Issue.record("\(outcome) for commit \(next)")
          }
        }
      } catch {
        #expect(error.kind.scope == .attempt)
      }
    }
    faults.reset()
    #expect(try await test.commits(tenant).map(\.siteVersion) == (1...UInt64(commits)).map { $0 })
    #expect(try await count(test, tenant) == .int(Int64(commits)))
  }
}
