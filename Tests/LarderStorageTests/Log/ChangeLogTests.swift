import Foundation
import LarderLMDB
import Testing

@testable import LarderStorage

@Suite("Change log")
struct ChangeLogTests {
  private func record(_ time: UInt64, _ changes: ClassChanges...) -> CommitRecord {
    CommitRecord(time: HybridTime(rawValue: time), classes: changes)
  }

  private func changes(
    inserted: KeyRanges = KeyRanges(), deleted: KeyRanges = KeyRanges(), modified: [(UInt16, KeyRanges)] = []
  ) -> ClassChanges {
    var result = ClassChanges(classID: .people)
    result.inserted = inserted
    result.deleted = deleted
    result.modified = modified.map { ColumnChanges(column: column($0.0), keys: $0.1) }
    return result
  }

  @Test("records are read back by version and in order")
  func appendAndRead() throws {
    let fixture = try LogFixture()
    defer { fixture.remove() }
    try fixture.write { transaction in
      for version in 1...300 as ClosedRange<UInt64> {
        try fixture.log.append(
          record(version, changes(inserted: ranges(version))), version: version, in: transaction)
      }
    }
    let read = try fixture.environment.beginRead()
    #expect(try fixture.log.record(17, in: read)?[.people]?.inserted == ranges(17))
    #expect(try fixture.log.record(301, in: read) == nil)
    #expect(try fixture.log.bounds(in: read) == 1...300)
    var seen: [UInt64] = []
    try fixture.log.forEach(255...260, in: read) { version, _ in
      seen.append(version)
      return version < 258
    }
    #expect(seen == [255, 256, 257, 258])
    #expect(try fixture.log.verify(floor: 1, newest: 300, in: read).isEmpty)
  }

