import Foundation
import LarderStorage
import LarderSyncProtocol
import TestSupport
import TestTraits
import Testing

@testable import LarderSync

/// Each limit of the table at its bound and one above, where a device meets it first: at the commit, or before a set of subscriptions is stored.
@Suite("Limits on a device", .long, .timeLimit(.minutes(10)))
struct SyncLimitTests {
  private let temporary: TemporaryStore
  private let schema: StoreSchema

  private static func name(_ bytes: Int) -> String { String(repeating: "n", count: bytes) }
  private static let names = ["L" + name(SyncLimit.className.most - 1), "M" + name(SyncLimit.className.most)]

  private static let classes =
    [
      ClassDeclaration(
        name: "Thing",
        columns: [
          ColumnDeclaration(name: "id", type: .string, isPrimaryKey: true),
          ColumnDeclaration(name: "text", type: .string), ColumnDeclaration(name: "data", type: .data),
          ColumnDeclaration(name: "any", type: .mixed, isOptional: true),
          ColumnDeclaration(name: "friend", type: .link, target: "Thing"),
          ColumnDeclaration(name: "all", type: .mixed, collection: .list, isOptional: true),
          ColumnDeclaration(name: "numbers", type: .int, collection: .list),
          ColumnDeclaration(name: "byKey", type: .int, collection: .map),
          ColumnDeclaration(name: "p" + name(SyncLimit.propertyName.most - 1), type: .int),
          ColumnDeclaration(name: "q" + name(SyncLimit.propertyName.most), type: .int, collection: .list),
        ], syncMode: .synced)
    ]
    + names.map {
      ClassDeclaration(
        name: $0,
        columns: [
          ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true), ColumnDeclaration(name: "x", type: .int),
        ], syncMode: .synced)
    }

  init() throws {
    temporary = try TemporaryStore()
    try temporary.write { try $0.apply(Self.classes, schemaVersion: 1) }
    schema = try temporary.snapshot.schema
  }

  private var thing: ClassDescriptor {
    get throws { try #require(schema.classes.first { $0.name == "Thing" }) }
  }

  /// A transaction that makes an object and does something to it.
  private func make(_ key: String, _ body: (StoreWriter, ObjectKey) throws -> Void) throws {
    let id = try thing.id
    try temporary.write { writer in try body(writer, try writer.create(id, primaryKey: .string(key))) }
  }

  private func column(_ name: String) throws -> ColumnID { try #require(try thing.column(named: name)).id }

  private func nested(_ levels: Int) -> StoredValue {
    (0..<levels).reduce(.int(1)) { value, _ in .list(StoredList([value])) }
  }

  /// Does something that has so much of what a limit is of.
  private func attempt(_ limit: SyncLimit, _ count: Int) throws {
    let isAbove = count > limit.most
    let key = isAbove ? "b" : "a"
    switch limit {
    case .className:
      let entry = try #require(schema.classes.first { $0.name == Self.names[isAbove ? 1 : 0] })
      #expect(entry.name.utf8.count == count)
      try temporary.write { _ = try $0.create(entry.id, primaryKey: .int(1)) }
    case .propertyName:
      let found = try #require(try thing.columns.first { $0.name.utf8.count == count })
      try make(key) { writer, key in
        if isAbove {
          try writer.lists.insert(thing.id, found.id, key, at: 0, [.int(1)])
        } else {
          try writer.set(thing.id, found.id, key, .int(1))
        }
      }
    case .primaryKey: try make(Self.name(count)) { _, _ in }
    case .mapKey:
      try make(key) { try $0.maps.put(thing.id, column("byKey"), $1, [(Self.name(count), .int(1))]) }
    case .value:
      try make(key) { try $0.set(thing.id, column("data"), $1, .data(Data(repeating: 5, count: count))) }
    case .depth:
      try make(key) { try $0.lists.insert(thing.id, column("all"), $1, at: 0, [nested(count - 1)]) }
    case .transactionBytes:
      // What a transaction is thought to take beside two values in one object.
      let beside =
        TransactionWeight.change.bytes + 1 + 2 * TransactionWeight.text(0).bytes + 3 * TransactionWeight.scalar.bytes
      let rest = count - beside - SyncLimit.value.most
      try make(key) { writer, key in
        try writer.set(thing.id, column("data"), key, .data(Data(repeating: 5, count: SyncLimit.value.most)))
        try writer.set(thing.id, column("text"), key, .string(Self.name(rest)))
      }
    case .transactionItems:
      // Elements of a new object are in operations of 512.
      let change = TransactionWeight.change.items
      var elements = count
      while elements + (elements + 511) / 512 * change + change + 5 > count { elements -= 1 }
      try make(key) { writer, key in
        let values = (0..<(elements + (isAbove ? 1 : 0))).map { StoredValue.int(Int64($0)) }
        try writer.lists.insert(thing.id, column("numbers"), key, at: 0, values)
      }
    case .queries:
      try SubscriptionLimits.verify(set((0..<count).map { "id == '\($0)'" }))
    case .queryBytes:
      let beside = set([""]).subscribe.queries[0].encoded().count
      try SubscriptionLimits.verify(set([Self.name(count - beside - 2)]))
    }
  }

  private func set(_ predicates: [String]) -> SubscriptionSetRecord {
    SubscriptionSetRecord().changed(
      to: predicates.map {
        SubscriptionRecord(name: nil, className: "Thing", predicate: SyncText($0), createdAt: 1, updatedAt: 1)
      })
  }

  @Test(
    "F-105, F-106: At its bound each limit lets a transaction through, and one above the commit refuses it",
    arguments: SyncLimit.allCases)
  func table(_ limit: SyncLimit) throws {
    try attempt(limit, limit.most)
    let version = try temporary.snapshot.version
    let error = #expect(throws: (any Error).self) { try attempt(limit, limit.most + 1) }
    switch limit {
    case .queries, .queryBytes: #expect((error as? Realm.Error)?.code == .subscriptionFailed)
    case .transactionBytes, .transactionItems: #expect((error as? StorageError)?.code == .transactionTooLarge)
    default: #expect((error as? StorageError)?.code == .valueTooLarge)
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("\(limit.most)"))
    #expect(try temporary.snapshot.version == version)
  }

  @Test("F-106: A link to an object whose key is too long is refused as well, and such an object can be deleted")
  func keys() throws {
    let (id, friend) = (try thing.id, try column("friend"))
    let long = StoredValue.string(Self.name(SyncLimit.primaryKey.most + 1))
    // As a server brings it that has other limits.
    try temporary.write { writer in
      try SyncWriting(writer).apply(from: Origin(high: 0, low: 1), at: HybridTime(rawValue: 1))
      _ = try writer.create(id, primaryKey: long)
    }
    let key = try #require(try temporary.snapshot.object(id, primaryKey: long))
    #expect(throws: StorageError.self) { try make("a") { try $0.set(id, friend, $1, .link(key)) } }
    try temporary.write { try $0.delete(id, key) }
    #expect(try temporary.snapshot.count(of: id) == 0)
  }

  @Test("F-105: A transaction of independent objects is stored however large it is, and sent as several commits")
  func split() throws {
    let (id, data) = (try thing.id, try column("data"))
    try temporary.write { writer in
      for number in 0..<5 {
        let key = try writer.create(id, primaryKey: .string("\(number)"))
        try writer.set(id, data, key, .data(Data(repeating: UInt8(number), count: 8 << 20)))
      }
    }
    let keeper = DeviceKeeper(temporary.store)
    try keeper.replay()
    let commits = try #require(keeper.device).keptCommits
    #expect(commits.count == 3)
    for commit in commits {
      #expect(commit.encoded(site: try #require(keeper.device).site).count < Int(SessionLimits.standard.frameBytes))
    }
    #expect(Set(commits.flatMap(\.operations).map(\.object)).count == 5)
  }
}
