import Foundation
import LarderSyncProtocol

/// A schema as operators write it, in JSON:
///
///     { "City": { "primaryKey": "_id",
///                 "properties": { "_id": "int", "name": { "type": "string", "queryable": true },
///                                 "names": { "type": "string", "collection": "list" } } } }
///
/// A property of a type alone has no options. Options are `type`, `collection` (list, set, map), `optional`, `target` (of links and embedded
/// objects), `counter` and `queryable`. A class may have a `kind`: object, embedded or asymmetric. It may have the names of its queryable
/// properties as a list `queryable` as well.
public enum SchemaDocument {
  private static let types: [String: SchemaType] = [
    "bool": .bool, "int": .int, "float": .float, "double": .double, "decimal128": .decimal, "string": .string,
    "data": .data, "date": .date, "objectId": .objectID, "uuid": .uuid, "link": .link, "embedded": .embedded,
    "mixed": .mixed,
  ]
  private static let collections: [String: SchemaCollection] = [
    "none": .none, "list": .list, "set": .set, "map": .map,
  ]
  private static let kinds: [String: SchemaClassKind] = [
    "object": .object, "embedded": .embedded, "asymmetric": .asymmetric,
  ]

  /// Reads a schema.
  ///
  /// - Throws: `DocumentError`, which names the class and the property.
  public static func schema(_ text: [UInt8]) throws(DocumentError) -> SyncSchema {
    let document = try JSONDocument(text, named: "the schema")
    var classes: [SchemaClass] = []
    for (name, content) in try document.members().sorted(by: { $0.key < $1.key }) {
      classes.append(try schemaClass(name, content))
    }
    let schema = SyncSchema(classes: classes)
    try checkTargets(schema)
    do throws(TooLongName) { try schema.checkNames() } catch { throw DocumentError("\(error)") }
    return schema
  }

  private static func schemaClass(_ name: String, _ content: JSONDocument) throws(DocumentError) -> SchemaClass {
    let members = try content.members(["kind", "primaryKey", "properties", "queryable"])
    let kind = try members["kind"].map { value throws(DocumentError) in try one(of: kinds, value) } ?? .object
    guard let list = members["properties"] else { throw DocumentError("'\(name)' has no properties.") }
    var properties: [SchemaProperty] = []
    for (property, content) in try list.members().sorted(by: { $0.key < $1.key }) {
      properties.append(try schemaProperty(property, content))
    }
    if let queryable = members["queryable"] { try makeQueryable(&properties, queryable) }
    if kind != .object, let property = properties.first(where: \.isQueryable) {
      throw DocumentError(
        "'\(name).\(property.name)' cannot be queryable: only objects of kind object are subscribed to.")
    }
    guard kind != .embedded else {
      guard members["primaryKey"] == nil else {
        throw DocumentError("'\(name)' is embedded; embedded objects have no primary key.")
      }
      return SchemaClass(SyncText(name), kind: kind, primaryKey: nil, properties: properties)
    }
    guard let key = try members["primaryKey"]?.text(),
      let property = properties.first(where: { $0.name == SyncText(key) }),
      property.collection == .none, property.merge == .newest,
      [.int, .string, .objectID, .uuid].contains(property.type)
    else {
      throw DocumentError(
        "'\(name)' needs a primary key, which is one of its properties: an int, a string, an objectId or a uuid.")
    }
    return SchemaClass(SyncText(name), kind: kind, primaryKey: SyncText(key), properties: properties)
  }

  /// Marks the properties of a list of names.
  private static func makeQueryable(
    _ properties: inout [SchemaProperty], _ names: JSONDocument
  ) throws(DocumentError) {
    for name in try names.values() {
      let text = SyncText(try name.text())
      guard let index = properties.firstIndex(where: { $0.name == text }) else {
        throw DocumentError("\(name.place) is '\(text)'; the class has no such property.")
      }
      let property = properties[index].queryable()
      guard property.isQueryable else {
        throw DocumentError("\(name.place) is '\(text)'; queries of subscriptions ask for plain values only.")
      }
      properties[index] = property
    }
  }

