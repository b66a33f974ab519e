@testable import LarderSyncProtocol
import Testing

@Suite("Sessions, forks and resets")
struct SessionScriptTests {
  private func set(_ value: Int64) -> LocalChange { .set(LocalPath("x"), .int(value)) }

  private func prepared() -> Script {
    var script = Script()
    script.foreign(1, .create([CreatedProperty("q", .int(0))]))
    script.deliver()
    return script
  }

  @Test("MR-15: uploads of an earlier session are refused, T61; a commit that was merged is skipped, T62")
  func fence() {
    var client = ClientState(lastSiteVersion: 5, session: 1)
    let part = PartState(head: 9, epoch: 1)
    let retained = RetainedCommits(first: 6, nonces: [66])
    #expect(
      part.resume(cursor: 9, epoch: 1, retained: retained, client: &client, session: 2) { _ in nil } == .incremental)
    #expect(client.decide(siteVersion: 6, session: 1) == .fenced)
    #expect(client.decide(siteVersion: 6, session: 2) == .merge)
    #expect(client.decide(siteVersion: 5, session: 2) == .duplicate)
    #expect(client.decide(siteVersion: 7, session: 2) == .gap(expected: 6))
  }

  @Test("F-103, MR-18: commits that a restored server lacks wait again, whatever it says of its epoch")
  func lost() throws {
    for reason in [RebuildReason.epoch, .unknownCursor, .expired] {
      var script = prepared()
      for number in 1...4 {
        try script.edit(10 + UInt64(number), set(Int64(number)))
        try script.upload()
        script.a.acknowledge(through: UInt64(number))
        script.deliver()
      }
      #expect(script.a.acknowledged == 4 && !script.a.isWaiting(4))
      script.a.receive(.rebuild(reason), site: Script.siteA, epoch: script.a.epoch, lastSiteVersion: 2)
      #expect([1, 2, 3, 4].map { script.a.isWaiting($0) } == [false, false, true, true])
      #expect(script.a.acknowledged == 2 && script.a.cursor == nil)
    }
  }

  @Test("MR-16: a restored backup is another site from the fork on, T63")
  func fork() throws {
    var script = prepared()
    for number in 1...5 { try script.edit(10 + UInt64(number), set(Int64(number))) }
    for _ in 0..<5 {
      try script.upload()
      script.deliver()
    }
    var backup = script.a
    for number in 6...9 { try script.edit(10 + UInt64(number), set(Int64(number))) }
    for _ in 0..<4 { try script.upload() }
    for number in 6...10 {
      let commit = LocalCommit(
        time: SyncTime(rawValue: 40 + UInt64(number)), nonce: 500 + UInt64(number),
        edits: [LocalEdit(Script.object, .add(LocalPath("q"), .int(0)))])
      try backup.replay(commit)
    }
    var client = try #require(script.server.clients[Script.siteA])
    let server = script.server
    let resumption = script.server.merger.part.resume(
      cursor: backup.cursor, epoch: backup.epoch, retained: backup.retained, client: &client, session: 7
    ) { server.nonce(Script.siteA, $0) }
    #expect(resumption == .fork(common: 5))
    let site = SiteID(high: 0, low: 77)
    backup.receive(resumption, site: site, epoch: 1, lastSiteVersion: 0)
    #expect(backup.cursor == nil && backup.site == site && backup.lastSiteVersion == 5)
    #expect(backup.uploads(after: 0).isEmpty)
    script.a = backup
    script.finish(full: true)
    #expect(script.a.uploads(after: 0).map(\.siteVersion) == [1, 2, 3, 4, 5])
    #expect(script.a.uploads(after: 0).map(\.nonce) == [506, 507, 508, 509, 510])
  }

  @Test("MR-16: a commit that comes from two restored copies has an effect once")
  func repeated() throws {
    let script = try repeated([])
    #expect(script.server.log.last?.merged.results == [.whole])
    let record = try #require(script.server.record(script.server.head, for: Self.fork.new, Script.view))
    #expect(record.objects.map(\.object) == [Script.object])
    #expect(script.shows("l") == "[1]" && script.a.cursor == script.server.head)
    // Histories find this too seldom to say anything.
    let twice = try repeated(.forksRepeatCommits)
    #expect(twice.shows("l") == "[1,1]")
  }

  /// The fork that another copy of the device becomes.
  private static let fork = SiteFork(old: Script.siteA, new: SiteID(high: 0, low: 79), common: 0)

  /// After a commit came from a device and from the copy.
  private func repeated(_ research: ResearchRules) throws -> Script {
    var script = prepared()
    script.server.merger.research = research
    let list = LocalPath("l")
    try script.edit(10, .listInsert(list, at: 0, [.int(1)], sizeBefore: 0))
    let commit = try #require(script.a.keptCommits.last)
    try script.upload()
    script.deliver()
    #expect(script.server.merge(Self.fork.renamed(commit), site: Self.fork.new, now: 1_000, seen: 0) == nil)
    script.deliver()
    #expect(script.server.objects[Script.object].value(of: "l")?.short == script.shows("l"))
    return script
  }

  @Test("MR-17: names after a discard are of the new site, T64")
  func discard() throws {
    var script = prepared()
    let list = LocalPath("l")
    try script.edit(10, .listInsert(list, at: 0, [.int(1)], sizeBefore: 0))
    let site = SiteID(high: 0, low: 78)
    script.a.discard(newSite: site)
    try script.edit(11, .listInsert(list, at: 1, [.int(2)], sizeBefore: 1))
    script.finish(full: true)
    let commit = try #require(script.a.uploads(after: 0).first)
    guard case .listInsert(_, _, let first, let left, _) = commit.operations[0].edit else {
      Issue.record("no insert is waiting")
      return
    }
    #expect(first.site == site && commit.siteVersion == 1 && left == nil)
    #expect(script.shows("l") == "[2]")
  }

  @Test("MR-6: a bootstrap ends with a time that is as new as its pages")
  func timeOfBootstrap() {
    var script = prepared()
    script.foreign(900, .set(SyncPath("x"), .int(5)))
    script.finish(full: false)
    #expect(script.shows("x") == "5" && script.a.newestTime >= SyncTime(rawValue: 900))
  }

  @Test("MR-6: an assignment to what has come whole is later than all of it")
  func timeOfWholeObject() throws {
    #expect(try countsAssignment([]))
    #expect(try !countsAssignment(.recordsTellOwnTime))
  }

  /// Returns true if a device with a slow clock can assign a property of an object that has just come into its view.
  private func countsAssignment(_ research: ResearchRules) throws -> Bool {
    var script = prepared()
    script.server.merger.research = research
    let other = ObjectName(className: "Thing", key: .string("o"))
    let third = SiteID(high: 0, low: 3)
    script.foreign(100, site: third, of: other, .create([CreatedProperty("q", .int(2))]))
    script.foreign(700, of: other, .set(SyncPath("x"), .int(1)))
    script.foreign(400, site: third, of: other, .set(SyncPath("q"), .int(0)))
    for _ in 0..<3 { script.deliver() }
    #expect(script.a.store.value(other, LocalPath("x")) == .int(1))
    try script.edit(script.a.newestTime.rawValue + 1, of: other, set(5))
    try script.upload()
    return script.server.objects[other].value(of: "x") == .int(5)
  }

  @Test("MR-18: everything is needed until it has come, T65")
  func interrupted() throws {
    var script = prepared()
    script.a.receive(.rebuild(.expired), site: Script.siteA, epoch: 1, lastSiteVersion: 0)
    script.a.stage(script.page())
    script.a.dropPages()
    #expect(script.a.cursor == nil)
    var client = ClientState()
    let resumption = script.server.merger.part.resume(
      cursor: script.a.cursor, epoch: script.a.epoch, retained: script.a.retained, client: &client, session: 3
    ) { _ in nil }
    #expect(resumption == .rebuild(.new))
  }

  @Test("MR-15: commits that a restored server lacks are merged again, T66")
  func restored() throws {
    var script = prepared()
    try script.edit(10, set(1))
    try script.upload()
    script.deliver()
    let backup = script.server
    for number in 2...4 { try script.edit(10 + UInt64(number), set(Int64(number))) }
    for _ in 0..<3 {
      try script.upload()
      script.deliver()
    }
    script.a.acknowledge(through: 4)
    script.server = backup
    script.server.merger.part.epoch = 2
    var client = try #require(script.server.clients[Script.siteA])
    let server = script.server
    let resumption = script.server.merger.part.resume(
      cursor: script.a.cursor, epoch: script.a.epoch, retained: script.a.retained, client: &client, session: 3
    ) { server.nonce(Script.siteA, $0) }
    #expect(resumption == .rebuild(.epoch))
    script.a.receive(resumption, site: Script.siteA, epoch: 2, lastSiteVersion: client.lastSiteVersion)
    script.finish(full: true)
    #expect(script.shows("x") == "4")
    for _ in 0..<3 { try script.upload() }
    #expect(script.server.objects[Script.object].value(of: "x") == .int(4))
  }

  @Test("MR-15: an edit within a container that a restored server gets again shows when the container comes")
  func containersComeAgain() throws {
    var script = prepared()
    let backup = script.server
    let made = script.id(Script.siteB, 2)
    let embedded = SyncValue.embedded(SyncEmbedded(incarnation: made, properties: [SyncProperty("x", .int(2))]))
    let commit = SyncCommit(
      siteVersion: 2, time: SyncTime(rawValue: 20), nonce: 77,
      operations: [SyncOperation(Script.object, .set(SyncPath("e"), embedded))])
    #expect(script.server.merge(commit, site: Script.siteB, now: 1_000, seen: 0) == nil)
    script.deliver()
    try script.edit(30, .set(LocalPath("e", [.property("x")]), .int(1)))
    script.server = backup
    script.server.merger.part.epoch = 2
    script.a.receive(.rebuild(.epoch), site: Script.siteA, epoch: 2, lastSiteVersion: 0)
    script.finish(full: true)
    #expect(script.shows("e") == "-")
    #expect(script.server.merge(commit, site: Script.siteB, now: 1_000, seen: 0) == nil)
    script.deliver()
    #expect(script.a.store.value(Script.object, LocalPath("e", [.property("x")])) == .int(1))
    try script.upload()
    script.deliver()
    #expect(script.a.store.value(Script.object, LocalPath("e", [.property("x")])) == .int(1))
    guard case .embedded(let merged)? = script.server.objects[Script.object].value(of: "e") else {
      Issue.record("the server has no embedded object")
      return
    }
    #expect(merged.properties == [SyncProperty("x", .int(1))])
  }

  @Test(
    "MR-6: a clock that is ahead does not beat what its value was seen before, T68; one that is late does not lose, T69"
  )
  func clocks() {
    var server = HistoryServer()
    let now: UInt64 = 10_000_000
    func commit(_ siteVersion: UInt64, _ milliseconds: UInt64, _ edit: SyncEdit) -> SyncCommit {
      SyncCommit(
        siteVersion: siteVersion, time: SyncTime(milliseconds: milliseconds), nonce: milliseconds,
        operations: [SyncOperation(Script.object, edit)])
    }
    func value() -> SyncValue? { server.objects[Script.object].value(of: "x") }
    let (a, b) = (Script.siteA, Script.siteB)
    _ = server.merge(commit(1, now, .create([])), site: b, now: now, seen: 0)
    // Allowed, then seen by a device whose clock is an hour ahead, whose time is then brought down.
    _ = server.merge(commit(2, now + 240_000, .set(SyncPath("x"), .int(1))), site: b, now: now, seen: 0)
    _ = server.merge(commit(1, now + 3_600_000, .set(SyncPath("x"), .int(2))), site: a, now: now + 1, seen: 0)
    #expect(value() == .int(2))
    #expect(server.log.last?.merged.isClamped == true)
    // Seen by B, whose next commit is later than what it has seen.
    let seen = server.merger.part.newestTime
    let next = SyncCommit(
      siteVersion: 3, time: SyncTime(rawValue: seen.rawValue + 1), nonce: 9,
      operations: [SyncOperation(Script.object, .set(SyncPath("x"), .int(3)))])
    _ = server.merge(next, site: b, now: now + 2, seen: 0)
    #expect(value() == .int(3))
  }
}
