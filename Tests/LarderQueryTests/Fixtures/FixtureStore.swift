import LarderStorage
import TestSupport
import Testing

@testable import LarderQuery

/// The store of a fixture.
struct FixtureStore {
  let directory: TemporaryDirectory
  let store: Store
  var values = FixtureValues()

  init(_ fixture: QueryFixture, clusterSize: Int) throws {
    directory = try TemporaryDirectory()
    var options = StoreOptions()
    options.clusterSize = clusterSize
    options.durability = .none
    store = try Store.open(path: directory.file("fixture.larder"), options: options)
    let writer = try store.beginWrite()
    try writer.apply(fixture.classes.map { Self.declaration($0, fixture) }, schemaVersion: 1)
    for entry in writer.schema.classes { values.classIDs[entry.name] = entry.id }
    try create(fixture, writer)
    for (name, rows) in fixture.data { for row in rows { try fill(fixture, name, row, writer) } }
    try writer.commit()
  }

  private static func declaration(_ entry: QueryFixture.Class, _ fixture: QueryFixture) -> ClassDeclaration {
    ClassDeclaration(
      name: entry.name, isEmbedded: entry.embedded ?? false,
      columns: fixture.properties(of: entry.name).filter { $0.kind != .inverse }.map { property in
        let type = ColumnType.allCases.first { "\($0)" == property.type }
        let kinds: [QueryFixture.Property.Kind: CollectionKind] = [.list: .list, .set: .set, .map: .map]
        return ColumnDeclaration(
          name: property.name, type: type ?? .link, collection: kinds[property.kind] ?? .none,
          isOptional: (property.isOptional && type != nil) || type == .mixed, target: type == nil ? property.type : nil,
          isPrimaryKey: property.isPrimary, isIndexed: property.isIndexed)
      }, indexes: (entry.indexes ?? []).map { IndexDeclaration($0.split(separator: ",").map(String.init)) })
  }

  private func label(_ row: [String: JSONValue]) throws -> String {
    guard case .string(let label)? = row["_"] else { throw FixtureValues.Problem(description: "a row without label") }
    return label
  }

  private mutating func create(_ fixture: QueryFixture, _ writer: StoreWriter) throws {
    for entry in fixture.classes where entry.embedded != true {
      let id = try #require(values.classIDs[entry.name])
      for row in fixture.data[entry.name] ?? [] {
        let primary = fixture.properties(of: entry.name).first { $0.isPrimary }
        let key =
          try primary.map {
            try writer.create(id, primaryKey: try values.stored(row[$0.name] ?? .null, $0.type))
          } ?? writer.create(id)
        values.keys[entry.name, default: [:]][try label(row)] = key
      }
    }
  }

  private func fill(
    _ fixture: QueryFixture, _ name: String, _ row: [String: JSONValue], _ writer: StoreWriter
  ) throws {
    let entry = try #require(writer.schema[name])
    let key = try #require(values.keys[name]?[try label(row)])
    for property in fixture.properties(of: name) where !property.isPrimary && property.kind != .inverse {
      guard let json = row[property.name] else { continue }
      let column = try #require(entry.column(named: property.name))
      try write(fixture, entry.id, column, key, json, property.type, writer)
    }
  }

  private func write(
    _ fixture: QueryFixture, _ classID: ClassID, _ column: ColumnDescriptor, _ key: ObjectKey, _ json: JSONValue,
    _ type: String, _ writer: StoreWriter
  ) throws {
    if column.type == .mixed, column.collection == .none {
      try writer.set(classID, column.id, key, try values.stored(json, type))
    } else if case .array(let members) = json, column.collection == .set {
      _ = try writer.sets.insert(classID, column.id, key, try members.map { try values.stored($0, type) })
    } else if case .object(let entries) = json, column.collection == .map {
      try writer.maps.put(classID, column.id, key, try entries.map { ($0, try values.stored($1, type)) })
    } else if case .array(let members) = json {
      try writer.lists.insert(classID, column.id, key, at: 0, try members.map { try values.stored($0, type) })
    } else if case .object(let content) = json,
      fixture.classes.contains(where: { $0.name == type && $0.embedded == true })
    {
      let child = try writer.createEmbedded(in: classID, column.id, key)
      let entry = try #require(writer.schema[type])
      for property in fixture.properties(of: type) {
        guard let value = content[property.name], let inner = entry.column(named: property.name) else { continue }
        try write(fixture, entry.id, inner, child, value, property.type, writer)
      }
    } else {
      try writer.set(classID, column.id, key, try values.stored(json, type))
    }
  }
}
