import Testing

@testable import LarderSyncProtocol

@Suite("A transaction of a store as the commits that it is sent as")
struct LocalCommitPartsTests {
  private func name(_ key: Int) -> ObjectName { ObjectName(className: "Item", key: .int(Int64(key))) }

  private func create(_ key: Int, bytes: Int, link: Int? = nil, rank: ValueRank = .explicit) -> LocalEdit {
    var properties = [CreatedProperty("data", .data([UInt8](repeating: 7, count: bytes)), rank: rank)]
    if let link { properties.append(CreatedProperty("friend", .link(name(link)), rank: rank)) }
    return LocalEdit(name(key), .create(properties))
  }

  private func commit(_ edits: [LocalEdit]) -> LocalCommit {
    LocalCommit(time: SyncTime(rawValue: 100), nonce: 1, edits: edits)
  }

  private let site = SiteID(high: 1, low: 1)

  /// Bytes of the commit that a device makes of a transaction.
  private func size(_ commit: LocalCommit) throws -> Int {
    var device = Device(site: site, store: PlainStore())
    try device.replay(commit)
    return try #require(device.commit(1)).encoded(site: site).count
  }

  @Test("F-101: Parts of a transaction at the last of all times have that time, too")
  func lastTime() {
    let edits = (0..<3).map { create($0, bytes: SyncLimit.transactionBytes.most / 2 + 1) }
    for (time, expected) in [(UInt64.max - 1, [.max - 1, .max, .max]), (.max, [.max, .max, .max])]
      as [(UInt64, [UInt64])]
    {
      let parts = LocalCommit(time: SyncTime(rawValue: time), nonce: 1, edits: edits).parts { 2 }
      #expect(parts.map(\.time.rawValue) == expected)
    }
  }

  @Test("F-105: Parts keep the order of each object's changes, follow each other in time, and fit into a message")
  func parts() throws {
    let mebibyte = 1 << 20
    var edits = (0..<40).map { create($0, bytes: mebibyte, link: $0 + 1) }
    edits += (0..<40).map { LocalEdit(name($0), .set(LocalPath("x"), .int(Int64($0)))) }
    var nonce: UInt64 = 1
    let parts = commit(edits).parts {
      nonce += 1
      return nonce
    }
    #expect(parts.count == 3)
    #expect(parts.map(\.time.rawValue) == [100, 101, 102] && parts.map(\.nonce) == [1, 2, 3])
    #expect(parts.flatMap(\.edits).count == edits.count)
    for part in parts {
      #expect(try size(part) < Int(SessionLimits.standard.frameBytes))
      for object in Set(part.edits.map(\.object)) {
        #expect(part.edits.filter { $0.object == object } == edits.filter { $0.object == object })
      }
    }
    // The objects at the end of the links come first.
    #expect(parts[0].edits.contains { $0.object == name(39) } && parts[2].edits.contains { $0.object == name(0) })
  }

  @Test("F-105: What fits, and what cannot be taken apart, stays as it is")
  func whole() {
    let small = commit([create(1, bytes: 10), create(2, bytes: 10)])
    #expect(small.parts { 9 } == [small])
    let half = SyncLimit.transactionBytes.most / 2
    let circle = commit([create(1, bytes: half, link: 2), create(2, bytes: half, link: 1)])
    #expect(circle.parts { 9 } == [circle])
    let moved = commit([create(1, bytes: half), create(2, bytes: half), LocalEdit(name(3), .delete)])
    #expect(moved.parts { 9 } == [moved])
  }

  @Test("F-105: Objects from before their class was synchronised are sent in parts whatever their links")
  func baseline() {
    let half = SyncLimit.transactionBytes.most / 2
    let older = commit([
      create(1, bytes: half, link: 2, rank: .baseline), create(2, bytes: half, link: 1, rank: .baseline),
    ])
    #expect(older.parts { 9 }.count == 2)
  }

  @Test(
    "F-105: What a transaction is thought to take is not less than what it takes",
    arguments: [
      LocalChange.create([CreatedProperty("a", .int(.max)), CreatedProperty("b", .string("é"))]),
      .set(
        LocalPath("c"),
        .list(
          SyncList(
            incarnation: .root,
            entries: [
              SyncListEntry(element: .root, value: .double(0.5)),
              SyncListEntry(element: .root, value: .data([1, 2, 3])),
            ]))),
      .set(LocalPath("d"), .map(SyncMap(incarnation: .root, entries: [SyncMapEntry("key", .bool(true))]))),
      .listInsert(LocalPath("e"), at: 0, (0..<50).map { .string(SyncText("\($0)")) }, sizeBefore: 0),
      .setInsert(LocalPath("f"), .link(ObjectName(className: "Item", key: .string("a key of some length")))),
      .mapPut(
        LocalPath("g"), "key",
        .embedded(
          SyncEmbedded(
            incarnation: .root,
            properties: [
              SyncProperty("h", .date(SyncDate(seconds: .max, nanoseconds: 999_999_999) ?? SyncDate(seconds: .max)))
            ]))),
    ])
  func bound(_ change: LocalChange) throws {
    let object = ObjectName(className: "Item", key: .string("another key"))
    // Of so many of them that names of classes and properties count for nothing.
    let edits = (0..<400).map { index in
      LocalEdit(ObjectName(className: "Item", key: .string(SyncText("\(object.key) \(index)"))), change)
    }
    #expect(try size(commit(edits)) <= commit(edits).weight.bytes)
  }
}
