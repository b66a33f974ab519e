import Foundation
import LarderStorage
import TestSupport
import Testing

/// A store of cities in several commits, the shape of the GeoNames store: classes come with their objects, texts fill leaves on pages of
/// their own, each city has an embedded location, a link and a list.
enum CutStore {
  static let cities = 3_000
  static let added = 400
  static let countries = 150

  private static let country = ClassDeclaration(
    name: "Country",
    columns: [
      ColumnDeclaration(name: "iso", type: .string, isPrimaryKey: true),
      ColumnDeclaration(name: "name", type: .string, isIndexed: true),
      ColumnDeclaration(name: "area", type: .double),
    ])
  private static let city = ClassDeclaration(
    name: "City",
    columns: [
      ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
      ColumnDeclaration(name: "name", type: .string, isIndexed: true),
      ColumnDeclaration(name: "population", type: .int, isIndexed: true),
      ColumnDeclaration(name: "zone", type: .string, isOptional: true),
      ColumnDeclaration(name: "location", type: .link, target: "Location"),
      ColumnDeclaration(name: "country", type: .link, target: "Country"),
      ColumnDeclaration(name: "names", type: .string, collection: .list),
    ])
  private static let location = ClassDeclaration(
    name: "Location", isEmbedded: true,
    columns: [ColumnDeclaration(name: "latitude", type: .double), ColumnDeclaration(name: "longitude", type: .double)])

  /// Makes it at a path, and gives back what it held after each commit: by class and primary key the properties as text.
  static func make(_ path: String, key: EncryptionKey? = nil) throws -> [[String: [String: String]]] {
    var options = StoreOptions()
    options.durability = .none
    options.mapSize = 1 << 32
    options.encryptionKey = key
    let store = try Store.open(path: path, options: options)
    var versions: [[String: [String: String]]] = []
    func write(_ body: (StoreWriter) throws -> Void) throws {
      let writer = try store.beginWrite()
      defer { writer.cancel() }
      try body(writer)
      try writer.commit()
      versions.append(try contents(store.snapshot()))
    }
    try write { writer in
      try writer.apply([country], schemaVersion: 1)
      for number in 0..<countries { try addCountry(writer, number) }
    }
    try write { writer in
      try writer.apply([country, city, location], schemaVersion: 2)
      for number in 0..<cities { try addCity(writer, number) }
    }
    try write { writer in
      let city = try #require(writer.schema["City"])
      for number in 0..<900 {
        try writer.set(city.id, try id(city, "population"), ObjectKey(rawValue: UInt64(number)), .int(Int64(number)))
      }
    }
    try write { writer in for number in cities..<cities + added { try addCity(writer, number) } }
    return versions
  }

  /// Returns the contents of a store: properties as text, by class and primary key; links as the primary key of their end.
  static func contents(_ snapshot: Snapshot) throws -> [String: [String: String]] {
    var result: [String: [String: String]] = [:]
    for entry in snapshot.schema.classes where !entry.isEmbedded {
      try snapshot.forEachKey(of: entry.id) { key in
        let primary = try entry.primaryKey.map { "\(try snapshot.value(entry.id, $0.id, key))" }
        result["\(entry.name) \(primary ?? "\(key.rawValue)")"] = try fields(entry, key, snapshot)
        return true
      }
    }
    return result
  }

  private static func fields(
    _ entry: ClassDescriptor, _ key: ObjectKey, _ snapshot: Snapshot
  ) throws -> [String: String] {
    var result: [String: String] = [:]
    for column in entry.columns {
      guard column.collection == .none else {
        result[column.name] = "\(try snapshot.list(entry.id, column.id, key).values())"
        continue
      }
      let value = try snapshot.value(entry.id, column.id, key)
      guard case .link(let end) = value, let target = column.target.flatMap({ snapshot.schema[$0] }) else {
        result[column.name] = "\(value)"
        continue
      }
      if let primary = target.primaryKey {
        result[column.name] = "-> \(try snapshot.value(target.id, primary.id, end))"
      } else {
        result[column.name] = "\(try fields(target, end, snapshot).sorted { $0.key < $1.key })"
      }
    }
    return result
  }

  private static func id(_ entry: ClassDescriptor, _ name: String) throws -> ColumnID {
    try #require(entry.column(named: name)).id
  }

