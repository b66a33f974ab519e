import Foundation
import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite("Schemas as operators write them")
struct SchemaDocumentTests {
  private func schema(_ text: String) throws -> SyncSchema { try SchemaDocument.schema(Array(text.utf8)) }

  private func failure(_ text: String) -> String {
    #expect(throws: DocumentError.self) { _ = try schema(text) }?.description ?? ""
  }

  @Test("A schema is read, and what is written of it is read as the same")
  func roundTrip() throws {
    let text = """
      { "Person": { "primaryKey": "id", "properties": {
          "id": "uuid", "name": { "type": "string", "optional": true, "queryable": true },
          "pets": { "type": "link", "target": "Pet", "collection": "list" }, "home": { "type": "embedded", "target": "Address" },
          "visits": { "type": "int", "counter": true } } },
        "Pet": { "primaryKey": "name", "properties": { "name": "string", "tags": { "type": "string", "collection": "set" } } },
        "Reading": { "kind": "asymmetric", "primaryKey": "id", "properties": { "id": "objectId", "value": "decimal128" } },
        "Address": { "kind": "embedded", "properties": { "street": "string" } } }
      """
    let read = try schema(text)
    #expect(read.classes.map(\.name) == ["Address", "Person", "Pet", "Reading"])
    let person = read.classes[1]
    #expect(person.properties.first { $0.name == "visits" }?.merge == .counter)
    #expect(try schema(SchemaDocument.text(read)) == read)
  }

  @Test(
    "What is wrong is said with its place",
    arguments: [
      ("{", "the schema is no JSON"),
      ("[]", "The document has to be an object."),
      (#"{ "A": { "primaryKey": "id" } }"#, "'A' has no properties."),
      (#"{ "A": { "primaryKey": "x", "properties": { "id": "int" } } }"#, "'A' needs a primary key"),
      (#"{ "A": { "primaryKey": "id", "properties": { "id": "double" } } }"#, "'A' needs a primary key"),
      (#"{ "A": { "primaryKey": "id", "properties": { "id": "integer" } } }"#, "'A.properties.id' is 'integer'"),
      (#"{ "A": { "primaryKey": "id", "properties": { "id": { "type": "int", "index": true } } } }"#, "has 'index'"),
      (
        #"{ "A": { "primaryKey": "id", "properties": { "id": "int", "b": { "type": "link", "target": "B" } } } }"#,
        "no class of that kind"
      ),
      (#"{ "A": { "primaryKey": "id", "properties": { "id": "int", "b": "link" } } }"#, "needs a target"),
      (
        #"{ "A": { "primaryKey": "id", "properties": { "id": "int", "b": { "type": "string", "counter": true } } } }"#,
        "cannot be a counter"
      ),
    ])
  func failures(_ text: String, _ part: String) {
    #expect(failure(text).contains(part), "\(failure(text))")
  }

  @Test("Classes and properties may be added; others may neither change nor be left out of what counts")
  func additions() throws {
    let before = try schema(#"{ "A": { "primaryKey": "id", "properties": { "id": "int", "n": "string" } } }"#)
    let more = try schema(
      #"{ "A": { "primaryKey": "id", "properties": { "id": "int", "m": "int" } }, "B": { "primaryKey": "id", "properties": { "id": "int" } } }"#
    )
    let after = try before.adding(more)
    #expect(after.classes.map(\.name) == ["A", "B"])
    #expect(after.classes[0].properties.map(\.name) == ["id", "m", "n"])
    let changed = try schema(#"{ "A": { "primaryKey": "id", "properties": { "id": "int", "n": "int" } } }"#)
    #expect(throws: SchemaConflict.self) { try before.adding(changed) }
    let otherKey = try schema(#"{ "A": { "primaryKey": "n", "properties": { "id": "int", "n": "string" } } }"#)
    #expect(throws: SchemaConflict.self) { try before.adding(otherKey) }
  }

  @Test("Options follow the newer schema when an operator gives it, and stay when a device brings it")
  func options() throws {
    let before = try schema(
      #"{ "A": { "primaryKey": "id", "properties": { "id": "int", "n": { "type": "string", "queryable": true } } } }"#)
    let plain = try schema(#"{ "A": { "primaryKey": "id", "properties": { "id": "int", "n": "string" } } }"#)
    #expect(try before.adding(plain) == plain)
    #expect(try before.adding(plain, keepsOptions: true) == before)
  }
}
