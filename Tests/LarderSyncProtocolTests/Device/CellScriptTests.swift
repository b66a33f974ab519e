@testable import LarderSyncProtocol
import Testing

@Suite("A device and what the server says of properties")
struct CellScriptTests {
  private func int(_ value: Int64) -> SyncValue { .int(value) }

  /// A device that has the object `a` with `q` 0 from another site, made at 1.
  private func prepared(_ properties: CreatedProperty...) -> Script {
    var script = Script()
    script.foreign(1, .create([CreatedProperty("q", .int(0))] + properties))
    script.deliver()
    return script
  }

  private func set(_ name: SyncText, _ value: Int64) -> LocalChange { .set(LocalPath(name), .int(value)) }
  private func assign(_ name: SyncText, _ value: Int64) -> SyncEdit { .set(SyncPath(name), .int(value)) }

  @Test("MR-1: an acknowledgement does not end the mask, T41")
  func acknowledged() throws {
    var script = prepared()
    try script.edit(50, set("x", 1))
    script.foreign(40, assign("x", 2))
    try script.upload()
    script.a.acknowledge(through: 1)
    script.deliver()
    #expect(script.shows("x") == "1")
    script.deliver()
    #expect(script.shows("x") == "1" && !script.a.isWaiting(Script.object))
  }

  @Test("MR-4: a newer value shows with the marker, T42")
  func beaten() throws {
    var script = prepared()
    try script.edit(20, set("x", 1))
    script.foreign(30, assign("x", 9))
    try script.upload()
    script.deliver()
    #expect(script.shows("x") == "1")
    script.deliver()
    #expect(script.shows("x") == "9")
  }

  @Test("MR-4: a later assignment goes on to mask, T43")
  func twice() throws {
    var script = prepared()
    try script.edit(20, set("x", 1))
    try script.edit(40, set("x", 2))
    script.foreign(30, assign("x", 9))
    for _ in 0..<2 { try script.upload() }
    for _ in 0..<3 {
      script.deliver()
      #expect(script.shows("x") == "2")
    }
  }

  @Test("MR-8: waiting adds count on top of what the server says, T44")
  func adds() throws {
    var script = prepared(CreatedProperty("c", .int(5)))
    try script.edit(30, .add(LocalPath("c"), .int(3)))
    try script.edit(31, .add(LocalPath("c"), .int(4)))
    script.foreign(20, assign("c", 20))
    for _ in 0..<2 { try script.upload() }
    for _ in 0..<3 {
      script.deliver()
      #expect(script.shows("c") == "27")
    }
  }

  @Test("MR-8: waiting adds of decimals count on top of what the server says, and its sum counts in the end")
  func decimals() throws {
    var script = prepared(CreatedProperty("d", .decimal(MergeVector.nines)))
    try script.edit(30, .add(LocalPath("d"), .decimal(SyncDecimal(4, isNegative: true))))
    #expect(script.decimal("d") == "9999999999999999999999999999999995")
    script.foreign(20, .add(SyncPath("d"), .decimal(SyncDecimal(4))))
    try script.upload()
    script.deliver()
    #expect(script.decimal("d") == "9999999999999999999999999999999996")
    script.foreign(25, .add(SyncPath("d"), .decimal(SyncDecimal(6, isNegative: true))))
    script.deliver()
    #expect(script.decimal("d") == "9999999999999999999999999999999996")
    script.deliver()
    #expect(script.decimal("d") == "9999999999999999999999999999999990")
  }

  @Test("MR-8: an add that is newer than the assignment counts, T45")
  func assignedBeforeAdd() throws {
    var script = prepared(CreatedProperty("c", .int(5)))
    try script.edit(20, set("c", 10))
    script.foreign(15, assign("c", 8))
    script.foreign(30, .add(SyncPath("c"), .int(4)))
    try script.upload()
    for _ in 0..<2 { script.deliver() }
    #expect(script.shows("c") == "10")
    script.deliver()
    #expect(script.shows("c") == "14")
  }

  @Test("MR-2: an object leaves its author's view with the marker, T46")
  func leaves() throws {
    var script = prepared()
    try script.edit(20, set("q", 2))
    #expect(script.isThere)
    try script.upload()
    script.deliver()
    #expect(!script.isThere)
  }

  @Test("MR-2: an object that was there outside the view comes whole, T47")
  func comes() throws {
    var script = Script()
    script.foreign(1, .create([CreatedProperty("q", .int(2)), CreatedProperty("x", .int(7))]))
    script.deliver()
    try script.edit(20, .create([CreatedProperty("q", .int(1))]))
    try script.upload()
    script.deliver()
    #expect(script.shows("q") == "1" && script.shows("x") == "7")
  }

