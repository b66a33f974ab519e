import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite struct SchemaComparisonTests {
  private func schema(_ properties: [SchemaProperty], key: SyncText = "id") -> SyncSchema {
    let all = properties + [SchemaProperty("id", .int), SchemaProperty("key", .string)]
    return SyncSchema(version: 4, classes: [SchemaClass("Task", primaryKey: key, properties: all)])
  }

  @Test("new classes, new properties and more that is queryable are additions")
  func additions() {
    let old = schema([SchemaProperty("note", .string)])
    var classes = schema([SchemaProperty("note", .string, isQueryable: true), SchemaProperty("rank", .int)]).classes
    classes.append(SchemaClass("Place", kind: .embedded, primaryKey: nil, properties: []))
    let comparison = SchemaComparison(from: old, to: SyncSchema(classes: classes))
    #expect(comparison.breaks.isEmpty)
    #expect(comparison.additions == ["class 'Place'", "property 'Task.note' is queryable", "property 'Task.rank'"])
    #expect(
      SchemaComparison(from: old, to: old)
        == SchemaComparison(from: SyncSchema(classes: []), to: SyncSchema(classes: [])))
  }

  @Test(
    "what devices would not survive is named with what to do, all of it",
    arguments: [
      (SchemaProperty("note", .int), "changes from \"string\" to \"int\""),
      (SchemaProperty("note", .string, isOptional: true), #"to { "type": "string", "optional": true }"#),
      (SchemaProperty("note", .string, collection: .list), #""collection": "list""#),
      (nil, "'Task.note' is removed"),
    ] as [(SchemaProperty?, String)])
  func breaks(_ property: SchemaProperty?, _ expected: String) {
    let comparison = SchemaComparison(
      from: schema([SchemaProperty("note", .string)]), to: schema(property.map { [$0] } ?? []))
    #expect(comparison.breaks.count == 1)
    #expect(comparison.breaks.first?.contains(expected) ?? false)
  }

  @Test("a class that is removed, another primary key, and less that is queryable are breaks")
  func more() {
    let old = schema([SchemaProperty("note", .string, isQueryable: true)])
    let comparison = SchemaComparison(from: old, to: schema([SchemaProperty("note", .string)], key: "key"))
    #expect(
      comparison.breaks.map { $0.prefix { $0 != ";" } } == [
        "class 'Task' gets another primary key",
        "property 'Task.note' is queryable no more, and subscriptions and roles may ask for it",
      ])
    #expect(
      SchemaComparison(from: old, to: SyncSchema(classes: [])).breaks == [
        "class 'Task' is removed; leave it in the schema"
      ])
  }

  @Test("a link is the same whether or not it is declared optional")
  func links() {
    func linked(_ isOptional: Bool) -> SyncSchema {
      schema([SchemaProperty("parent", .link, isOptional: isOptional, target: "Task")])
    }
    #expect(SchemaComparison(from: linked(false), to: linked(true)).breaks.isEmpty)
    #expect(throws: Never.self) { _ = try linked(false).adding(linked(true), keepsOptions: true) }
  }

  @Test("a schema takes what a device has more, and keeps what the device lacks")
  func adding() throws {
    let mine = schema([SchemaProperty("note", .string, isQueryable: true)])
    let theirs = schema([SchemaProperty("rank", .int)])
    let both = try mine.adding(theirs, keepsOptions: true)
    #expect(both.classes[0].properties.map(\.name) == ["id", "key", "note", "rank"])
    #expect(both.classes[0].properties[2].isQueryable)
    #expect(try both.adding(theirs, keepsOptions: true) == both)
    #expect(throws: SchemaConflict.self) { _ = try mine.adding(schema([SchemaProperty("note", .int)])) }
    #expect(throws: SchemaConflict.self) { _ = try mine.adding(schema([], key: "key")) }
  }
}
