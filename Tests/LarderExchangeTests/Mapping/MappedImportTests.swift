import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import LarderExchange

/// Imports as mapping files say.
@Suite struct MappedImportTests {
  /// Imports JSON Lines, or else CSV.
  private func run(_ mapping: String, _ text: String, into store: TemporaryStore) throws {
    let name = text.hasPrefix("{") ? "x.jsonl" : "x.csv"
    var options = ImportOptions(path: try store.directory.write(text, to: name))
    options.mapping = try MappingFile.read(try store.directory.write(mapping, to: "m.json"))
    _ = try Importer(store: store.store, options: options).run()
  }

  /// All values of a property, in the order of the keys.
  private func values(_ store: TemporaryStore, _ className: String, _ property: String) throws -> [StoredValue] {
    let snapshot = try store.store.snapshot()
    let entry = try StoreAccess.entry(named: className, in: snapshot.schema)
    let column = try #require(entry.column(named: property))
    var values: [StoredValue] = []
    try snapshot.forEachKey(of: entry.id) {
      values.append(try snapshot.value(entry.id, column.id, $0))
      return true
    }
    return values
  }

  /// The elements of a list of each object, in the order of the keys.
  private func lists(_ store: TemporaryStore, _ className: String, _ property: String) throws -> [[StoredValue]] {
    let snapshot = try store.store.snapshot()
    let entry = try StoreAccess.entry(named: className, in: snapshot.schema)
    let column = try #require(entry.column(named: property))
    var lists: [[StoredValue]] = []
    try snapshot.forEachKey(of: entry.id) {
      lists.append(try snapshot.list(entry.id, column.id, $0).values())
      return true
    }
    return lists
  }

  /// A store with two countries and a class without a primary key.
  private func countries() throws -> TemporaryStore {
    let store = try TemporaryStore()
    try run(
      "{\"class\": \"Country\", \"properties\": {\"iso\": {\"type\": \"string\", \"primaryKey\": true}, \"name\": \"string\"}}",
      "iso,name\nDE,Germany\nFR,France\n", into: store)
    try run("{\"class\": \"Plain\", \"properties\": {\"n\": \"int\"}}", "n\n1\n", into: store)
    return store
  }

  @Test(
    "A mapping has each type, which is optional with a question mark",
    arguments: [
      """
      bool,int,float,double,string,data,date,uuid,objectId,decimal128
      true,-5,1.5,0.25,x,AP8=,2013-01-31T00:00:00Z,01234567-89AB-CDEF-0123-456789ABCDEF,0123456789abcdef01234567,1.10
      ,,,,,,,,,

      """,
      """
      {"bool": true, "int": -5, "float": 1.5, "double": 0.25, "string": "x", "data": "AP8=", "date": "2013-01-31T00:00:00Z", \
      "uuid": "01234567-89AB-CDEF-0123-456789ABCDEF", "objectId": "0123456789ABCDEF01234567", "decimal128": "1.10"}
      {"bool": null}

      """,
    ])
  func types(_ text: String) throws {
    let store = try TemporaryStore()
    let uuid = try #require(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF"))
    let decimal = try #require(DecimalNumber(exactly: "1.10"))
    let wanted: [(type: String, value: StoredValue)] = [
      ("bool", .bool(true)), ("int", .int(-5)), ("float", .float(1.5)), ("double", .double(0.25)),
      ("string", .string("x")), ("data", .data(Data([0, 255]))), ("date", .date(Timestamp(seconds: 1_359_590_400))),
      ("uuid", .uuid(uuid)), ("objectId", .objectId(ObjectIdBytes(high: 0x0123_4567_89AB_CDEF, low: 0x0123_4567))),
      ("decimal128", .decimal128(decimal.bits)),
    ]
    let properties = wanted.map { "\"\($0.type)Value\": {\"from\": \"\($0.type)\", \"type\": \"\($0.type)?\"}" }
    try run("{\"class\": \"T\", \"properties\": {\(properties.joined(separator: ", "))}}", text, into: store)
    let schema = try store.store.snapshot().schema
    let entry = try #require(schema["T"])
    #expect(entry.columns.map { TypeName.describe($0, in: schema) } == wanted.map { "\($0.type)?" })
    for (type, value) in wanted {
      #expect(try values(store, "T", "\(type)Value") == [value, .null], "\(type)")
    }
  }

