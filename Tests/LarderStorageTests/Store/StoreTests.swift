import Foundation
import TestSupport
import Testing

@testable import LarderStorage

/// A store with a few classes that the suites of this folder share.
struct StoreFixture {
  let directory: TemporaryDirectory
  let store: Store

  static let declarations = [
    ClassDeclaration(
      name: "City",
      columns: [
        ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
        ColumnDeclaration(name: "name", type: .string, isIndexed: true),
        ColumnDeclaration(name: "population", type: .int, isOptional: true, isIndexed: true),
        ColumnDeclaration(name: "names", type: .string, collection: .list),
        ColumnDeclaration(name: "country", type: .link, target: "Country"),
        ColumnDeclaration(name: "location", type: .link, target: "Location"),
        ColumnDeclaration(name: "area", type: .double),
      ]),
    ClassDeclaration(
      name: "Country",
      columns: [
        ColumnDeclaration(name: "code", type: .string, isPrimaryKey: true),
        ColumnDeclaration(name: "neighbours", type: .link, collection: .list, target: "Country"),
        ColumnDeclaration(name: "places", type: .link, collection: .list, target: "Location"),
      ]),
    ClassDeclaration(
      name: "Location", isEmbedded: true,
      columns: [
        ColumnDeclaration(name: "latitude", type: .double), ColumnDeclaration(name: "longitude", type: .double),
      ]),
  ]

  init(clusterSize: Int = 8) throws {
    directory = try TemporaryDirectory()
    var options = StoreOptions()
    options.clusterSize = clusterSize
    options.durability = .none
    store = try Store.open(path: directory.file("test.larder"), options: options)
    let writer = try store.beginWrite()
    try writer.apply(Self.declarations, schemaVersion: 1)
    try writer.commit()
  }

  func ids(_ reader: any StoreReader, _ name: String, _ column: String) throws -> (ClassID, ColumnID) {
    let entry = try #require(reader.schema[name])
    return (entry.id, try #require(entry.column(named: column)).id)
  }

  func write<R>(_ body: (StoreWriter) throws -> R) throws -> R {
    let writer = try store.beginWrite()
    do {
      let result = try body(writer)
      try writer.commit()
      return result
    } catch {
      writer.cancel()
      throw error
    }
  }
}

@Suite struct StoreTests {
  @Test func objectsComeBackAsTheyWereWritten() throws {
    let fixture = try StoreFixture()
    let schema = try fixture.store.snapshot().schema
    let city = try #require(schema["City"])
    let column = { (name: String) in city.column(named: name)!.id }
    let keys = try fixture.write { writer in
      try (0..<100).map { number in
        let key = try writer.create(city.id, primaryKey: .int(Int64(number * 3)))
        try writer.set(city.id, column("name"), key, .string("City \(number)"))
        try writer.setDouble(city.id, column("area"), key, Double(number) / 2)
        if number % 2 == 0 { try writer.set(city.id, column("population"), key, .int(Int64(number))) }
        try writer.lists.insert(city.id, column("names"), key, at: 0, [.string("a\(number)"), .string("Ω")])
        #expect(try writer.value(city.id, column("name"), key) == .string("City \(number)"))
        return key
      }
    }
    let snapshot = try fixture.store.snapshot()
    #expect(try snapshot.count(of: city.id) == 100)
    for (number, key) in keys.enumerated() {
      #expect(try snapshot.value(city.id, column("id"), key) == .int(Int64(number * 3)))
      #expect(try snapshot.value(city.id, column("name"), key) == .string("City \(number)"))
      #expect(try snapshot.value(city.id, column("area"), key) == .double(Double(number) / 2))
      #expect(
        try snapshot.value(city.id, column("population"), key) == (number % 2 == 0 ? .int(Int64(number)) : .null))
      let list = try snapshot.list(city.id, column("names"), key)
      #expect(list.count == 2)
      #expect(try list.value(at: 1) == .string("Ω"))
      #expect(try snapshot.object(city.id, primaryKey: .int(Int64(number * 3))) == key)
    }
    #expect(try snapshot.object(city.id, primaryKey: .int(1)) == nil)
    let index = try #require(try snapshot.index(city.id, column("population")))
    #expect(try index.count(equalTo: .null) == 50)
    #expect(try index.keys(equalTo: .int(10)) == [keys[10]])
    #expect(try index.count(from: .inclusive(.int(10)), to: .exclusive(.int(20))) == 5)
  }