  private static func schemaProperty(_ name: String, _ content: JSONDocument) throws(DocumentError) -> SchemaProperty {
    var members: [String: JSONDocument] = ["type": content]
    if case .object = content.content {
      members = try content.members(["type", "collection", "optional", "target", "counter", "queryable"])
    }
    guard let typeName = members["type"] else { throw DocumentError("\(content.place) has no type.") }
    let type = try one(of: types, typeName)
    let target = try members["target"]?.text()
    guard (target != nil) == (type == .link || type == .embedded) else {
      throw DocumentError("\(content.place) needs a target when its type is link or embedded, and only then.")
    }
    let isCounter = try members["counter"]?.flag() ?? false
    guard !isCounter || type == .int || type == .decimal else {
      throw DocumentError("\(content.place) cannot be a counter: it is neither an int nor a decimal128.")
    }
    let collection: SchemaCollection =
      try members["collection"].map { value throws(DocumentError) in try one(of: collections, value) } ?? .none
    guard !isCounter || collection == .none else { throw DocumentError("\(content.place): a collection cannot count.") }
    guard type != .embedded || collection != .set else {
      throw DocumentError("\(content.place): a set cannot have embedded objects; use a list.")
    }
    let isQueryable = try members["queryable"]?.flag() ?? false
    guard !isQueryable || SchemaProperty(SyncText(name), type, collection: collection).queryable().isQueryable else {
      throw DocumentError("\(content.place) cannot be queryable: queries of subscriptions ask for plain values only.")
    }
    return SchemaProperty(
      SyncText(name), type, collection: collection, isOptional: try members["optional"]?.flag() ?? false,
      target: target.map { SyncText($0) },
      merge: isCounter ? .counter : .newest, isQueryable: isQueryable)
  }

  private static func one<Value>(of values: [String: Value], _ content: JSONDocument) throws(DocumentError) -> Value {
    let name = try content.text()
    guard let value = values[name] else {
      throw DocumentError(
        "\(content.place) is '\(name)'; it has to be one of \(values.keys.sorted().joined(separator: ", ")).")
    }
    return value
  }

  private static func checkTargets(_ schema: SyncSchema) throws(DocumentError) {
    for schemaClass in schema.classes {
      for property in schemaClass.properties {
        guard let target = property.target else { continue }
        let found = schema.classes.first { $0.name == target }
        guard let found, (found.kind == .embedded) == (property.type == .embedded) else {
          throw DocumentError(
            "'\(schemaClass.name).\(property.name)' has the target '\(target)', which is no class of that kind.")
        }
      }
    }
  }

  /// A schema as `schema` reads it, with names in order.
  public static func text(_ schema: SyncSchema) -> String {
    let classes = schema.classes.map { schemaClass in
      var lines: [String] = []
      if schemaClass.kind != .object { lines.append("\"kind\": \(name(schemaClass.kind, in: kinds))") }
      if let key = schemaClass.primaryKey { lines.append("\"primaryKey\": \(JSONText.quoted(key.string))") }
      let properties = schemaClass.properties.map { "      \(JSONText.quoted($0.name.string)): \(text($0))" }
      lines.append("\"properties\": {\n\(properties.joined(separator: ",\n"))\n    }")
      return "  \(JSONText.quoted(schemaClass.name.string)): {\n    \(lines.joined(separator: ",\n    "))\n  }"
    }
    return "{\n\(classes.joined(separator: ",\n"))\n}\n"
  }

  /// A property as it is written.
  static func text(_ property: SchemaProperty) -> String {
    var options = ["\"type\": \(name(property.type, in: types))"]
    if property.collection != .none { options.append("\"collection\": \(name(property.collection, in: collections))") }
    if property.isOptional { options.append("\"optional\": true") }
    if let target = property.target { options.append("\"target\": \(JSONText.quoted(target.string))") }
    if property.merge == .counter { options.append("\"counter\": true") }
    if property.isQueryable { options.append("\"queryable\": true") }
    return options.count == 1 ? name(property.type, in: types) : "{ \(options.joined(separator: ", ")) }"
  }

  private static func name<Value: Equatable>(_ value: Value, in names: [String: Value]) -> String {
    JSONText.quoted(names.first { $0.value == value }?.key ?? "")
  }
}