  @Test(
    "A value that does not fit its type is a fault with its place",
    arguments: [
      ("\"int\"", "{\"v\": 1}\n{\"v\": null}\n", 2, 7, "needs a value"),
      ("\"objectId\"", "{\"v\": \"0123456789abcdef0123456\"}\n", 1, 7, "24 hexadecimal digits"),
      ("\"objectId\"", "{\"v\": \"0123456789abcdef012345678\"}\n", 1, 7, "24 hexadecimal digits"),
      ("\"objectId\"", "v\n0123456789abcdef0123456g\n", 2, 1, "24 hexadecimal digits"),
      ("\"data\"", "v\n!!!!\n", 2, 1, "base64"),
      ("{\"type\": \"string\", \"list\": true}", "v\nx\n", 2, 1, "'split' would cut"),
    ])
  func faults(_ type: String, _ text: String, _ line: Int, _ column: Int, _ words: String) throws {
    let store = try TemporaryStore()
    let fault = #expect(throws: InputFault.self) {
      try run("{\"class\": \"T\", \"properties\": {\"v\": \(type)}}", text, into: store)
    }
    #expect(
      fault?.line == line && fault?.column == column && fault?.message.contains(words) == true,
      "\(String(describing: fault))")
    #expect(try store.store.snapshot().schema.classes.isEmpty)
  }

  @Test("Dots of from reach into nested objects, among few fields and many", arguments: [0, 60])
  func dots(_ others: Int) throws {
    let store = try TemporaryStore()
    let more = (0..<others).map { ", \"f\($0)\": \($0)" }.joined()
    try run(
      """
      {"class": "T", "properties": {"id": "int", "lat": {"from": "at.point.lat", "type": "double?"}, "name": "string"}}
      """,
      """
      {"id": 1, "at": {"point": {"lat": 1.5}}, "name": "a"\(more)}
      {"id": 2, "at": {"point": {}}, "name": "b"\(more)}
      {"id": 3, "name": "c"\(more)}

      """, into: store)
    #expect(try values(store, "T", "id") == [.int(1), .int(2), .int(3)])
    #expect(try values(store, "T", "lat") == [.double(1.5), .null, .null])
    #expect(try values(store, "T", "name") == [.string("a"), .string("b"), .string("c")])
  }

  @Test("The type of a field of a nested object is that of its values, optional where an object has none")
  func typesBehindDots() throws {
    let store = try TemporaryStore()
    try run(
      "{\"class\": \"T\", \"properties\": {\"id\": \"int\", \"lat\": {\"from\": \"at.lat\"}, \"lon\": {\"from\": \"to.lon\"}}}",
      "{\"id\": 1, \"at\": {\"lat\": 1.5}, \"to\": {\"lon\": 7}}\n{\"id\": 2, \"to\": {\"lon\": 8}}\n", into: store)
    let schema = try store.store.snapshot().schema
    let entry = try #require(schema["T"])
    #expect(entry.columns.map { TypeName.describe($0, in: schema) } == ["int", "double?", "int"])
    #expect(try values(store, "T", "lat") == [.double(1.5), .null])
    #expect(try values(store, "T", "lon") == [.int(7), .int(8)])
  }

  @Test("optional says that values may be nil, or may not, where the file shows their type") func optional() throws {
    let store = try TemporaryStore()
    try run("{\"class\": \"T\", \"properties\": {\"v\": {\"optional\": true}}}", "{\"v\": 1}\n", into: store)
    let schema = try store.store.snapshot().schema
    let entry = try #require(schema["T"])
    #expect(entry.columns.map { TypeName.describe($0, in: schema) } == ["int?"])
    let fault = #expect(throws: InputFault.self) {
      try run(
        "{\"class\": \"U\", \"properties\": {\"v\": {\"optional\": false}}}", "{\"v\": 1}\n{\"v\": null}\n",
        into: store)
    }
    #expect(fault?.line == 2 && fault?.message.contains("needs a value") == true, "\(String(describing: fault))")
  }

  @Test(
    "split cuts a text into a list without spaces before pieces, and without empty pieces",
    arguments: [
      "tags,numbers\na// b/ /,1// /2\n//,\n",
      "{\"tags\": \"a// b/ /\", \"numbers\": \"1// /2\"}\n{\"tags\": \"//\", \"numbers\": \"\"}\n",
    ])
  func split(_ text: String) throws {
    let store = try TemporaryStore()
    try run(
      """
      {"class": "T", "properties": {"tags": {"type": "string", "split": "/"}, "numbers": {"type": "int", "split": "/"}}}
      """, text, into: store)
    #expect(try lists(store, "T", "tags") == [[.string("a"), .string("b")], []])
    #expect(try lists(store, "T", "numbers") == [[.int(1), .int(2)], []])
  }

  @Test("list takes arrays, and a single value as a list of one") func arrays() throws {
    let store = try TemporaryStore()
    try run(
      "{\"class\": \"T\", \"properties\": {\"tags\": {\"type\": \"string\", \"list\": true}}}",
      "{\"tags\": [\"x\", \"y\"]}\n{\"tags\": \"z\"}\n{\"tags\": []}\n{\"tags\": null}\n", into: store)
    #expect(try lists(store, "T", "tags") == [[.string("x"), .string("y")], [.string("z")], [], []])
  }

  @Test(
    "A class has a primary key, indexes, and texts that mean no value",
    arguments: [
      "id,name,size\n1,NA,-\n2,x,5\n",
      "{\"id\": 1, \"name\": \"NA\", \"size\": \"-\"}\n{\"id\": 2, \"name\": \"x\", \"size\": 5}\n",
    ])
  func keys(_ text: String) throws {
    let store = try TemporaryStore()
    try run(
      """
      {"class": "T", "null": ["NA", "-"], "primaryKey": "id", "indexed": ["name"],
       "properties": {"id": "int", "name": "string?", "size": {"type": "int?", "indexed": true}}}
      """, text, into: store)
    let entry = try #require(try store.store.snapshot().schema["T"])
    #expect(entry.primaryKey?.name == "id")
    #expect(entry.columns.filter(\.isIndexed).map(\.name).filter { $0 != "id" } == ["name", "size"])
    #expect(try values(store, "T", "name") == [.null, .string("x")])
    #expect(try values(store, "T", "size") == [.null, .int(5)])
  }

  @Test("A link is found by the primary key or another property; one to nothing is nil, or no element, where it may be")
  func links() throws {
    let store = try countries()
    try run(
      """
      {"class": "City", "properties": {
        "country": {"link": "Country"}, "near": {"link": "Country", "by": "name", "split": "/", "missing": "null"},
        "other": {"link": "Country", "by": "name", "missing": "null"}}}
      """, "country,near,other\nFR,Germany/Spain/France,Spain\n,,France\n", into: store)
    let (germany, france) = (StoredValue.link(ObjectKey(rawValue: 0)), StoredValue.link(ObjectKey(rawValue: 1)))
    #expect(try values(store, "City", "country") == [france, .null])
    #expect(try lists(store, "City", "near") == [[germany, france], []])
    #expect(try values(store, "City", "other") == [.null, france])
    // Without a list records are read in place.
    try run(
      "{\"class\": \"Town\", \"properties\": {\"country\": {\"link\": \"Country\", \"missing\": \"null\"}}}",
      "{\"country\": \"XX\"}\n{\"country\": \"DE\"}\n", into: store)
    #expect(try values(store, "Town", "country") == [.null, germany])
  }

  @Test("A link to nothing is a fault without missing, and with error", arguments: ["", ", \"missing\": \"error\""])
  func linksToNothing(_ rule: String) throws {
    let store = try countries()
    let fault = #expect(throws: InputFault.self) {
      try run(
        "{\"class\": \"City\", \"properties\": {\"id\": \"int\", \"country\": {\"link\": \"Country\"\(rule)}}}",
        "id,country\n1,FR\n2,XX\n", into: store)
    }
    #expect(fault?.line == 3 && fault?.column == 3, "\(String(describing: fault))")
    #expect(fault?.message.contains("no object of 'Country' has iso \"XX\"") == true, "\(String(describing: fault))")
    #expect(try store.store.snapshot().schema["City"] == nil)
  }

  @Test("Embedded objects are nested ones, fields beside each other, and elements of an array")
  func embeddedObjects() throws {
    let store = try TemporaryStore()
    try run(
      """
      {"class": "T", "properties": {
        "id": "int",
        "here": {"from": "pos", "embed": "Place", "properties": {
          "lat": {"from": "la", "type": "double"}, "lon": {"from": "lo", "type": "double"}}},
        "there": {"embed": "Place", "properties": {"lat": "double", "lon": "double"}},
        "parts": {"embed": "Part", "list": true, "properties": {"n": "int"}}}}
      """,
      """
      {"id": 1, "pos": {"la": 1.5, "lo": 2.5}, "lat": 3, "lon": 4, "parts": [{"n": 1}, {"n": 2}]}
      {"id": 2}
      {"id": 3, "there": {"lat": 5, "lon": 6}}

      """, into: store)
    #expect(try values(store, "T", "here").map(\.isNull) == [false, true, true])
    #expect(try values(store, "T", "there").map(\.isNull) == [false, true, false])
    #expect(try values(store, "Place", "lat") == [.double(1.5), .double(3), .double(5)])
    #expect(try values(store, "Place", "lon") == [.double(2.5), .double(4), .double(6)])
    #expect(try lists(store, "T", "parts").map(\.count) == [2, 0, 0])
    #expect(try values(store, "Part", "n") == [.int(1), .int(2)])
  }

  @Test(
    "A mapping that nothing could follow is refused",
    arguments: [
      ("\"to\": {\"link\": \"Plain\"}", "the class 'Plain' has no primary key"),
      ("\"to\": {\"link\": \"Country\", \"by\": \"isoo\"}", "has no property 'isoo' to find objects by"),
      (
        "\"a\": {\"type\": \"int\", \"primaryKey\": true}, \"b\": {\"type\": \"int\", \"primaryKey\": true}",
        "the mapping marks a, b"
      ), ("\"a\": {\"type\": \"double\", \"primaryKey\": true}", "only int, string, uuid and objectId can"),
      (
        "\"a\": {\"type\": \"int\", \"list\": true, \"indexed\": true}",
        "'T.a' cannot be indexed: only single values can"
      ),
      (
        "\"a\": {\"split\": \";\", \"type\": \"int\", \"indexed\": true}",
        "'T.a' cannot be indexed: only single values can"
      ),
      (
        "\"to\": {\"link\": \"Country\", \"list\": true, \"indexed\": true}",
        "'T.to' cannot be indexed: only single values can"
      ),
    ])
  func refusals(_ properties: String, _ words: String) throws {
    let store = try countries()
    let error = #expect(throws: ImportError.self) {
      try run("{\"class\": \"T\", \"properties\": {\(properties)}}", "{\"to\": 1, \"a\": 1, \"b\": 2}\n", into: store)
    }
    #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    #expect(try store.store.snapshot().schema["T"] == nil)
  }

  @Test("optional holds wherever it stands beside the type, and contradicts no question mark")
  func optionalBesideTypes() throws {
    for property in ["{\"optional\": true, \"type\": \"string\"}", "{\"type\": \"string\", \"optional\": true}"] {
      let store = try TemporaryStore()
      try run("{\"class\": \"T\", \"properties\": {\"a\": \(property)}}", "{\"a\": \"x\"}\n{\"b\": 1}\n", into: store)
      #expect(try values(store, "T", "a") == [.string("x"), .null])
    }
    for property in ["{\"optional\": false, \"type\": \"int?\"}", "{\"type\": \"int?\", \"optional\": false}"] {
      let error = #expect(throws: InputFault.self) {
        try run("{\"class\": \"T\", \"properties\": {\"a\": \(property)}}", "{\"a\": 1}\n", into: try TemporaryStore())
      }
      #expect(error?.message.contains("question mark") == true, "\(String(describing: error))")
    }
  }

  @Test("An embedded object with a primary key or a separator is refused with its place")
  func embeddedRefusals() throws {
    for (more, words) in [
      ("\"properties\": {\"k\": {\"type\": \"int\", \"primaryKey\": true}}", "'k' cannot be a primary key"),
      ("\"split\": \";\", \"properties\": {\"k\": \"int\"}", "'split'"),
    ] {
      let error = #expect(throws: InputFault.self) {
        try run(
          "{\"class\": \"T\", \"properties\": {\"e\": {\"embed\": \"E\", \(more)}}}", "{\"e\": {\"k\": 1}}\n",
          into: try TemporaryStore())
      }
      #expect(error?.message.contains(words) == true && error?.line == 1, "\(String(describing: error))")
    }
  }

  @Test("A mapping may begin with the mark of UTF-8, and has a size")
  func mappingFiles() throws {
    let store = try TemporaryStore()
    try run("\u{FEFF}{\"class\": \"T\", \"properties\": {\"n\": \"int\"}}", "{\"n\": 1}\n", into: store)
    #expect(try values(store, "T", "n") == [.int(1)])
    let large = try store.directory.write(String(repeating: " ", count: 17 << 20), to: "large.json")
    let error = #expect(throws: InputFileError.self) { try MappingFile.read(large) }
    #expect(error?.message.contains("at most 16 MiB") == true)
  }

  @Test(
    "A number that is no whole number, or none of 64 bits, is a fault for an int, whatever a double makes of it",
    arguments: [
      "-9223372036854775809", "-9.223372036854775809e18", "9007199254740992.5", "4611686018427387904.3", "1e-400",
      "1.5",
      "1e19", "9223372036854775808",
    ])
  func numbersForInts(_ text: String) throws {
    let store = try TemporaryStore()
    let error = #expect(throws: InputFault.self) {
      try run("{\"class\": \"T\", \"properties\": {\"n\": \"int\"}}", "{\"n\": \(text)}\n", into: store)
    }
    #expect(error?.message.contains("does not fit") == true, "\(String(describing: error))")
  }

  @Test("Texts of digits that no double holds are faults for doubles; infinity and nan by name are values")
  func numbersForDoubles() throws {
    let mapping = "{\"class\": \"T\", \"properties\": {\"n\": \"double\"}}"
    for text in ["1e400", "-1e400"] {
      #expect(throws: InputFault.self) { try run(mapping, "n\n\(text)\n", into: try TemporaryStore()) }
    }
    let store = try TemporaryStore()
    try run(mapping, "n\ninf\n1e300\n", into: store)
    #expect(try values(store, "T", "n") == [.double(.infinity), .double(1e300)])
  }
}