  @Test("N-7 a summary is the net change of its versions")
  func summary() throws {
    let fixture = try LogFixture()
    defer { fixture.remove() }
    var listed = changes(modified: [(1, ranges(5, 6))])
    listed.lists = [
      CollectionChanges(column: column(2), key: key(6), edits: [ListEdit(.insert(at: 0, count: 1), sizeBefore: 0)])
    ]
    var more = changes(inserted: ranges(20), deleted: ranges(5, 10), modified: [(1, ranges(11, 6))])
    more.lists = [CollectionChanges(column: column(2), key: key(6), edits: [ListEdit(.clear, sizeBefore: 1)])]
    try fixture.write { transaction in
      try fixture.log.append(record(1, changes(inserted: ranges(1))), version: 1, in: transaction)
      try fixture.log.append(record(2, changes(inserted: ranges(10, 11)), listed), version: 2, in: transaction)
      try fixture.log.append(record(3, more), version: 3, in: transaction)
      try fixture.log.append(CommitRecord(flags: .schemaChange), version: 4, in: transaction)
    }
    let read = try fixture.environment.beginRead()
    let summary = try fixture.log.summary(after: 1, upTo: 3, in: read)
    let people = try #require(summary[.people])
    #expect(people.inserted == ranges(11, 20))
    #expect(people.deleted == ranges(5))
    #expect(people.modified == [column(1): ranges(6), column(2): ranges(6)])
    #expect(people.allModified == ranges(6))
    #expect(
      people.lists == [
        .init(column: column(2), key: key(6)): [
          ListEdit(.insert(at: 0, count: 1), sizeBefore: 0), ListEdit(.clear, sizeBefore: 1),
        ]
      ])
    #expect(!summary.schemaChanged)
    #expect(try fixture.log.summary(after: 3, upTo: 4, in: read).schemaChanged)
    #expect(try fixture.log.summary(after: 3, upTo: 3, in: read).isEmpty)
    #expect(try !fixture.log.summary(after: 0, upTo: 5, in: read).isComplete)
  }

  @Test("L-14 a hard consumer keeps its records across a reopening")
  func hardConsumer() throws {
    let fixture = try LogFixture()
    defer { fixture.remove() }
    try fixture.fill(1...500)
    let log = fixture.log
    try fixture.write { try log.register(LogConsumer(name: "sync", consumed: 100, policy: .hard), in: $0) }
    let first = try fixture.write { try log.trim(floor: 1, newest: 500, oldestLive: 500, in: $0) }
    #expect(first == ChangeLog.TrimResult(floor: 101, removedRecords: 100))
    let second = try fixture.write { try log.trim(floor: 101, newest: 500, oldestLive: 500, in: $0) }
    #expect(second.removedRecords == 0)
    try fixture.write { try log.advance("sync", to: 300, in: $0) }
    try fixture.write { try log.advance("sync", to: 200, in: $0) }
    let third = try fixture.write { try log.trim(floor: 101, newest: 500, oldestLive: 500, in: $0) }
    #expect(third.floor == 301)
    let read = try fixture.environment.beginRead()
    #expect(try log.verify(floor: 301, newest: 500, in: read).isEmpty)
    #expect(try log.consumers(in: read) == [LogConsumer(name: "sync", consumed: 300, policy: .hard)])
    #expect(throws: StorageError.self) { try fixture.write { try log.advance("other", to: 1, in: $0) } }
  }

  @Test("L-14 a bounded consumer that is too far behind is marked, not skipped")
  func boundedConsumers() throws {
    let fixture = try LogFixture()
    defer { fixture.remove() }
    try fixture.fill(1...500)
    let log = fixture.log
    try fixture.write {
      try log.register(LogConsumer(name: "near", consumed: 300, policy: .versions(200)), in: $0)
      try log.register(LogConsumer(name: "far", consumed: 299, policy: .versions(200)), in: $0)
      try log.register(LogConsumer(name: "heavy", consumed: 10, policy: .bytes(1000)), in: $0)
      try log.register(LogConsumer(name: "light", consumed: 310, policy: .bytes(1_000_000)), in: $0)
    }
    let result = try fixture.write { try log.trim(floor: 1, newest: 500, oldestLive: 500, in: $0) }
    #expect(result.expired == ["far", "heavy"])
    #expect(result.floor == 301)
    let read = try fixture.environment.beginRead()
    #expect(try log.consumers(in: read).filter(\.isExpired).map(\.name) == ["far", "heavy"])
    #expect(try log.verify(floor: 301, newest: 500, in: read).isEmpty)
  }

  @Test("records that a living snapshot needs stay, and a trim works in slices")
  func trimSlices() throws {
    let fixture = try LogFixture()
    defer { fixture.remove() }
    try fixture.fill(1...500)
    var limits = ChangeLog.TrimLimits()
    limits.maximumRecords = 150
    func trim(_ floor: UInt64, oldestLive: UInt64) throws -> UInt64 {
      try fixture.write {
        try fixture.log.trim(floor: floor, newest: 500, oldestLive: oldestLive, limits: limits, in: $0).floor
      }
    }
    #expect(try trim(1, oldestLive: 30) == 1)
    #expect(try trim(1, oldestLive: 200) == 151)
    #expect(try trim(151, oldestLive: 200) == 151)
    #expect(try trim(151, oldestLive: 400) == 301)
    #expect(try fixture.log.bounds(in: try fixture.environment.beginRead()) == 301...500)
  }

  @Test("L-7 tombstones keep the primary key as long as the log keeps the deletion")
  func tombstones() throws {
    let fixture = try LogFixture()
    defer { fixture.remove() }
    let log = fixture.log
    try fixture.write { transaction in
      try log.append(
        record(1, changes(deleted: ranges(4, 5))), version: 1,
        tombstones: [
          .init(classID: .people, key: key(5), primaryKey: .string("five")),
          .init(
            classID: .people, key: key(4), primaryKey: .uuid(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!)),
        ], in: transaction)
    }
    for version in 2...100 as ClosedRange<UInt64> { try fixture.fill(version...version) }
    try fixture.write { transaction in
      try log.append(
        record(101, changes(deleted: ranges(6))), version: 101,
        tombstones: [.init(classID: .people, key: key(6), primaryKey: .int(-6))], in: transaction)
    }
    do {
      let read = try fixture.environment.beginRead()
      #expect(try log.tombstone(.people, key(5), in: read) == Tombstone(version: 1, primaryKey: .string("five")))
      #expect(try log.tombstone(.people, key(7), in: read) == nil)
    }
    var limits = ChangeLog.TrimLimits()
    limits.keptRecords = 1
    let result = try fixture.write { try log.trim(floor: 1, newest: 101, oldestLive: 101, limits: limits, in: $0) }
    #expect(result.removedTombstones == 2)
    let read = try fixture.environment.beginRead()
    #expect(try log.tombstone(.people, key(5), in: read) == nil)
    #expect(try log.tombstone(.people, key(6), in: read)?.primaryKey == .int(-6))
  }

  @Test("every type of value survives in a tombstone")
  func tombstoneValues() throws {
    let values: [StoredValue] = [
      .null, .bool(true), .int(.min), .float(-0.0), .double(.infinity), .string("ü\0x"), .data(Data([0, 255])),
      .date(Timestamp(seconds: -5, nanoseconds: 999_999_999)), .uuid(UUID()), .objectId(ObjectIdBytes(high: 1, low: 2)),
      .decimal128(Decimal128Bits(high: 3, low: 4)), .link(key(9)),
    ]
    for value in values {
      let tombstone = Tombstone(version: 3, primaryKey: value)
      let bytes = tombstone.encoded()
      #expect(bytes.count % 8 == 0)
      #expect(try bytes.withView { try Tombstone(decoding: $0) } == tombstone)
      for length in 0..<bytes.count - 8 {
        _ = try? Array(bytes[0..<length]).withView { try Tombstone(decoding: $0) }
      }
    }
  }

  @Test("L-3 origins get numbers, once each")
  func origins() throws {
    let fixture = try LogFixture()
    defer { fixture.remove() }
    let log = fixture.log
    try fixture.write { transaction in
      try log.setOwnOrigin(Origin(high: 1, low: 2), in: transaction)
      #expect(try log.index(of: Origin(high: 3, low: 4), in: transaction) == 1)
      #expect(try log.index(of: Origin(high: 5, low: 6), in: transaction) == 2)
      #expect(try log.index(of: Origin(high: 3, low: 4), in: transaction) == 1)
      #expect(try log.index(of: Origin(high: 1, low: 2), in: transaction) == ChangeLog.thisStore)
    }
    #expect(try log.origins(in: try fixture.environment.beginRead()).map(\.high) == [1, 3, 5])
  }

  @Test("verify names gaps, times that do not rise, damage, unknown origins and a wrong end")
  func verifyProblems() throws {
    let fixture = try LogFixture()
    defer { fixture.remove() }
    let log = fixture.log
    try fixture.fill(1...3)
    try fixture.write { transaction in
      try log.append(record(9), version: 5, in: transaction)
      try log.append(record(9), version: 6, in: transaction)
      var foreign = record(10)
      foreign.origin = 4
      try log.append(foreign, version: 7, in: transaction)
      var bytes = record(11).encoded(version: 8)
      bytes[3] ^= 1
      try transaction.put(log.log, KeyBytes(8), bytes)
      try log.register(LogConsumer(name: "ahead", consumed: 99, policy: .hard), in: transaction)
    }
    let problems = try log.verify(floor: 1, newest: 10, in: try fixture.environment.beginRead())
    #expect(problems.map(\.version) == [5, 6, 7, 8, nil, nil])
  }

  @Test("names of consumers are checked")
  func consumerNames() throws {
    let fixture = try LogFixture()
    defer { fixture.remove() }
    for name in ["", String(repeating: "x", count: 201), "a\0b"] {
      #expect(throws: StorageError.self) {
        try fixture.write {
          try fixture.log.register(LogConsumer(name: name, consumed: 0, policy: .hard), in: $0)
        }
      }
    }
  }
}
