import Foundation
import TestSupport
import Testing

@testable import LarderStorage

@Suite struct StoreSchemaTests {
  private func person(_ columns: [ColumnDeclaration]) -> [ClassDeclaration] {
    [ClassDeclaration(name: "Person", columns: columns)]
  }

  @Test("L-4 numbers of removed columns are never given again")
  func numbersAreNotReused() throws {
    let fixture = try StoreFixture()
    try fixture.write {
      try $0.apply(person([.init(name: "a", type: .int), .init(name: "b", type: .string)]), schemaVersion: 2)
    }
    let first = try #require(try fixture.store.snapshot().schema["Person"]?.column(named: "b")?.id)
    try fixture.write { try $0.apply(person([.init(name: "a", type: .int)]), schemaVersion: 3) }
    try fixture.write {
      try $0.apply(person([.init(name: "a", type: .int), .init(name: "b", type: .int)]), schemaVersion: 4)
    }
    let snapshot = try fixture.store.snapshot()
    let second = try #require(snapshot.schema["Person"]?.column(named: "b")?.id)
    #expect(second > first)
    #expect(snapshot.schemaRecord.retired.contains { $0.column == first && $0.name == "b" })
  }

  @Test("M-47 a new column reads zero or nil, and rewrites no leaf")
  func newColumnsReadTheirInitialValue() throws {
    let fixture = try StoreFixture()
    try fixture.write { writer in
      try writer.apply(person([.init(name: "a", type: .int)]), schemaVersion: 2)
      let entry = try #require(writer.schema["Person"])
      for number in 0..<30 {
        let key = try writer.create(entry.id)
        try writer.setInt(entry.id, entry.columns[0].id, key, Int64(number))
      }
    }
    try fixture.write { writer in
      try writer.apply(
        person([
          .init(name: "a", type: .int), .init(name: "text", type: .string),
          .init(name: "maybe", type: .double, isOptional: true), .init(name: "tags", type: .string, collection: .list),
        ]), schemaVersion: 3)
    }
    let snapshot = try fixture.store.snapshot()
    let entry = try #require(snapshot.schema["Person"])
    let key = ObjectKey(rawValue: 20)
    #expect(try snapshot.value(entry.id, entry.columns[0].id, key) == .int(20))
    #expect(try snapshot.value(entry.id, entry.columns[1].id, key) == .string(""))
    #expect(try snapshot.value(entry.id, entry.columns[2].id, key) == .null)
    #expect(try snapshot.list(entry.id, entry.columns[3].id, key).count == 0)
    #expect(try snapshot.leaf(entry.id, entry.columns[1].id, cluster: 0) == nil)
    try fixture.write { try $0.setString(entry.id, entry.columns[1].id, key, "set") }
    let after = try fixture.store.snapshot()
    #expect(try after.value(entry.id, entry.columns[1].id, key) == .string("set"))
    #expect(try after.value(entry.id, entry.columns[1].id, ObjectKey(rawValue: 21)) == .string(""))
    #expect(try StoreVerifier.verify(after).isEmpty)
  }

  @Test("M-36 an index is built over existing objects, and dropped") func indexesComeAndGo() throws {
    let fixture = try StoreFixture()
    try fixture.write { writer in
      try writer.apply(person([.init(name: "a", type: .string, isOptional: true)]), schemaVersion: 2)
      let entry = try #require(writer.schema["Person"])
      for number in 0..<100 {
        let key = try writer.create(entry.id)
        if number % 3 != 0 {
          try writer.set(entry.id, entry.columns[0].id, key, .string("v\(number % 10)"))
        }
      }
    }
    try fixture.write {
      try $0.apply(person([.init(name: "a", type: .string, isOptional: true, isIndexed: true)]), schemaVersion: nil)
    }
    var snapshot = try fixture.store.snapshot()
    let entry = try #require(snapshot.schema["Person"])
    let index = try #require(try snapshot.index(entry.id, entry.columns[0].id))
    #expect(try index.count(equalTo: .null) == 34)
    #expect(try index.count(equalTo: .string("v1")) == 7)
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
    try fixture.write {
      try $0.apply(person([.init(name: "a", type: .string, isOptional: true)]), schemaVersion: nil)
    }
    snapshot = try fixture.store.snapshot()
    #expect(try snapshot.index(entry.id, entry.columns[0].id) == nil)
    #expect(try snapshot.transaction.statistics(fixture.store.tables.indexes).entries == 0)
  }

  @Test("M-44 a new primary key with duplicates is refused, and nothing changes")
  func duplicatesForbidAPrimaryKey() throws {
    let fixture = try StoreFixture()
    try fixture.write { writer in
      try writer.apply(person([.init(name: "a", type: .int)]), schemaVersion: 2)
      let entry = try #require(writer.schema["Person"])
      for number in [1, 2, 2] {
        let key = try writer.create(entry.id)
        try writer.setInt(entry.id, entry.columns[0].id, key, Int64(number))
      }
    }
    let before = try fixture.store.newestVersion
    #expect(throws: StorageError.self) {
      try fixture.write { try $0.apply(person([.init(name: "a", type: .int, isPrimaryKey: true)]), schemaVersion: 3) }
    }
    #expect(try fixture.store.newestVersion == before)
    #expect(try fixture.store.snapshot().schema["Person"]?.primaryKey == nil)
  }

  @Test("M-42: a list that was open takes nil once its elements became optional")
  func openListsFollowTheSchema() throws {
    let fixture = try StoreFixture()
    func list(_ isOptional: Bool) -> [ClassDeclaration] {
      person([.init(name: "tags", type: .string, collection: .list, isOptional: isOptional)])
    }
    try fixture.write { writer in
      try writer.apply(list(false), schemaVersion: 2)
      let entry = try #require(writer.schema["Person"])
      let (tags, key) = (entry.columns[0].id, try writer.create(entry.id))
      try writer.lists.insert(entry.id, tags, key, at: 0, [.string("a")])
      #expect(throws: StorageError.self) { try writer.lists.insert(entry.id, tags, key, at: 0, [.null]) }
      try writer.apply(list(true), schemaVersion: 3)
      try writer.lists.insert(entry.id, tags, key, at: 0, [.null])
    }
    let snapshot = try fixture.store.snapshot()
    let entry = try #require(snapshot.schema["Person"])
    let found = try snapshot.list(entry.id, entry.columns[0].id, ObjectKey(rawValue: 0))
    #expect(try CollectionFixture.elements(found) == [.null, .string("a")])
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
  }

  @Test func differencesAreNamed() throws {
    let stored = StoreSchema(
      classes: [
        ClassDescriptor(
          id: ClassID(rawValue: 1), name: "P",
          columns: [
            ColumnDescriptor(id: ColumnID(rawValue: 1), name: "a", type: .int),
            ColumnDescriptor(id: ColumnID(rawValue: 2), name: "gone", type: .int),
          ])
      ], schemaVersion: 1)
    let declared = [
      ClassDeclaration(name: "P", columns: [.init(name: "a", type: .string), .init(name: "new", type: .bool)]),
      ClassDeclaration(name: "Q", columns: [.init(name: "x", type: .int)]),
    ]
    let changes = SchemaDifference.changes(from: stored, to: declared)
    #expect(
      changes.map(\.description) == [
        "Property 'P.a' has been changed from 'int' to 'string'.", "Property 'P.new' has been added.",
        "Property 'P.gone' has been removed.", "Class 'Q' has been added.",
      ])
    #expect(changes.map(\.isAutomatic) == [false, false, false, true])
  }
}