  @Test("MR-5: an own add inside a page counts once, T48; changes that the page has are skipped, T49")
  func page() throws {
    var script = prepared(CreatedProperty("c", .int(5)))
    let start = script.server.head
    try script.edit(30, .add(LocalPath("c"), .int(3)))
    try script.upload()
    script.foreign(31, assign("x", 4))
    script.foreign(32, .add(SyncPath("c"), .int(10)))
    script.a.stage(script.page())
    script.a.finish(script.end(full: false, version: start, own: 0))
    #expect(script.shows("c") == "18" && !script.a.isComplete)
    for _ in 0..<3 { script.deliver() }
    #expect(script.shows("c") == "18" && script.shows("x") == "4" && script.a.isComplete)
  }

  @Test("MR-3: a commit without effect touches the object, T50")
  func touched() throws {
    #expect(try touched([]).shows("x") == "9")
    // Histories find this too seldom to say anything: the author keeps a value that lost.
    #expect(try touched(.uselessCommitsTouchNothing).shows("x") == "1")
  }

  /// After a commit without effect, and a bootstrap of what was touched since the device's cursor.
  private func touched(_ research: ResearchRules) throws -> Script {
    var script = prepared()
    script.server.merger.research = research
    script.foreign(30, assign("x", 9))
    script.deliver()
    let cursor = try #require(script.a.cursor)
    try script.edit(20, set("x", 1))
    try script.upload()
    #expect((script.server.objects[Script.object].touchedVersion > cursor) == research.isEmpty)
    script.finish(full: false, touchedAfter: cursor)
    return script
  }

  @Test("MR-20: a row outside the view stays until its last marker, T51")
  func unsubscribed() throws {
    var script = prepared()
    try script.edit(20, set("x", 1))
    let page = BootstrapPage(
      className: "Thing", after: nil, through: nil, version: script.server.head, ownSiteVersion: 0,
      objects: [ObjectDelta(Script.object, .gone)])
    script.a.stage(page)
    script.a.finish(script.end(full: false))
    #expect(script.isThere && script.a.inView.isEmpty)
    script.foreign(19, assign("q", 2))
    try script.upload()
    for _ in 0..<2 { script.deliver() }
    #expect(!script.isThere)
  }

  @Test("MR-14: a deletion hides a newer creation until the marker, T56")
  func deleted() throws {
    var script = prepared()
    try script.edit(20, .delete)
    script.foreign(30, .create([CreatedProperty("q", .int(1)), CreatedProperty("x", .int(3))]))
    try script.upload()
    script.deliver()
    #expect(!script.isThere)
    script.deliver()
    #expect(script.shows("x") == "3" && script.shows("q") == "1")
  }

  @Test("MR-12: edits inside a replaced embedded object are lost at once, T57")
  func replaced() throws {
    var script = prepared()
    let (first, second) = (script.id(Script.siteB, 2), script.id(Script.siteB, 3))
    script.foreign(10, .set(SyncPath("e"), .embedded(SyncEmbedded(incarnation: first))))
    script.deliver()
    try script.edit(30, .set(LocalPath("e", [.property("x")]), int(9)))
    let two = SyncEmbedded(incarnation: second, properties: [SyncProperty("x", .int(2))])
    script.foreign(20, .set(SyncPath("e"), .embedded(two)))
    script.deliver()
    #expect(script.shows("e") == "(x=2)")
    try script.upload()
    #expect(script.server.log.last?.merged.results == [.noop])
    script.deliver()
    #expect(script.shows("e") == "(x=2)")
  }

  @Test("MR-12: edits inside what the device has replaced are dropped, T58")
  func replacedHere() throws {
    var script = prepared()
    let first = script.id(Script.siteB, 2)
    script.foreign(10, .set(SyncPath("e"), .embedded(SyncEmbedded(incarnation: first))))
    script.deliver()
    let own = SyncEmbedded(incarnation: .root, properties: [SyncProperty("x", .int(3))])
    try script.edit(30, .set(LocalPath("e"), .embedded(own)))
    script.foreign(20, .set(SyncPath("e", [.property("x", in: first)]), .int(8)))
    script.deliver()
    #expect(script.shows("e") == "(x=3)")
    try script.upload()
    script.deliver()
    #expect(script.shows("e") == "(x=3)")
  }
}
