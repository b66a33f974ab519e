import Foundation
import LarderStorage
import TestSupport
import Testing

/// A store with one of everything, small enough that each of its structures has several parts.
enum SoundStore {
  static let clusterSize = 8
  static let things = 24
  /// The object that was deleted, and so has a tombstone.
  static let deleted: UInt64 = 9

  private static let declarations: [ClassDeclaration] = [
    ClassDeclaration(
      name: "Thing",
      columns: [
        ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
        ColumnDeclaration(name: "name", type: .string, isIndexed: true),
        ColumnDeclaration(name: "text", type: .string, isFullText: true),
        ColumnDeclaration(name: "score", type: .double),
        ColumnDeclaration(name: "ratio", type: .float, isOptional: true, isIndexed: true),
        ColumnDeclaration(name: "count", type: .int, isOptional: true, isIndexed: true),
        ColumnDeclaration(name: "flag", type: .bool),
        ColumnDeclaration(name: "seen", type: .date, isOptional: true, isIndexed: true),
        ColumnDeclaration(name: "tag", type: .uuid, isIndexed: true),
        ColumnDeclaration(name: "mark", type: .objectId, isOptional: true),
        ColumnDeclaration(name: "price", type: .decimal128),
        ColumnDeclaration(name: "body", type: .data, isOptional: true),
        ColumnDeclaration(name: "any", type: .mixed),
        ColumnDeclaration(name: "friend", type: .link, target: "Thing"),
        ColumnDeclaration(name: "box", type: .link, target: "Part"),
        ColumnDeclaration(name: "parts", type: .link, collection: .list, target: "Part"),
        ColumnDeclaration(name: "tags", type: .string, collection: .list),
        ColumnDeclaration(name: "numbers", type: .int, collection: .list),
        ColumnDeclaration(name: "labels", type: .string, collection: .set),
        ColumnDeclaration(name: "words", type: .int, collection: .map),
        ColumnDeclaration(name: "friends", type: .link, collection: .list, target: "Thing"),
      ],
      indexes: [
        IndexDeclaration(["name", "count"], isUnique: true), IndexDeclaration(["flag", "score"]),
      ]),
    ClassDeclaration(
      name: "Part", isEmbedded: true,
      columns: [ColumnDeclaration(name: "title", type: .string), ColumnDeclaration(name: "weight", type: .int)]),
    ClassDeclaration(
      name: "Note",
      columns: [
        ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
        ColumnDeclaration(name: "text", type: .string),
        ColumnDeclaration(name: "about", type: .link, target: "Thing"),
      ]),
    ClassDeclaration(name: "Plain", columns: [ColumnDeclaration(name: "value", type: .int)]),
  ]

  /// The file of one; making it costs more than copying.
  private static let file: Result<Data, any Error> = Result {
    try withTemporaryDirectory { directory in
      try fill(directory.file("sound.larder"))
      return try Data(contentsOf: URL(fileURLWithPath: directory.file("sound.larder")))
    }
  }

  /// Makes one at a path where there is none.
  static func make(_ path: String) throws { try file.get().write(to: URL(fileURLWithPath: path)) }

  /// Makes an encrypted one at a path where there is none.
  static func make(_ path: String, key: EncryptionKey) throws { try fill(path, key: key) }

  private static func fill(_ path: String, key: EncryptionKey? = nil) throws {
    var options = StoreOptions()
    options.encryptionKey = key
    options.clusterSize = clusterSize
    options.durability = .none
    options.mapSize = 1 << 32
    let store = try Store.open(path: path, options: options)
    try write(store) { try $0.apply(declarations, schemaVersion: 1) }
    try write(store) { writer in
      let thing = try #require(writer.schema["Thing"])
      let keys = try (0..<things).map { try writer.create(thing.id, primaryKey: .int(Int64(100 + $0))) }
      for (number, key) in keys.enumerated() { try fill(writer, thing, keys, number, key) }
      try writer.delete(thing.id, ObjectKey(rawValue: deleted))
      let plain = try #require(writer.schema["Plain"])
      for number in 0..<16 {
        try writer.setInt(plain.id, plain.columns[0].id, writer.create(plain.id), Int64(number * number))
      }
    }
    // Objects 12 and 13 come to the tail after the leaves of their cluster.
    let note = try #require(try store.snapshot().schema["Note"])
    try write(store) { writer in for number in 0..<12 { try add(writer, note, number) } }
    try write(store) { try $0.delete(note.id, ObjectKey(rawValue: 8)) }
    for number in 12..<14 { try write(store) { try add($0, note, number) } }
  }

