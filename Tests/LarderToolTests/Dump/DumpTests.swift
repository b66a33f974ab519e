import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import LarderExchange
@testable import LarderInspection

/// A dump gives back the same store, and says where it is faulty.
@Suite struct DumpTests {
  private static let scalars: [ColumnType] = [
    .bool, .int, .float, .double, .string, .data, .date, .uuid, .objectId, .decimal128, .mixed,
  ]

  /// A class with a property of each type in each collection, required and optional, and links.
  private static var classes: [ClassDeclaration] {
    var columns = [ColumnDeclaration(name: "id", type: .string, isPrimaryKey: true)]
    for type in scalars {
      for (kind, prefix) in [(CollectionKind.none, "one"), (.list, "list"), (.set, "set"), (.map, "map")] {
        for isOptional in [false, true] where type != .mixed || isOptional {
          let name = "\(prefix)_\(TypeName.name(of: type))\(isOptional ? "_optional" : "")"
          columns.append(
            ColumnDeclaration(
              name: name, type: type, collection: kind, isOptional: isOptional,
              isIndexed: kind == .none && type == .int))
        }
      }
    }
    for (kind, name) in [(CollectionKind.none, "link"), (.list, "links"), (.set, "linkSet"), (.map, "linkMap")] {
      columns.append(ColumnDeclaration(name: name, type: .link, collection: kind, target: "Thing"))
    }
    for (kind, name) in [(CollectionKind.none, "part"), (.list, "parts"), (.map, "partMap")] {
      columns.append(ColumnDeclaration(name: name, type: .link, collection: kind, target: "Part"))
    }
    let part = ClassDeclaration(
      name: "Part", isEmbedded: true,
      columns: [
        ColumnDeclaration(name: "weight", type: .double),
        ColumnDeclaration(name: "owner", type: .link, target: "Thing"),
        ColumnDeclaration(name: "inner", type: .link, collection: .list, target: "Part"),
      ])
    let indexes = [IndexDeclaration(["one_int", "one_string"]), IndexDeclaration(["id", "one_int"], isUnique: true)]
    return [part, ClassDeclaration(name: "Thing", columns: columns, indexes: indexes)]
  }

  private static func value(_ type: ColumnType, _ random: inout SeededRandom, _ depth: Int = 0) -> StoredValue {
    // From the whole range of the type as often as from the values that texts are hardest for.
    if type != .link, depth == 0, random.oneIn(2) { return random.value(type) }
    switch type {
    case .bool: return .bool(random.oneIn(2))
    case .int: return .int(random.pick([0, -1, .min, .max, Int64(random.int(-1000...1000))]))
    case .float:
      return .float(random.pick([0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, 0.1, 16_777_216]))
    case .double:
      return .double(
        random.pick([
          0, -0.0, .infinity, .nan, Double(bitPattern: 0x7FF8_0000_0000_0007), .leastNonzeroMagnitude, 0.1, 1e300,
        ]))
    case .string: return .string(random.pick(["", "é", "e\u{301}", "\u{0}\n\"\\", "東京 🦄", "\u{2028}"]))
    case .data: return .data(Data(random.bytes(count: random.int(0...9))))
    case .date:
      return .date(
        random.pick([
          Timestamp(seconds: 0), Timestamp(seconds: -1, nanoseconds: 999_999_999), Timestamp(seconds: .min),
          Timestamp(seconds: .max, nanoseconds: 1), Timestamp(seconds: 1_700_000_000, nanoseconds: 120),
        ]))
    case .uuid: return .uuid(UUID())
    case .objectId: return .objectId(ObjectIdBytes(high: UInt64(random.int(0...9)), low: 7))
    case .decimal128:
      return .decimal128(
        random.pick(
          ["1.50", "-0", "1E+6111", "NaN", "-Infinity", "0.00001"].compactMap { DecimalNumber($0)?.bits }
            + [Decimal128Bits(high: 0x7C00_0000_0000_0000, low: 5)]))
    case .mixed:
      if depth < 3, random.oneIn(3) {
        let inner = (0..<random.int(0...3)).map { _ in value(.mixed, &random, depth + 1) }
        if random.oneIn(2) { return .list(StoredList(inner)) }
        return .dictionary(StoredDictionary(inner.enumerated().map { (key: "k.\($0.offset)$", value: $0.element) }))
      }
      return random.oneIn(5) ? .null : value(random.pick(Array(scalars.dropLast())), &random)
    case .link: return .null
    }
  }

