@testable import LarderSyncProtocol
import Testing

@Suite("A device and what the server says of lists")
struct ListScriptTests {
  private static let list = SyncCollectionPath(SyncPath("l"))
  private static let path = LocalPath("l")

  /// A device that has the object `a` with the list [1, 2, 3] of another site.
  private func prepared() -> Script {
    var script = Script()
    script.foreign(
      1, .create([CreatedProperty("q", .int(0))]),
      .listInsert(
        Self.list, [.int(1), .int(2), .int(3)], first: script.id(Script.siteB, 1, 1), left: nil, right: nil))
    script.deliver()
    return script
  }

  private func element(_ script: Script, _ index: UInt32) -> OperationID { script.id(Script.siteB, 1, 1, index) }

  private func insert(_ values: [Int64], at index: Int, of size: Int) -> LocalChange {
    .listInsert(Self.path, at: index, values.map { .int($0) }, sizeBefore: size)
  }

  /// Another site inserts a number between the first two.
  private func foreignInsert(_ script: inout Script, _ time: UInt64, _ value: Int64) {
    let (left, right) = (element(script, 0), element(script, 1))
    script.foreign(
      time, .listInsert(Self.list, [.int(value)], first: script.id(Script.siteB, 2), left: left, right: right))
  }

  @Test("MR-9: an older insert of another site comes before what waits, T53")
  func older() throws {
    var script = prepared()
    try script.edit(20, insert([7], at: 1, of: 3))
    foreignInsert(&script, 10, 5)
    script.deliver()
    #expect(script.shows("l") == "[1,5,7,2,3]")
    try script.upload()
    #expect(script.server.log.last?.merged.results == [.at(left: script.id(Script.siteB, 2))])
    script.deliver()
    #expect(script.shows("l") == "[1,5,7,2,3]")
  }

  @Test("MR-9: a newer insert of another site comes after what waits, T54")
  func newer() throws {
    var script = prepared()
    try script.edit(20, insert([7], at: 1, of: 3))
    foreignInsert(&script, 30, 5)
    script.deliver()
    #expect(script.shows("l") == "[1,7,5,2,3]")
    try script.upload()
    #expect(script.server.log.last?.merged.results == [.plain])
    script.deliver()
    #expect(script.shows("l") == "[1,7,5,2,3]")
  }

  @Test("MR-19: elements of a new object come after those that another site gave it, T55")
  func created() throws {
    var script = Script()
    try script.edit(20, .create([CreatedProperty("q", .int(0))]), insert([7], at: 0, of: 0))
    script.foreign(
      1, .create([CreatedProperty("q", .int(0))]),
      .listInsert(Self.list, [.int(1), .int(2)], first: script.id(Script.siteB, 1, 1), left: nil, right: nil))
    script.deliver()
    #expect(script.shows("l") == "[1,2,7]")
    try script.upload()
    script.deliver()
    #expect(script.shows("l") == "[1,2,7]")
  }

  @Test("MR-11: what hangs on a refused insert is placed by its other neighbours, T52")
  func refused() throws {
    var script = prepared()
    try script.edit(20, .set(LocalPath("q"), .int(3)), insert([7], at: 1, of: 3))
    try script.edit(21, insert([8], at: 2, of: 4))
    #expect(script.shows("l") == "[1,7,8,2,3]")
    script.foreign(10, .set(SyncPath("x"), .int(1)))
    for _ in 0..<2 { try script.upload() }
    for _ in 0..<3 { script.deliver() }
    guard case .refused = script.server.log[2].merged.results[0] else {
      Issue.record("the assignment of q was not refused")
      return
    }
    #expect(script.shows("q") == "0" && script.shows("l") == "[1,7,8,2,3]")
  }

  @Test("MR-21: a deletion that is refused leaves links in a list where they are, T70")
  func refusedDeletion() throws {
    var script = prepared()
    let target = ObjectName(className: "Thing", key: .string("t"))
    script.foreign(
      2, of: target, .create([CreatedProperty("q", .int(0)), CreatedProperty("x", .int(HistoryRules.kept))]))
    script.foreign(
      3,
      .listInsert(
        Self.list, [.link(target), .int(4), .link(target)], first: script.id(Script.siteB, 3),
        left: element(script, 1), right: element(script, 2)))
    for _ in 0..<2 { script.deliver() }
    let before = script.shows("l")
    try script.edit(20, of: target, .delete)
    #expect(!script.a.store.contains(target) && script.shows("l") == before)
    try script.upload()
    #expect(script.server.log.last?.merged.results == [.refused(.delete)])
    script.deliver()
    #expect(script.a.store.value(target, LocalPath("x")) == .int(HistoryRules.kept))
    #expect(script.shows("l") == before)
    // The names are those that they were as well.
    try script.edit(21, .listRemove(Self.path, at: 2, count: 1, sizeBefore: 6))
    try script.upload()
    script.deliver()
    #expect(script.a.store.count(Script.object, Self.path) == 5)
    #expect(script.server.objects[Script.object].value(of: "l")?.short == script.shows("l"))
  }

  @Test("MR-10: an element that another site removes leaves all its places, T59")
  func removed() throws {
    var script = prepared()
    try script.edit(20, .listMove(Self.path, from: 1, to: 0, sizeBefore: 3))
    script.foreign(10, .listRemove(Self.list, [OperationIDRun(element(script, 1))]))
    script.deliver()
    #expect(script.shows("l") == "[1,3]")
    try script.upload()
    #expect(script.server.log.last?.merged.results == [.noop])
    script.deliver()
    #expect(script.shows("l") == "[1,3]")
  }

  @Test("MR-10: the last of several waiting moves shows until its own marker, T60")
  func moves() throws {
    var script = prepared()
    try script.edit(20, .listMove(Self.path, from: 1, to: 2, sizeBefore: 3))
    try script.edit(21, .listMove(Self.path, from: 2, to: 0, sizeBefore: 3))
    #expect(script.shows("l") == "[2,1,3]")
    let foreign = script.id(Script.siteB, 2)
    script.foreign(
      30, .listMove(Self.list, element(script, 1), position: foreign, left: element(script, 2), right: nil))
    for _ in 0..<2 { try script.upload() }
    for _ in 0..<2 {
      script.deliver()
      #expect(script.shows("l") == "[2,1,3]")
    }
    #expect(script.server.log.last?.merged.results == [.lost])
    script.deliver()
    #expect(script.shows("l") == "[1,3,2]")
  }

  @Test("MR-22: after trimming, an insert goes between its neighbours, T67")
  func trimmed() throws {
    var script = prepared()
    script.foreign(10, .listRemove(Self.list, [OperationIDRun(element(script, 0))]))
    script.deliver()
    script.server.trim(through: script.server.head)
    #expect(script.server.trimFault == nil)
    try script.edit(20, insert([7], at: 1, of: 2))
    try script.upload()
    #expect(script.server.log.last?.merged.results == [.plain])
    script.deliver()
    #expect(script.shows("l") == "[2,7,3]")
  }

  @Test("C-3: a log that does not fit the list is found out")
  func sizes() throws {
    var script = prepared()
    let edit = LocalEdit(Script.object, insert([7], at: 0, of: 5))
    #expect(throws: DeviceError.listSize(Script.object, Self.path, logged: 5, known: 3)) {
      try script.a.replay(LocalCommit(time: SyncTime(rawValue: 9), nonce: 1, edits: [edit]))
    }
  }
}