  private static func addCountry(_ writer: StoreWriter, _ number: Int) throws {
    let country = try #require(writer.schema["Country"])
    let key = try writer.create(country.id, primaryKey: .string("C\(number)"))
    try writer.set(
      country.id, try id(country, "name"), key, .string("Country \(number) with a name that is longer than most"))
    try writer.set(country.id, try id(country, "area"), key, .double(Double(number) * 1.25))
  }

  private static func addCity(_ writer: StoreWriter, _ number: Int) throws {
    let (city, location) = (try #require(writer.schema["City"]), try #require(writer.schema["Location"]))
    let key = try writer.create(city.id, primaryKey: .int(Int64(number * 7 % 100_003)))
    func set(_ name: String, _ value: StoredValue) throws { try writer.set(city.id, try id(city, name), key, value) }
    try set("name", .string("City \(number), the \(number * 31 % 977)th"))
    try set("population", .int(Int64(number * 7_919 % 1_000_003)))
    if number % 3 != 0 { try set("zone", .string("Zone/\(number % 40)")) }
    try set("country", .link(ObjectKey(rawValue: UInt64(number * 13 % countries))))
    let place = try writer.createEmbedded(in: city.id, try id(city, "location"), key)
    try writer.set(location.id, try id(location, "latitude"), place, .double(Double(number) / 16))
    try writer.set(location.id, try id(location, "longitude"), place, .double(Double(number) / -32))
    try writer.lists.assign(
      city.id, try id(city, "names"), key, (0..<number % 5).map { .string("Name \($0) of \(number) in some language") })
  }
}

/// The pages that the newest version of a file uses, with their use, found without the code that is tested.
struct CutStorePages {
  /// A leaf of a cluster or a chunk of a list: the page that has its entry, and those of its value where it has some.
  struct Place {
    var entry: Int
    var run: Range<Int>?
  }

  static let size = 4_096
  /// By the first word of the key.
  private(set) var clusters: [UInt64: Place] = [:]
  /// By class, column and object.
  private(set) var lists: [[UInt64]: Place] = [:]
  private let bytes: [UInt8]

  init(_ content: Data) {
    bytes = Array(content)
    let meta = number(Self.size + 144, 8) > number(144, 8) ? Self.size : 0
    var tables: [String: Int] = [:]
    walk(number(meta + 88 + 40, 8)) { node, key, _ in
      tables[String(decoding: bytes[key], as: UTF8.self)] = number(node.upperBound + 40, 8)
    }
    var (clusters, lists) = (clusters, lists)
    walk(tables["clusters"] ?? -1) { node, key, page in clusters[word(key.lowerBound)] = place(node, page) }
    walk(tables["collections"] ?? -1) { node, key, page in
      lists[[word(key.lowerBound), word(key.lowerBound + 8)]] = place(node, page)
    }
    (self.clusters, self.lists) = (clusters, lists)
  }

  private func number(_ offset: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(truncatingIfNeeded: UInt64(bytes[offset + $1]) << UInt64($1 * 8)) }
  }

  private func word(_ offset: Int) -> UInt64 { (0..<8).reduce(0) { $0 << 8 | UInt64(bytes[offset + $1]) } }

  /// Calls `take` with each entry of a tree: its head with its key, the key, and its page.
  private func walk(_ page: Int, _ take: (_ node: Range<Int>, _ key: Range<Int>, _ page: Int) -> Void) {
    guard page > 1 else { return }
    let start = page * Self.size
    for index in 0..<(number(start + 12, 2) - 16) / 2 {
      let node = start + number(start + 16 + index * 2, 2)
      let key = node + 8..<node + 8 + number(node + 6, 2)
      if number(start + 10, 2) == 2 {
        take(node..<key.upperBound, key, page)
      } else {
        walk(number(node, 4) | number(node + 4, 2) << 32, take)
      }
    }
  }

  private func place(_ node: Range<Int>, _ page: Int) -> Place {
    guard number(node.lowerBound + 4, 2) & 1 == 1 else { return Place(entry: page) }
    let first = number(node.upperBound, 8)
    return Place(entry: page, run: first..<first + (number(node.lowerBound, 4) + 15) / Self.size + 1)
  }
}