  /// A store with `count` things in which every link leads anywhere, some objects deleted again.
  static func fill(_ path: String, _ count: Int, _ random: inout SeededRandom) throws {
    let writer = try StoreAccess.open(writing: path).beginWrite()
    try writer.apply(classes, schemaVersion: 7)
    let thing = try #require(writer.schema["Thing"])
    let part = try #require(writer.schema["Part"])
    var keys = try (0..<count).map { try writer.create(thing.id, primaryKey: .string("thing \($0)")) }
    for key in keys.filter({ _ in random.oneIn(4) }) { try writer.delete(thing.id, key) }
    keys = try keys.filter { try writer.contains(thing.id, $0) }
    for key in keys {
      for column in thing.columns where !column.isPrimaryKey {
        try set(column, of: thing, key, keys, part, writer, &random)
      }
    }
    _ = try writer.commit()
  }

  private static func set(
    _ column: ColumnDescriptor, of thing: ClassDescriptor, _ key: ObjectKey, _ keys: [ObjectKey],
    _ part: ClassDescriptor, _ writer: StoreWriter, _ random: inout SeededRandom
  ) throws {
    if column.target == part.id { return try embed(column, of: thing, key, keys, part, writer, &random) }
    func next() -> StoredValue {
      if column.type == .link { return .link(random.pick(keys)) }
      if column.type == .mixed, random.oneIn(6) {
        return .object(ObjectLink(classID: thing.id, key: random.pick(keys)))
      }
      return column.isOptional && random.oneIn(4) ? .null : value(column.type, &random)
    }
    let values = (0..<random.int(0...4)).map { _ in next() }
    switch column.collection {
    case .none: try writer.set(thing.id, column.id, key, next())
    case .list: try writer.lists.assign(thing.id, column.id, key, values)
    case .set:
      let plain = values.filter { value in
        if case .list = value { return false }
        if case .dictionary = value { return false }
        return true
      }
      try writer.sets.assign(thing.id, column.id, key, plain)
    case .map:
      try writer.maps.assign(thing.id, column.id, key, values.enumerated().map { ("é\($0.offset)", $0.element) })
    }
  }