  @Test func deletingNullsLinksAndCascades() throws {
    let fixture = try StoreFixture()
    let schema = try fixture.store.snapshot().schema
    let (city, country, location) = (schema["City"]!, schema["Country"]!, schema["Location"]!)
    let link = city.column(named: "country")!.id
    let place = city.column(named: "location")!.id
    let neighbours = country.column(named: "neighbours")!.id
    let (a, b, town) = try fixture.write { writer in
      let a = try writer.create(country.id, primaryKey: .string("AA"))
      let b = try writer.create(country.id, primaryKey: .string("BB"))
      try writer.lists.insert(country.id, neighbours, a, at: 0, [.link(b), .link(a), .link(b)])
      let town = try writer.create(city.id, primaryKey: .int(1))
      try writer.set(city.id, link, town, .link(b))
      let made = try writer.createEmbedded(in: city.id, place, town)
      try writer.setDouble(location.id, location.column(named: "latitude")!.id, made, 48)
      return (a, b, town)
    }
    var snapshot = try fixture.store.snapshot()
    #expect(
      try snapshot.backlinks(to: ObjectLink(classID: country.id, key: b), from: country.id, neighbours) == [a, a])
    #expect(try snapshot.backlinks(to: ObjectLink(classID: country.id, key: b), from: city.id, link) == [town])
    #expect(try snapshot.count(of: location.id) == 1)
    try fixture.write { try $0.delete(country.id, b) }
    snapshot = try fixture.store.snapshot()
    #expect(try snapshot.value(city.id, link, town) == .null)
    #expect(try snapshot.list(country.id, neighbours, a).count == 1)
    #expect(try snapshot.backlinks(to: ObjectLink(classID: country.id, key: b), from: city.id, link) == [])
    #expect(try snapshot.object(country.id, primaryKey: .string("BB")) == nil)
    try fixture.write { try $0.delete(city.id, town) }
    snapshot = try fixture.store.snapshot()
    #expect(try snapshot.count(of: location.id) == 0)
    #expect(try snapshot.count(of: city.id) == 0)
  }

  @Test func aDuplicatePrimaryKeyIsRefused() throws {
    let fixture = try StoreFixture()
    let city = try fixture.store.snapshot().schema["City"]!
    try fixture.write { _ = try $0.create(city.id, primaryKey: .int(5)) }
    #expect(throws: StorageError.self) {
      try fixture.write { _ = try $0.create(city.id, primaryKey: .int(5)) }
    }
    try fixture.write { writer in
      _ = try writer.create(city.id, primaryKey: .int(4))
      #expect(throws: StorageError.self) { try writer.create(city.id, primaryKey: .int(4)) }
      try writer.delete(city.id, try #require(try writer.object(city.id, primaryKey: .int(5))))
      _ = try writer.create(city.id, primaryKey: .int(5))
    }
    #expect(try fixture.store.snapshot().count(of: city.id) == 2)
  }

  @Test func cancellingLeavesTheStoreAsItWas() throws {
    let fixture = try StoreFixture()
    let city = try fixture.store.snapshot().schema["City"]!
    let before = try fixture.store.newestVersion
    let writer = try fixture.store.beginWrite()
    _ = try writer.create(city.id, primaryKey: .int(5))
    writer.cancel()
    #expect(try fixture.store.newestVersion == before)
    #expect(try fixture.store.snapshot().count(of: city.id) == 0)
  }

  @Test("L-16: the log says which objects came from create-or-update")
  func intentsAreLogged() throws {
    let fixture = try StoreFixture()
    let (city, _) = try fixture.ids(fixture.store.snapshot(), "City", "id")
    let keys = try fixture.write { writer in
      [
        try writer.create(city, primaryKey: .int(1)),
        try writer.create(city, primaryKey: .int(2), intent: .createOrUpdateAll),
        try writer.create(city, primaryKey: .int(3), intent: .createOrUpdateModified),
        try writer.create(city, primaryKey: .int(4), intent: .create),
      ]
    }
    let snapshot = try fixture.store.snapshot()
    let record = try #require(try fixture.store.log.record(snapshot.version, in: snapshot.transaction))
    #expect(
      record[city]?.intents == [
        CreateIntentKeys(intent: .createOrUpdateAll, keys: KeyRanges([keys[1]])),
        CreateIntentKeys(intent: .createOrUpdateModified, keys: KeyRanges([keys[2]])),
      ])
    #expect(record[city]?.inserted == KeyRanges(keys))
  }
}
