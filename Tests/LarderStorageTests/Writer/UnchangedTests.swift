import Foundation
import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

/// Transactions that change nothing.
@Suite struct UnchangedTests {
  private let fixture: TemporaryStore
  private let entry: ClassDescriptor
  private let key: ObjectKey

  init() throws {
    fixture = try TemporaryStore()
    let columns =
      [ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true)]
      + [ColumnType.bool, .int, .float, .double, .string, .data, .date, .uuid, .objectId, .decimal128, .mixed].map {
        ColumnDeclaration(name: "\($0)", type: $0, isOptional: true, isIndexed: $0 == .string)
      } + [
        ColumnDeclaration(name: "link", type: .link, target: "Thing"),
        ColumnDeclaration(name: "list", type: .int, collection: .list),
      ]
    try fixture.write { try $0.apply([ClassDeclaration(name: "Thing", columns: columns)], schemaVersion: 0) }
    let entry = try #require(try fixture.snapshot.schema["Thing"])
    key = try fixture.write { writer in
      let key = try writer.create(entry.id, primaryKey: 1)
      for (name, value) in Self.values {
        try writer.set(entry.id, #require(entry.column(named: name)).id, key, value)
      }
      try writer.set(entry.id, #require(entry.column(named: "link")).id, key, .link(key))
      return key
    }
    self.entry = entry
  }

  private static let values: [(String, StoredValue)] = [
    ("bool", .bool(true)), ("int", .int(5)), ("float", .float(1.5)), ("double", .double(0)),
    ("string", .string("\u{E9}")), ("data", .data(Data([1, 2]))),
    ("date", .date(Timestamp(seconds: 3, nanoseconds: 4))),
    ("decimal128", .decimal128(Decimal128Bits(high: 1, low: 2))), ("mixed", .double(2)),
  ]

  private func column(_ name: String) throws -> ColumnID { try #require(entry.column(named: name)).id }

  /// Returns true if the transaction made a version; checks that LMDB made a transaction for it only then.
  private func changes(_ isObserved: Bool = false, _ body: (StoreWriter) throws -> Void) throws -> Bool {
    let (version, transaction) = (try fixture.store.newestVersion, fixture.store.environment.lastTransactionID)
    let writer = try fixture.store.beginWrite()
    writer.keepsEqualAssignments = isObserved
    try body(writer)
    let made = try writer.commit()
    #expect(try fixture.store.newestVersion == made)
    #expect((fixture.store.environment.lastTransactionID != transaction) == (made != version))
    #expect(try StoreVerifier.verify(fixture.snapshot).isEmpty)
    return made != version
  }

  @Test("F-62: a transaction without changes makes no version and writes nothing")
  func empty() throws {
    #expect(try !changes { _ in })
    #expect(try !changes { _ = try $0.value(entry.id, column("string"), key) })
    #expect(try !changes { _ = try $0.list(entry.id, column("list"), key).count })
    // What a transaction leaves to the next one is still of use.
    #expect(try changes { try $0.set(entry.id, column("int"), key, .int(6)) })
    #expect(try !changes { _ in })
    #expect(try changes { try $0.set(entry.id, column("int"), key, .int(7)) })
    #expect(try fixture.snapshot.value(entry.id, column("int"), key) == .int(7))
  }

  @Test("F-62: values that were there make no version, others do")
  func equalValues() throws {
    for (name, value) in Self.values {
      #expect(try !changes { try $0.set(entry.id, column(name), key, value) }, "\(name)")
    }
    #expect(try !changes { try $0.set(entry.id, column("link"), key, .link(key)) })
    #expect(try !changes { try $0.set(entry.id, column("uuid"), key, .null) })
    #expect(
      try !changes { writer in
        try writer.set(entry.id, column("int"), key, .int(9))
        try writer.set(entry.id, column("int"), key, .int(5))
      })
    for (name, value): (String, StoredValue) in [
      ("double", .double(-0.0)), ("string", .string("e\u{301}")),
      ("decimal128", .decimal128(Decimal128Bits(high: 1, low: 3))),
      ("mixed", .int(2)), ("data", .null), ("uuid", .null), ("link", .null),
    ] where name != "uuid" {
      #expect(try changes { try $0.set(entry.id, column(name), key, value) }, "\(name)")
    }
    guard case .double(let zero) = try fixture.snapshot.value(entry.id, column("double"), key) else {
      Issue.record("no double")
      return
    }
    #expect(zero.sign == .minus)
    // What was assigned as it was is stored as it was.
    #expect(try changes { try $0.set(entry.id, column("int"), key, .int(6)) })
    #expect(try fixture.snapshot.value(entry.id, column("int"), key) == .int(6))
    #expect(try fixture.snapshot.object(entry.id, primaryKey: .int(1)) == key)
  }

  /// Assigns the value that is there, for observers; the moment that this makes.
  private func assignAgain(_ name: String = "int") throws -> Moment? {
    let writer = try fixture.store.beginWrite()
    try writer.set(entry.id, column(name), key, writer.value(entry.id, column(name), key))
    try writer.commit()
    return writer.moment
  }

  @Test("F-62, N-14: what is assigned for observers makes no version, and is reported as a change")
  func observed() throws {
    let before = try fixture.snapshot
    #expect(try !changes(true) { try $0.set(entry.id, column("int"), key, .int(5)) })
    #expect(try !changes(true) { _ in })
    let between = try fixture.snapshot
    #expect(between.version == before.version && between.moment > before.moment)
    #expect(try changes(true) { try $0.set(entry.id, column("string"), key, .string("x")) })
    #expect(try !changes(true) { try $0.set(entry.id, column("bool"), key, .bool(true)) })
    let after = try fixture.snapshot
    let keys = KeyRanges([key])
    let names = try ["int", "string", "bool"].map(column)
    func modified(_ newer: Snapshot, _ older: Snapshot) throws -> [ColumnID: KeyRanges] {
      try newer.changes(since: older.moment)[entry.id]?.modified ?? [:]
    }
    #expect(try modified(after, before) == [names[0]: keys, names[1]: keys, names[2]: keys])
    #expect(try modified(between, before) == [names[0]: keys])
    #expect(try modified(after, between) == [names[1]: keys, names[2]: keys])
    #expect(try modified(after, after).isEmpty && before.changes(since: before.moment).isEmpty)
    // An object that is deleted later is only that.
    #expect(try assignAgain() != nil)
    try fixture.write { try $0.delete(entry.id, key) }
    let changes = try #require(try fixture.snapshot.changes(since: after.moment)[entry.id])
    #expect(changes.modified.isEmpty && changes.deleted == keys)
  }

  @Test("F-62: what was assigned is kept as long as a snapshot from before it lives, and no longer")
  func kept() throws {
    var first: Snapshot? = try fixture.snapshot
    let start = try #require(first?.moment)
    for _ in 0..<10 { _ = try assignAgain() }
    let last = try fixture.snapshot
    #expect(last.moment.commits(since: start) == 10)
    #expect(try last.changes(since: start)[entry.id]?.modified.count == 1)
    #expect(fixture.store.unchangedAssignments(after: 0, upTo: 10)?.count == 10)
    withExtendedLifetime(first) {}
    first = nil
    // A later request is answered that everything may have changed.
    #expect(fixture.store.unchangedAssignments(after: 0, upTo: 10) == nil)
    #expect(try !last.changes(since: start).isComplete)
  }

  @Test("F-62: when very many are kept for an old snapshot, versions are made again, until it ends")
  func limited() throws {
    var first: Snapshot? = try fixture.snapshot
    let version = try #require(first?.version)
    for _ in 0..<1_024 { #expect(try assignAgain()?.version == version) }
    #expect(try assignAgain()?.version == version + 1)
    withExtendedLifetime(first) {}
    first = nil
    #expect(try assignAgain()?.version == version + 1)
  }

  @Test("F-62: who follows the log hears of assignments by versions")
  func followed() throws {
    let registered = try fixture.store.beginWrite()
    try fixture.store.log.register(
      LogConsumer(name: "consumer", consumed: 0, policy: .hard), in: registered.transaction)
    let version = try fixture.store.newestVersion
    // A consumer is no change of any object, but it was written.
    #expect(try registered.commit() == version + 1)
    #expect(try changes { try $0.set(entry.id, column("int"), key, .int(5)) })
    #expect(try changes(true) { try $0.set(entry.id, column("int"), key, .int(5)) })
  }

  @Test("F-62: objects that came and went again, and keys that were given, make a version")
  func givenKeys() throws {
    struct Undone: Error {}
    #expect(try changes { try $0.delete(entry.id, try $0.create(entry.id, primaryKey: 2)) })
    #expect(
      try changes { writer in
        #expect(throws: Undone.self) {
          try writer.savepoint {
            _ = try writer.create(entry.id, primaryKey: 3)
            throw Undone()
          }
        }
      })
    let next = try fixture.snapshot.nextObjectKey(of: entry.id)
    #expect(try fixture.write { try $0.create(entry.id, primaryKey: 4) } == next)
    #expect(next.rawValue == 3)
  }

  @Test("F-62: edits of collections, and a change of the schema, make a version")
  func others() throws {
    #expect(try changes { try $0.lists.insert(entry.id, column("list"), key, at: 0, [.int(1)]) })
    #expect(try changes { try $0.set(entry.id, column("mixed"), key, .list([.int(1)])) })
    #expect(try changes { try $0.set(entry.id, column("mixed"), key, .list([.int(1)])) })
    #expect(
      try changes { writer in
        try writer.apply([ClassDeclaration(name: "Other", columns: [])], schemaVersion: 0)
      })
  }
}