  /// Expects that every value of a thing, alone and in lists, is the same in another store to the bit; links lead to other keys there.
  static func expectSameValues(_ path: String, _ other: String) throws {
    let (one, two) = (
      try StoreAccess.open(reading: path).snapshot(), try StoreAccess.open(reading: other).snapshot()
    )
    let (thing, twin) = (try #require(one.schema["Thing"]), try #require(two.schema["Thing"]))
    var compared = 0
    let count = try one.count(of: thing.id)
    // A quarter of the objects was deleted again: the others have keys below twice their number.
    for key in (0..<UInt64(count * 2)).map(ObjectKey.init(rawValue:)) where try one.contains(thing.id, key) {
      let id = try one.value(thing.id, try #require(thing.primaryKey).id, key)
      let twinKey = try #require(try two.object(twin.id, primaryKey: id))
      for column in thing.columns
      where column.type != .link && (column.collection == .none || column.collection == .list) {
        let twinColumn = try #require(twin.column(named: column.name))
        let values = try values(of: one, thing.id, column, key)
        let twins = try self.values(of: two, twin.id, twinColumn, twinKey)
        #expect(values.count == twins.count, "\(column.name) of \(id)")
        for (value, twin) in zip(values, twins) where !holdsLink(value) {
          compared += 1
          #expect(
            value.isNull == twin.isNull && (value.isNull || value.mixedBytes == twin.mixedBytes),
            "\(column.name) of \(id): \(value), \(twin)")
        }
      }
    }
    #expect(compared > 1_000)
  }

  private static func values(
    of snapshot: Snapshot, _ classID: ClassID, _ column: ColumnDescriptor, _ key: ObjectKey
  ) throws -> [StoredValue] {
    guard column.collection == .list else { return [try snapshot.value(classID, column.id, key)] }
    let list = try snapshot.list(classID, column.id, key)
    return try (0..<list.count).map { try list.value(at: $0) }
  }

  private static func holdsLink(_ value: StoredValue) -> Bool {
    switch value {
    case .object, .link: true
    case .list(let list): list.elements.contains { holdsLink($0) }
    case .dictionary(let entries): entries.contains { holdsLink($0.value) }
    default: false
    }
  }

  private static func embed(
    _ column: ColumnDescriptor, of thing: ClassDescriptor, _ key: ObjectKey, _ keys: [ObjectKey],
    _ part: ClassDescriptor, _ writer: StoreWriter, _ random: inout SeededRandom
  ) throws {
    for position in 0..<random.int(0...2) {
      let made: ObjectKey
      switch column.collection {
      case .none: made = try writer.createEmbedded(in: thing.id, column.id, key)
      case .map: made = try writer.maps.insertEmbedded(in: thing.id, column.id, key, mapKey: "k\(position)")
      default: made = try writer.insertEmbedded(in: thing.id, column.id, key, at: position)
      }
      let owner = try #require(part.column(named: "owner"))
      let inner = try #require(part.column(named: "inner"))
      try writer.set(part.id, owner.id, made, .link(random.pick(keys)))
      for place in 0..<random.int(0...2) { _ = try writer.insertEmbedded(in: part.id, inner.id, made, at: place) }
    }
  }

  @Test(
    "O-20: a dump of a store with every type, and values from the whole range of each, loaded and dumped again, is the same to the byte"
  )
  func everyTypeRoundTrips() throws {
    var random = SeededRandom.forTest()
    try withTemporaryDirectory { directory in
      let (first, copy) = (directory.file("a.larder"), directory.file("b.larder"))
      try Self.fill(first, 60, &random)
      let text = try dumped(first)
      let file = directory.file("a.jsonl")
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      let report = try DumpLoader(store: try StoreAccess.open(writing: copy), path: file).run()
      #expect(report.objects > 20)
      #expect(try dumped(copy) == text)
      try Self.expectSameValues(first, copy)
      let snapshot = try StoreAccess.open(reading: copy).snapshot()
      #expect(snapshot.schema.schemaVersion == 7)
      #expect(try StoreVerifier.verify(snapshot).isEmpty)
    }
  }

  @Test("inspect and query show sets, maps and values of any type")
  func everyTypeIsShown() throws {
    var random = SeededRandom.forTest()
    try withTemporaryDirectory { directory in
      let path = directory.file("a.larder")
      try Self.fill(path, 30, &random)
      let json = try expectLarder("query", path, "Thing", "--format", "json")
      for line in json.split(separator: "\n") {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["map_int"] is [String: Any] && object?["set_int"] is [Any], "\(line)")
      }
      #expect(try expectLarder("query", path, "Thing").contains("map_string"))
      #expect(try expectLarder("query", path, "Thing", "--format", "csv").contains("set_uuid"))
      let first = try #require(try column(path, "Thing", "id").first)
      guard case .string(let id) = first else { return }
      #expect(try expectLarder("inspect", path, "Thing", id).contains("map_double"))
    }
  }

  private func dumped(_ path: String) throws -> String {
    var text = ""
    var writer = DumpWriter(try StoreAccess.open(reading: path).snapshot())
    try writer.run { text += $0 }
    #expect(writer.danglingLinks == 0)
    return text
  }

  @Test("What is embedded as deep as a dump goes can be loaded, and deeper is an error")
  func depth() throws {
    try withTemporaryDirectory { directory in
      for (levels, isPossible) in [(ObjectLine.maximumDepth - 1, true), (ObjectLine.maximumDepth, false)] {
        let (path, file) = (directory.file("\(levels).larder"), directory.file("\(levels).jsonl"))
        let writer = try StoreAccess.open(writing: path).beginWrite()
        let next = ColumnDeclaration(name: "next", type: .link, collection: .map, target: "Node")
        try writer.apply(
          [
            ClassDeclaration(name: "Node", isEmbedded: true, columns: [next]),
            ClassDeclaration(name: "Root", columns: [next]),
          ],
          schemaVersion: 0)
        var entry = try #require(writer.schema["Root"])
        var key = try writer.create(entry.id)
        for _ in 0..<levels {
          let column = try #require(entry.column(named: "next")).id
          key = try writer.maps.insertEmbedded(in: entry.id, column, key, mapKey: "n")
          entry = try #require(writer.schema["Node"])
        }
        _ = try writer.commit()
        let result = try larder("dump", path, "--out", file)
        #expect((result.status == 0) == isPossible, "\(result)")
        guard isPossible else {
          #expect(result.errors.contains("levels deep"), "\(result)")
          continue
        }
        let copy = directory.file("copy.larder")
        try expectLarder("load", file, "--into", copy)
        #expect(try expectLarder("dump", copy) == String(contentsOfFile: file, encoding: .utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
      }
    }
  }