  private static func add(_ writer: StoreWriter, _ note: ClassDescriptor, _ number: Int) throws {
    let key = try writer.create(note.id, primaryKey: .int(Int64(200 + number)))
    try writer.set(note.id, try id(note, "text"), key, .string("note \(number)"))
    if number != 9 {
      try writer.set(note.id, try id(note, "about"), key, .link(ObjectKey(rawValue: UInt64(number % 8))))
    }
  }

  private static func write(_ store: Store, _ body: (StoreWriter) throws -> Void) throws {
    let writer = try store.beginWrite()
    try body(writer)
    try writer.commit()
  }

  private static func id(_ entry: ClassDescriptor, _ name: String) throws -> ColumnID {
    try #require(entry.column(named: name)).id
  }

  private static func fill(
    _ writer: StoreWriter, _ thing: ClassDescriptor, _ keys: [ObjectKey], _ number: Int, _ key: ObjectKey
  ) throws {
    let part = try #require(writer.schema["Part"])
    func set(_ name: String, _ value: StoredValue) throws { try writer.set(thing.id, try id(thing, name), key, value) }
    func title(_ made: ObjectKey, _ text: String) throws {
      try writer.set(part.id, try id(part, "title"), made, .string(text))
      try writer.set(part.id, try id(part, "weight"), made, .int(Int64(number)))
    }
    try set("name", .string("name \(number % 5)"))
    try set(
      "text",
      .string(number == 1 ? String(repeating: "many words ", count: 300) : "the word \(number % 4) of \(number)"))
    try set("score", .double(Double(number * number) / 8))
    try set("ratio", number % 4 == 1 ? .null : .float(Float(number) / 2))
    try set("count", number % 6 == 5 ? .null : .int(Int64(1_000 - number * 7)))
    try set("flag", .bool(number % 3 == 0))
    try set(
      "seen",
      number % 5 == 4
        ? .null : .date(Timestamp(seconds: Int64(number * number * 10_000), nanoseconds: UInt32(number * 1_000))))
    try set("tag", .uuid(UUID(uuidString: "00000000-0000-4000-8000-0000000000\(number * 3 + 10)")!))
    try set("mark", number % 2 == 0 ? .null : .objectId(ObjectIdBytes(high: UInt64(number), low: 7)))
    try set("price", .decimal128(Decimal128Bits(high: 0x3040_0000_0000_0000, low: UInt64(number * 5))))
    let length = number == 1 || number == 16 ? 40_000 : number % 3 * 50
    try set(
      "body", number % 3 == 2 ? .null : .data(Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) })))
    try set("any", any(number, thing, keys))
    try set("friend", number == 5 ? .null : .link(keys[(number * 7 + 1) % keys.count]))
    if number % 2 == 0 {
      try title(try writer.createEmbedded(in: thing.id, try id(thing, "box"), key), "box \(number)")
    }
    for position in 0..<(number % 3) {
      let made = try writer.insertEmbedded(in: thing.id, try id(thing, "parts"), key, at: position)
      try title(made, "part \(position) of \(number)")
    }
    let long = number == 2 ? [StoredValue.string(String(repeating: "long ", count: 600))] : []
    try writer.lists.insert(
      thing.id, try id(thing, "tags"), key, at: 0, (0..<number % 7).map { .string("tag \($0)") } + long)
    let count = number == 1 ? 3_000 : number
    try writer.lists.insert(thing.id, try id(thing, "numbers"), key, at: 0, (0..<count).map { .int(Int64($0 * 3)) })
    try writer.sets.insert(thing.id, try id(thing, "labels"), key, (0..<number % 6 + 2).map { .string("label \($0)") })
    try writer.maps.put(
      thing.id, try id(thing, "words"), key, (0..<number % 5 + 2).map { ("key \($0)", .int(Int64($0))) })
    try writer.lists.insert(
      thing.id, try id(thing, "friends"), key, at: 0,
      (0..<number % 4).map { .link(keys[(number + $0 * 5) % keys.count]) })
  }

  private static func any(_ number: Int, _ thing: ClassDescriptor, _ keys: [ObjectKey]) -> StoredValue {
    switch number % 6 {
    case 0: .null
    case 1: .int(Int64(number))
    case 2: .string("any \(number)")
    case 3:
      .list([
        .int(1),
        .dictionary(StoredDictionary([(key: "a", value: .double(0.5)), (key: "b", value: .list([.bool(true)]))])),
      ])
    case 4: .object(ObjectLink(classID: thing.id, key: keys[(number + 3) % keys.count]))
    default: .date(Timestamp(seconds: Int64(number), nanoseconds: 5))
    }
  }

  // MARK: - Looking

  /// Returns the contents of a store: properties as text, by class and primary key, or for those without one by their position.
  static func contents(_ snapshot: Snapshot) throws -> [String: [String: String]] {
    var result: [String: [String: String]] = [:]
    for entry in snapshot.schema.classes where !entry.isEmbedded {
      var position = 0
      try snapshot.forEachKey(of: entry.id) { key in
        let object = try name(entry, key, snapshot)
        let fields = try fields(entry, key, snapshot)
        result[entry.primaryKey == nil ? "\(entry.name) at \(position)" : object] = fields
        position += 1
        return true
      }
    }
    return result
  }

  private static func name(_ entry: ClassDescriptor, _ key: ObjectKey, _ snapshot: Snapshot) throws -> String {
    guard let primary = entry.primaryKey, case .int(let id) = try snapshot.value(entry.id, primary.id, key) else {
      return "\(entry.name) \(key.rawValue)"
    }
    return "\(entry.name) \(id)"
  }

  private static func fields(
    _ entry: ClassDescriptor, _ key: ObjectKey, _ snapshot: Snapshot
  ) throws -> [String: String] {
    var result: [String: String] = [:]
    for column in entry.columns {
      switch column.collection {
      case .none: result[column.name] = try text(snapshot.value(entry.id, column.id, key), column, snapshot)
      case .list, .set:
        result[column.name] =
          "\(try snapshot.list(entry.id, column.id, key).values().map { try text($0, column, snapshot) })"
      case .map:
        let map = try snapshot.map(entry.id, column.id, key)
        result[column.name] = "\(try (0..<map.count).map { "\(try map.key(at: $0)): \(try map.value(at: $0))" })"
      }
    }
    return result
  }

  private static func text(_ value: StoredValue, _ column: ColumnDescriptor, _ snapshot: Snapshot) throws -> String {
    switch value {
    case .link(let key):
      let target = try #require(column.target.flatMap { snapshot.schema[$0] })
      guard target.isEmbedded else { return "-> \(try name(target, key, snapshot))." }
      return "\(try fields(target, key, snapshot).sorted { $0.key < $1.key })"
    case .object(let link): return "-> \(try name(try #require(snapshot.schema[link.classID]), link.key, snapshot))."
    case .list(let list): return "[\(try list.map { try text($0, column, snapshot) }.joined(separator: ", "))]"
    case .dictionary(let entries):
      return "{\(try entries.map { "\($0.key): \(try text($0.value, column, snapshot))" }.joined(separator: ", "))}"
    default: return "\(value)"
    }
  }
}
