import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import LarderExchange
@testable import LarderInspection

/// One case of `Fixtures/migrations`: a store, the schema file it is brought to, and what must be there then.
struct MigrationFixture: CustomTestStringConvertible, Sendable {
  let title: String
  let before: SchemaFile
  let data: InputNode?
  let schema: SchemaFile
  let expect: InputNode?
  let error: String?
  let steps: [String]?
  let losses: [String]?
  let gone: [String]
  let counts: [(String, Int)]

  var testDescription: String { title }

  static let all: [MigrationFixture] = {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: "\(fixtures)/migrations").sorted().flatMap { name in
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: "\(fixtures)/migrations/\(name)")))
        return try elements(fields(JSONParser.parse(bytes))["cases"]).map { try MigrationFixture($0) }
      }
    } catch {
      fatalError("Fixtures/migrations: \(error)")
    }
  }()

  private init(_ node: InputNode) throws {
    let fields = Self.fields(node)
    title = Self.text(fields["title"]) ?? ""
    before = try fields["before"].map { try SchemaFileParser().file($0) } ?? SchemaFile()
    data = fields["data"]
    schema = try fields["schema"].map { try SchemaFileParser().file($0) } ?? SchemaFile()
    expect = fields["expect"]
    error = Self.text(fields["error"])
    steps = fields["steps"].map { Self.elements($0).compactMap(Self.text) }
    losses = fields["losses"].map { Self.elements($0).compactMap(Self.text) }
    gone = Self.elements(fields["gone"]).compactMap(Self.text)
    counts =
      fields["counts"].map { node in
        Self.fields(node).map { ($0.key, Self.number($0.value)) }.sorted { $0.0 < $1.0 }
      } ?? []
  }

  // MARK: - JSON

  static func fields(_ node: InputNode) -> [String: InputNode] {
    guard case .object(let fields) = node.value else { return [:] }
    return Dictionary(fields.map { ($0.name, $0.node) }, uniquingKeysWith: { $1 })
  }
  static func elements(_ node: InputNode?) -> [InputNode] {
    guard case .array(let elements)? = node?.value else { return [] }
    return elements
  }
  static func text(_ node: InputNode?) -> String? {
    guard case .string(let text)? = node?.value else { return nil }
    return text
  }
  static func number(_ node: InputNode?) -> Int {
    guard case .integer(let number)? = node?.value else { return -1 }
    return Int(number)
  }

  // MARK: - Filling

  /// Makes the store; classes are filled in an order in which links find their objects, by their place in the class.
  func fill(_ store: TemporaryStore) throws {
    try store.write { writer in
      try writer.apply(before.classes, schemaVersion: before.schemaVersion ?? 1)
      guard let data else { return }
      var keys: [String: [ObjectKey]] = [:]
      let rows = Self.fields(data)
      // Rows first, then what they hold, so that links may lead anywhere.
      for (name, list) in rows.sorted(by: { $0.key < $1.key }) {
        let entry = try #require(writer.schema[name])
        for row in Self.elements(list) {
          let primary = try entry.primaryKey.map { try value(Self.fields(row)[$0.name], $0) }
          keys[name, default: []].append(
            try primary.map { try writer.create(entry.id, primaryKey: $0) } ?? writer.create(entry.id))
        }
      }
      for (name, list) in rows {
        let entry = try #require(writer.schema[name])
        for (row, key) in zip(Self.elements(list), keys[name] ?? []) {
          try fill(entry, key, Self.fields(row), writer, keys)
        }
      }
    }
  }

  private func fill(
    _ entry: ClassDescriptor, _ key: ObjectKey, _ row: [String: InputNode], _ writer: StoreWriter,
    _ keys: [String: [ObjectKey]]
  ) throws {
    for column in entry.columns where !column.isPrimaryKey {
      guard let node = row[column.name] else { continue }
      let target = column.target.flatMap { writer.schema[$0] }
      func stored(_ node: InputNode) throws -> StoredValue {
        if case .null = node.value { return .null }
        let fields = Self.fields(node)
        if let link = fields["$link"], let target { return .link(try #require(keys[target.name])[Self.number(link)]) }
        if let object = fields["$object"] {
          let (name, place) = (Self.text(Self.elements(object)[0]) ?? "", Self.number(Self.elements(object)[1]))
          let owner = try #require(writer.schema[name])
          return .object(ObjectLink(classID: owner.id, key: try #require(keys[name])[place]))
        }
        return try value(node, column)
      }
      func embed(_ node: InputNode, _ made: ObjectKey) throws {
        try fill(try #require(target), made, Self.fields(node), writer, keys)
      }
      let isEmbedded = target?.isEmbedded ?? false
      switch column.collection {
      case .none where isEmbedded:
        try embed(node, try writer.createEmbedded(in: entry.id, column.id, key))
      case .none: try writer.set(entry.id, column.id, key, try stored(node))
      case .list where isEmbedded:
        for (position, element) in Self.elements(node).enumerated() {
          try embed(element, try writer.insertEmbedded(in: entry.id, column.id, key, at: position))
        }
      case .list: try writer.lists.insert(entry.id, column.id, key, at: 0, try Self.elements(node).map(stored))
      case .set: try writer.sets.insert(entry.id, column.id, key, try Self.elements(node).map(stored))
      case .map:
        let entries = Self.fields(try #require(Self.fields(node)["$map"]))
        try writer.maps.put(entry.id, column.id, key, try entries.map { ($0.key, try stored($0.value)) })
      }
    }
  }

  private func value(_ node: InputNode?, _ column: ColumnDescriptor) throws -> StoredValue {
    let node = try #require(node)
    if column.type == .mixed {
      switch node.value {
      case .integer(let number): return .int(number)
      case .string(let text): return .string(text)
      default: return .null
      }
    }
    return try ValueConverter(nullMarkers: []).value(
      node, as: column.type, isOptional: column.isOptional, property: column.name)
  }

  // MARK: - Looking

  /// A class's objects in the form of the fixture, in order of their keys.
  static func dump(_ name: String, _ snapshot: Snapshot) throws -> [String] {
    let entry = try #require(snapshot.schema[name])
    return try keys(entry, snapshot).map { try dump(entry, $0, snapshot) }
  }

  private static func keys(_ entry: ClassDescriptor, _ snapshot: Snapshot) throws -> [ObjectKey] {
    var keys: [ObjectKey] = []
    try snapshot.forEachKey(of: entry.id) { key in
      keys.append(key)
      return true
    }
    return keys
  }

  private static func dump(_ entry: ClassDescriptor, _ key: ObjectKey, _ snapshot: Snapshot) throws -> String {
    let parts = try entry.columns.sorted { $0.name < $1.name }.map { column in
      let target = column.target.flatMap { snapshot.schema[$0] }
      func text(_ value: StoredValue) throws -> String {
        switch value {
        case .link(let linked):
          let target = try #require(target)
          if target.isEmbedded { return try dump(target, linked, snapshot) }
          return "{\"$link\":\(try keys(target, snapshot).firstIndex(of: linked) ?? -1)}"
        case .object(let link):
          let owner = try #require(snapshot.schema[link.classID])
          return "{\"$object\":[\"\(owner.name)\",\(try keys(owner, snapshot).firstIndex(of: link.key) ?? -1)]}"
        default: return JSONText.value(value)
        }
      }
      let shown: String
      switch column.collection {
      case .none: shown = try text(snapshot.value(entry.id, column.id, key))
      case .list, .set:
        let elements = try snapshot.list(entry.id, column.id, key).values().map(text)
        shown = "[\(elements.joined(separator: ","))]"
      case .map:
        let map = try snapshot.map(entry.id, column.id, key)
        let pairs = try (0..<map.count).map { "\"\(try map.key(at: $0))\":\(try text(map.value(at: $0)))" }
        shown = "{\"$map\":{\(pairs.joined(separator: ","))}}"
      }
      return "\"\(column.name)\":\(shown)"
    }
    return "{\(parts.joined(separator: ","))}"
  }

  /// A value of the fixture as `dump` writes it.
  static func canonical(_ node: InputNode) -> String {
    switch node.value {
    case .null: return "null"
    case .bool(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .number(let value, _): return "\(value)"
    case .string(let text), .text(let text): return JSONText.quote(text)
    case .array(let elements): return "[\(elements.map(canonical).joined(separator: ","))]"
    case .object(let fields):
      let parts = fields.sorted { $0.name < $1.name }.map { "\"\($0.name)\":\(canonical($0.node))" }
      return "{\(parts.joined(separator: ","))}"
    }
  }
}