  @Test("The tool dumps and loads the countries")
  func commands() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let (file, copy) = (directory.file("world.jsonl"), directory.file("copy.larder"))
      try expectLarder("dump", store, "--out", file)
      try expectFailure("dump", store, "--out", file, words: "there already")
      #expect(try expectLarder("load", file, "--into", copy, "--json").contains("\"objects\": "))
      #expect(try expectLarder("dump", copy) == String(contentsOfFile: file, encoding: .utf8))
      try expectFailure("load", file, "--into", copy, "--write", words: "has classes already")
      try expectLarder("check", copy, "--quiet")
      try expectFailure("load", directory.file("none"), "--into", directory.file("c.larder"), words: "no such file")
    }
  }

  private static let head = """
    {"larderDump": 1, "schemaVersion": 0, "classes": [{"name": "A", "objects": 2, "properties": [\
    {"name": "id", "type": "int", "primaryKey": true}, {"name": "next", "type": "link", "target": "A", "optional": true}]}]}

    """

  @Test(
    "Faulty dumps are refused with their place and leave nothing",
    arguments: [
      ("", "empty"), ("{}\n", ":1:1: this is no dump"),
      ("{\"larderDump\": 9}\n", "format 9"),
      ("{\"larderDump\": 1, \"classes\": [], \"more\": 1}\n", "\"more\" is not known"),
      (
        "{\"larderDump\": 1, \"classes\": [{\"name\": \"A\", \"properties\": [{\"name\": \"x\", \"type\": \"y\"}]}]}",
        "no type 'y'"
      ),
      (head + "{\"id\": 1, \"next\": null}\n", "ends after 1 of 2 objects of 'A'"),
      (head + "{\"id\": 1, \"next\": 1}\n{\"id\": 1, \"next\": 0}\n", ":3:1: "),
      (head + "{\"id\": 1, \"next\": 2}\n{\"id\": 2, \"next\": 0}\n", ":2:19: 2 names none of the 2 objects"),
      (head + "{\"id\": 1, \"next\": null}\n{\"id\": \"2\", \"next\": 0}\n", ":3:8: \"2\" does not fit 'A.id'"),
      (
        "{\"larderDump\": 1, \"classes\": [{\"name\": \"A\", \"objects\": 1, \"properties\": [{\"name\": \"x\", \"type\": "
          + "\"double\"}]}]}\n{\"x\": 1e999}\n", ":2:7: 1e999 does not fit 'A.x'"
      ),
      (head + "{\"id\": 1, \"next\": null}\n{\"id\": 2}\n", "'A.next' is missing"),
      (head + "{\"id\": 1, \"next\": null}\n{\"id\": 2, \"next\": null, \"x\": 0}\n", ":3:30: 'A' has no property 'x'"),
      (
        head + "{\"id\": 1, \"next\": null}\n{\"id\": 2, \"next\": null}\n{}\n", ":4:1: the first line tells of no more"
      ),
    ])
  func faults(_ text: String, _ words: String) throws {
    try withTemporaryDirectory { directory in
      let (file, path) = (directory.file("a.jsonl"), directory.file("a.larder"))
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      let store = try StoreAccess.open(writing: path)
      do {
        _ = try DumpLoader(store: store, path: file).run()
        Issue.record("loaded: \(text)")
      } catch { #expect("\(error)".contains(words), "\(error)") }
      #expect(try store.snapshot().schema.classes.isEmpty)
    }
  }

  @Test("F-7: a dump keeps any version of the schema", arguments: [UInt64(0), 7, 1 << 63, UInt64.max - 1])
  func schemaVersions(_ version: UInt64) throws {
    try withTemporaryDirectory { directory in
      let writer = try StoreAccess.open(writing: directory.file("a.larder")).beginWrite()
      try writer.apply(Self.classes, schemaVersion: version)
      try writer.commit()
      let text = try expectLarder("dump", directory.file("a.larder"))
      let dump = try directory.write(text, to: "a.jsonl")
      try expectLarder("load", dump, "--into", directory.file("b.larder"), "--quiet")
      #expect(try StoreAccess.open(reading: directory.file("b.larder")).snapshot().schema.schemaVersion == version)
      #expect(try expectLarder("dump", directory.file("b.larder")) == text)
    }
  }
}
