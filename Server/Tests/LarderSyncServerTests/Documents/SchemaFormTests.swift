import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite struct SchemaFormTests {
  private func error(_ text: String) -> String {
    let error = #expect(throws: DocumentError.self) { _ = try SchemaDocument.schema(Array(text.utf8)) }
    return error?.description ?? ""
  }

  @Test("the text of a schema is read as the same schema, with properties of every type and collection")
  func roundTrip() throws {
    var properties = [SchemaProperty("id", .uuid)]
    for type in SchemaType.allCases where type != .link && type != .embedded {
      for collection in SchemaCollection.allCases {
        properties.append(
          SchemaProperty(SyncText("p\(type)\(collection)"), type, collection: collection, isOptional: true))
      }
    }
    properties += [
      SchemaProperty("friend", .link, target: "Person"), SchemaProperty("home", .embedded, target: "Address"),
      SchemaProperty("count", .int, merge: .counter), SchemaProperty("say \"hi\"", .string, isQueryable: true),
    ]
    let schema = SyncSchema(classes: [
      SchemaClass("Person", primaryKey: "id", properties: properties),
      SchemaClass("Address", kind: .embedded, primaryKey: nil, properties: [SchemaProperty("street", .string)]),
      SchemaClass("Reading", kind: .asymmetric, primaryKey: "id", properties: [SchemaProperty("id", .objectID)]),
    ])
    #expect(try SchemaDocument.schema(Array(SchemaDocument.text(schema).utf8)) == schema)
  }

  @Test("a list of a class makes properties queryable")
  func queryable() throws {
    let schema = try SchemaDocument.schema(
      Array(
        #"{"T": {"primaryKey": "id", "properties": {"id": "int", "a": "string", "b": "int"}, "queryable": ["a"]}}"#.utf8
      ))
    #expect(schema.classes[0].properties.map(\.isQueryable) == [true, false, false])
    #expect(schema.classes[0].properties.map(\.name) == ["a", "b", "id"])
  }

  @Test(
    "errors name the class, the property and what is expected",
    arguments: [
      ("[]", "has to be an object"),
      (#"{"T": {"properties": {}}}"#, "'T' needs a primary key"),
      (#"{"T": {"primaryKey": "id", "properties": {"id": "double"}}}"#, "an int, a string, an objectId or a uuid"),
      (
        #"{"T": {"primaryKey": "id", "properties": {"id": "int", "a": "text"}}}"#,
        "'T.properties.a' is 'text'; it has to be one of bool"
      ),
      (
        #"{"T": {"primaryKey": "id", "colour": 1, "properties": {"id": "int"}}}"#,
        "'T' has 'colour', which means nothing here"
      ),
      (
        #"{"T": {"primaryKey": "id", "properties": {"id": "int", "a": {"type": "link", "target": "U"}}}}"#,
        "'T.a' has the target 'U'"
      ),
      (
        #"{"T": {"primaryKey": "id", "properties": {"id": "int"}, "queryable": ["x"]}}"#,
        "'x'; the class has no such property"
      ),
      (
        #"{"T": {"primaryKey": "id", "properties": {"id": "int", "m": {"type": "int", "collection": "map", "queryable": true}}}}"#,
        "cannot be queryable"
      ),
      (
        #"{"T": {"kind": "embedded", "properties": {"a": {"type": "int", "queryable": true}}}}"#,
        "'T.a' cannot be queryable"
      ),
      (
        #"{"T": {"kind": "embedded", "primaryKey": "a", "properties": {"a": "int"}}}"#,
        "embedded objects have no primary key"
      ),
      (
        #"{"T": {"primaryKey": "id", "properties": {"id": "int", "n": {"type": "string", "counter": true}}}}"#,
        "cannot be a counter"
      ),
      (#"{"T": {"primaryKey": "id", "properties": {"id": "int", "id": "string"}}}"#, "the key 'id' twice"),
      ("{\n\"T\": }", "is no JSON"),
    ])
  func errors(_ text: String, _ expected: String) {
    #expect(error(text).contains(expected))
  }
}
