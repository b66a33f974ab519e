@testable import LarderSyncProtocol
import Testing

@Suite("Content from before synchronisation")
struct BaselineTests {
  private static let list = LocalPath("l")

  /// Returns the edits that a device uploads first for an object that its store had before.
  private func edits(_ values: [Int64], x: Int64) -> [LocalChange] {
    [
      .create([CreatedProperty("q", .int(0), rank: .baseline), CreatedProperty("x", .int(x), rank: .baseline)]),
      .listInsert(Self.list, at: 0, values.map { .int($0) }, sizeBefore: 0),
    ]
  }

  /// The first commit of another device.
  private func commit(_ site: SiteID, _ changes: [LocalChange]) throws -> SyncCommit {
    var device = Device(site: site, store: PlainStore())
    for change in changes { device.store.make(change, Script.object) }
    try device.replay(
      LocalCommit(time: SyncTime(rawValue: 10), nonce: site.low, edits: changes.map { LocalEdit(Script.object, $0) }))
    let commit = try #require(device.keptCommits.first)
    try commit.check(site: site)
    return commit
  }

  private func script(_ own: [LocalChange], after other: [LocalChange]) throws -> Script {
    var script = Script()
    let first = try commit(Script.siteB, other)
    #expect(script.server.merge(first, site: Script.siteB, now: 1_000, seen: 0) == nil)
    for change in own { script.a.store.make(change, Script.object) }
    try script.a.replay(
      LocalCommit(time: SyncTime(rawValue: 20), nonce: 999, edits: own.map { LocalEdit(Script.object, $0) }))
    return script
  }

  private func exchange(_ script: inout Script) throws {
    try script.upload()
    for _ in 0..<2 { script.deliver() }
    #expect(!script.a.isWaiting(Script.object) && script.a.cursor == script.server.head)
    let state = script.server.objects[Script.object]
    #expect((state.value(of: "l")?.short ?? "-") == script.shows("l"))
    #expect(state.value(of: "x")?.short == script.shows("x"))
  }

  @Test("MR-23: lists of a store that two devices began with are there once", arguments: [1, 16, 17, 100])
  func same(count: Int64) throws {
    let values = Array(0..<count)
    var script = try self.script(edits(values, x: 1), after: edits(values, x: 1))
    try exchange(&script)
    #expect(script.shows("l") == "[" + values.map { "\($0)" }.joined(separator: ",") + "]")
  }

  @Test("MR-23: a list that one device had made longer has all elements once, as far as blocks are whole")
  func longer() throws {
    let values = Array(Int64(0)..<40)
    var script = try self.script(edits(values, x: 1), after: edits(Array(values.prefix(32)), x: 1))
    try exchange(&script)
    #expect(script.shows("l") == "[" + values.map { "\($0)" }.joined(separator: ",") + "]")
  }

  @Test("MR-23: an element that was removed stays away when a device with the same store comes later")
  func removed() throws {
    var script = try self.script(edits([1, 2, 3], x: 1), after: edits([1, 2, 3], x: 1))
    guard case .list(let list) = script.server.objects[Script.object].value(of: "l") else {
      Issue.record("the list is missing")
      return
    }
    let path = SyncCollectionPath(SyncPath("l"))
    let removal = SyncCommit(
      siteVersion: 2, time: SyncTime(rawValue: 15), nonce: 7,
      operations: [SyncOperation(Script.object, .listRemove(path, [OperationIDRun(list.entries[1].element)]))])
    #expect(script.server.merge(removal, site: Script.siteB, now: 1_000, seen: 0) == nil)
    try script.upload()
    for _ in 0..<3 { script.deliver() }
    #expect(script.shows("l") == "[1,3]" && !script.a.isWaiting(Script.object))
  }

  @Test("MR-23: values from before synchronisation replace defaults and give way to assigned ones")
  func values() throws {
    var script = try self.script(
      edits([], x: 1),
      after: [.create([CreatedProperty("q", .int(0)), CreatedProperty("x", .int(7), rank: .byDefault)])])
    try exchange(&script)
    #expect(script.shows("x") == "1")
    var other = try self.script(
      edits([], x: 1), after: [.create([CreatedProperty("q", .int(0)), CreatedProperty("x", .int(7))])])
    try exchange(&other)
    #expect(other.shows("x") == "7")
  }
}
