import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

/// Combiners of several processes come to what one merger comes to that merges the same commits in the order of the log.
@Suite struct CombinerAgreementTests {
  private struct Run {
    let tenant: TenantID
    let commits: [SiteID: [SyncCommit]]
    let access: [SiteID: UserAccess]
  }

  /// Commits of several sites, some of whose users may not write everything.
  private func run(_ tenant: TenantID, sites: Int, commits: Int, _ random: inout SeededRandom) throws -> Run {
    var generator = RandomCommits()
    var all: [SiteID: [SyncCommit]] = [:]
    for _ in 0..<commits {
      for site in 1...sites { all[.test(site), default: []].append(generator.next(.test(site), &random)) }
    }
    var access: [SiteID: UserAccess] = [:]
    for site in 1...sites { access[.test(site)] = site == 2 ? try TaskSchema.owner("ann") : TaskSchema.everything }
    return Run(tenant: tenant, commits: all, access: access)
  }

  /// Submits the commits of a site in pieces, and some of them twice.
  private func submit(_ run: Run, _ site: SiteID, to combiners: Combiners, seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    var rest = (run.commits[site] ?? [])[...]
    let access = try #require(run.access[site])
    while !rest.isEmpty {
      let uploads = try rest.prefix(random.int(1...4)).map { try SubmittedUpload.test(site, $0, access: access) }
      let outcomes = try await combiners.submit(uploads, to: run.tenant)
      for outcome in outcomes {
        if case .merged = outcome { continue }
        Issue.record("\(outcome) for a commit of \(site)")
        return
      }
      if random.oneIn(4) {
        let again = try await combiners.submit(uploads, to: run.tenant)
        #expect(again.allSatisfy { $0 == .duplicate })
      }
      rest = rest.dropFirst(uploads.count)
    }
  }

  @Test(
    "two processes with combiners come to the objects and results of one merger", arguments: Backend.shared)
  func agreement(_ backend: Backend) async throws {
    var random = SeededRandom.forTest()
    let test = try await backend.make()
    let location = try #require(test.location)
    let other = try await Backend.open(location)
    defer { other.close() }
    let sites = (1...5).map { SiteID.test($0) }
    let run = try run(try await test.makeTenant(sites), sites: 5, commits: 30, &random)
    let now: Int64 = 20_000
    let processes = [test.store, other].map { store in
      Combiners(store: store, hints: InProcessHintBus(), configuration: CombinerConfiguration(clock: { now }))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, site) in sites.enumerated() {
        let seed = random.next()
        group.addTask { try await submit(run, site, to: processes[number % 2], seed: seed) }
      }
      try await group.waitForAll()
    }
    try await compare(test, run, now: UInt64(now))
  }

  /// Merges the commits of the log in its order in memory, and compares the log and the objects.
  private func compare(_ test: TestStore, _ run: Run, now: UInt64) async throws {
    let log = try await test.commits(run.tenant)
    #expect(log.map(\.version) == (1...UInt64(run.commits.values.map(\.count).reduce(0, +))).map { $0 })
    var oracle = OracleMerger()
    for logged in log {
      let commit = try #require(run.commits[logged.site]?[Int(logged.siteVersion) - 1])
      let access = try #require(run.access[logged.site])
      let merged = oracle.merge(commit, site: logged.site, access: access, now: now)
      #expect(merged.change { _ in [] } == logged.change { _ in [] })
      #expect(merged.nonce == logged.nonce)
    }
    #expect(Set(log.flatMap(\.results)).count > 5)
    let tasks = Array(1...RandomCommits.tasks)
    #expect(try await test.states(run.tenant, tasks) == oracle.states(tasks))
    let head = try #require(try await test.part(run.tenant))
    #expect(head.maxTime == oracle.part.newestTime.rawValue)
  }
}
