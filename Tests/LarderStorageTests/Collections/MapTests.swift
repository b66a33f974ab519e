import Foundation
import TestSupport
import Testing

@testable import LarderStorage

@Suite struct MapTests {
  private func fixture() throws -> CollectionFixture {
    try CollectionFixture([
      ColumnDeclaration(name: "values", type: .int, collection: .map, isOptional: true),
      ColumnDeclaration(name: "items", type: .link, collection: .map, target: "Item"),
      ColumnDeclaration(name: "parts", type: .link, collection: .map, target: "Part"),
    ])
  }

  static func entries(_ map: any MapReading) throws -> [StoredDictionary.Entry] {
    try (0..<map.count).map { StoredDictionary.Entry(try map.key(at: $0), try map.value(at: $0)) }
  }

  @Test("O-83, U-25: keys of any text are kept in bytewise order")
  func anyTextIsAKey() throws {
    let fixture = try fixture()
    let column = try fixture.column("values")
    let long = String(repeating: "k", count: 5_000)
    let keys = ["", "\0", "$where", "a.b", "a", "é", "e\u{301}", "🦄", long, "a\0b"]
    try fixture.write { writer throws in
      try writer.maps.put(
        fixture.owner, column, fixture.key, keys.enumerated().map { ($1, .int(Int64($0))) })
      try writer.maps.put(fixture.owner, column, fixture.key, [("a", .int(-1)), ("a", .null), ("b", .int(5))])
    }
    let map = try fixture.snapshot().map(fixture.owner, column, fixture.key)
    #expect(map.count == 11)
    for (number, key) in keys.enumerated() where key != "a" { #expect(try map.value(of: key) == .int(Int64(number))) }
    #expect(try map.value(of: "a") == .null)
    #expect(try map.value(of: "nothing") == nil)
    let stored = try (0..<map.count).map { Array(try map.key(at: $0).utf8) }
    #expect(stored == stored.sorted { $0.lexicographicallyPrecedes($1) })
    #expect(try fixture.problems().isEmpty)
  }

  @Test("removing, clearing and assigning keep keys and values together")
  func removingClearingAssigning() throws {
    let fixture = try fixture()
    let column = try fixture.column("values")
    try fixture.write { writer throws in
      try writer.maps.put(fixture.owner, column, fixture.key, (0..<2_000).map { ("key \($0)", .int(Int64($0))) })
      #expect(try writer.maps.remove(fixture.owner, column, fixture.key, "key 77"))
      #expect(try !writer.maps.remove(fixture.owner, column, fixture.key, "key 77"))
    }
    var map = try fixture.snapshot().map(fixture.owner, column, fixture.key)
    #expect(map.count == 1_999)
    for number in 0..<2_000 where number != 77 { #expect(try map.value(of: "key \(number)") == .int(Int64(number))) }
    try fixture.write { try $0.maps.assign(fixture.owner, column, fixture.key, [("key 5", .int(50)), ("z", .int(1))]) }
    map = try fixture.snapshot().map(fixture.owner, column, fixture.key)
    #expect(try Self.entries(map) == [.init("key 5", .int(50)), .init("z", .int(1))])
    #expect(try fixture.problems().isEmpty)
    try fixture.write { try $0.maps.clear(fixture.owner, column, fixture.key) }
    #expect(try fixture.snapshot().map(fixture.owner, column, fixture.key).count == 0)
    #expect(try fixture.problems().isEmpty)
  }

  @Test("O-11: a value becomes nil with the object it links to; the key stays")
  func valuesBecomeNilWithTheirObjects() throws {
    let fixture = try fixture()
    let column = try fixture.column("items")
    let items = try fixture.write { writer throws in
      let items = try (0..<2).map { _ in try writer.create(fixture.item) }
      try writer.maps.put(
        fixture.owner, column, fixture.key, [("a", .link(items[0])), ("b", .link(items[1])), ("c", .link(items[0]))])
      return items
    }
    try fixture.write { try $0.delete(fixture.item, items[0]) }
    let snapshot = try fixture.snapshot()
    #expect(
      try Self.entries(snapshot.map(fixture.owner, column, fixture.key)) == [
        .init("a", .null), .init("b", .link(items[1])), .init("c", .null),
      ])
    let edits = try #require(
      try snapshot.changes(since: snapshot.version - 1)[fixture.owner]?
        .maps[ChangeSummary.ListID(column: column, key: fixture.key)])
    #expect(
      edits == [
        MapEdit(.put(key: "a", at: 0, isNew: false), sizeBefore: 3, isDerived: true),
        MapEdit(.put(key: "c", at: 2, isNew: false), sizeBefore: 3, isDerived: true),
      ])
    #expect(try fixture.problems().isEmpty)
  }

  @Test(
    "O-73: embedded values are deleted when replaced, removed, cleared or with their owner; directly they leave nil")
  func embeddedValuesGoWithTheirSlot() throws {
    let fixture = try fixture()
    let column = try fixture.column("parts")
    let parts = try fixture.write { writer throws in
      let parts = try ["a", "b", "c", "d"].map {
        try writer.maps.insertEmbedded(in: fixture.owner, column, fixture.key, mapKey: $0)
      }
      #expect(throws: StorageError.self) {
        try writer.maps.put(fixture.owner, column, fixture.key, [("x", .link(parts[0]))])
      }
      return parts
    }
    #expect(try fixture.problems().isEmpty)
    let replacement = try fixture.write { writer throws in
      try writer.delete(fixture.part, parts[1])
      try writer.maps.remove(fixture.owner, column, fixture.key, "c")
      try writer.maps.put(fixture.owner, column, fixture.key, [("d", .null)])
      return try writer.maps.insertEmbedded(in: fixture.owner, column, fixture.key, mapKey: "a")
    }
    let snapshot = try fixture.snapshot()
    #expect(
      try Self.entries(snapshot.map(fixture.owner, column, fixture.key)) == [
        .init("a", .link(replacement)), .init("b", .null), .init("d", .null),
      ])
    #expect(try snapshot.count(of: fixture.part) == 1)
    #expect(try fixture.problems().isEmpty)
    try fixture.write { try $0.delete(fixture.owner, fixture.key) }
    #expect(try fixture.snapshot().count(of: fixture.part) == 0)
    #expect(try fixture.problems().isEmpty)
  }

  @Test("L-18: edits of maps are logged by key, with their positions")
  func editsAreLoggedByKey() throws {
    let fixture = try fixture()
    let column = try fixture.column("values")
    try fixture.write { try $0.maps.put(fixture.owner, column, fixture.key, [("b", .int(1)), ("d", .int(2))]) }
    try fixture.write { writer throws in
      try writer.maps.put(fixture.owner, column, fixture.key, [("c", .int(3)), ("a", .int(4)), ("d", .int(5))])
      try writer.maps.remove(fixture.owner, column, fixture.key, "b")
    }
    let snapshot = try fixture.snapshot()
    let changes = try #require(try snapshot.changes(since: snapshot.version - 1)[fixture.owner])
    let id = ChangeSummary.ListID(column: column, key: fixture.key)
    #expect(
      changes.maps[id] == [
        MapEdit(.put(key: "a", at: 0, isNew: true), sizeBefore: 2),
        MapEdit(.put(key: "c", at: 2, isNew: true), sizeBefore: 3),
        MapEdit(.put(key: "d", at: 3, isNew: false), sizeBefore: 4),
        MapEdit(.remove(key: "b", at: 1), sizeBefore: 4),
      ])
    #expect(changes.lists[id]?.count == 4)
  }

  @Test("misuse is a typed error that changes nothing")
  func misuse() throws {
    let fixture = try fixture()
    let column = try fixture.column("values")
    try fixture.write { writer throws in
      #expect(throws: StorageError.self) {
        try writer.maps.put(fixture.owner, column, fixture.key, [("a", .int(1)), ("b", .string("no"))])
      }
      #expect(throws: StorageError.self) { try writer.sets.insert(fixture.owner, column, fixture.key, [.int(1)]) }
      #expect(throws: StorageError.self) {
        try writer.lists.insert(fixture.owner, column, fixture.key, at: 0, [.int(1)])
      }
      #expect(throws: StorageError.self) { _ = try writer.set(fixture.owner, column, fixture.key) }
      #expect(try writer.map(fixture.owner, column, fixture.key).count == 0)
    }
  }
}
