import Foundation
import LarderLocks
import LarderStorage
import TestSupport
import Testing

@testable import LarderStudio

@Suite("Changes from the inspector and their undo", .timeLimit(.minutes(5)))
struct StudioEditingTests {
  /// Two countries, three cities that link to the first by a property and from it by a list, and a place in each city.
  private struct World {
    let temporary: TemporaryStore
    let studio: StudioStore
    let editing: StudioEditing

    init(isWritable: Bool = true) throws {
      temporary = try TemporaryStore(durability: .full)
      try temporary.write { writer in
        try writer.apply(Self.classes, schemaVersion: 1)
        let schema = writer.schema
        let (country, city, place) = (
          try #require(schema["Country"]), try #require(schema["City"]), try #require(schema["Place"])
        )
        func column(_ entry: ClassDescriptor, _ name: String) throws -> ColumnID {
          try #require(entry.column(named: name)).id
        }
        let countries = try ["PT", "ES"].map { try writer.create(country.id, primaryKey: .string($0)) }
        try writer.set(country.id, try column(country, "name"), countries[0], .string("Portugal"))
        var cities: [ObjectKey] = []
        for id in 1...3 {
          let key = try writer.create(city.id, primaryKey: .int(Int64(id)))
          try writer.set(city.id, try column(city, "name"), key, .string("city \(id)"))
          try writer.set(city.id, try column(city, "country"), key, .link(countries[0]))
          let inner = try writer.createEmbedded(in: city.id, try column(city, "place"), key)
          try writer.set(place.id, try column(place, "height"), inner, .int(Int64(id * 100)))
          cities.append(key)
        }
        try writer.lists.assign(country.id, try column(country, "cities"), countries[0], cities.map { .link($0) })
      }
      studio =
        isWritable
        ? try StudioStore(path: temporary.path, isWritable: true) : StudioStore(temporary.store, isWritable: false)
      editing = StudioEditing(studio, patience: 0.1)
    }

    private static let classes = [
      ClassDeclaration(
        name: "Country",
        columns: [
          ColumnDeclaration(name: "iso", type: .string, isPrimaryKey: true),
          ColumnDeclaration(name: "name", type: .string, isOptional: true),
          ColumnDeclaration(name: "cities", type: .link, collection: .list, target: "City"),
        ]),
      ClassDeclaration(
        name: "City",
        columns: [
          ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
          ColumnDeclaration(name: "name", type: .string),
          ColumnDeclaration(name: "country", type: .link, isOptional: true, target: "Country"),
          ColumnDeclaration(name: "place", type: .link, isOptional: true, target: "Place"),
        ]),
      ClassDeclaration(name: "Place", isEmbedded: true, columns: [ColumnDeclaration(name: "height", type: .int)]),
    ]

    var version: UInt64 { get throws { try studio.store.snapshot().version } }

    /// - Parameter base: The version that the page saw; nil: the newest.
    func edit(_ changes: String, base: UInt64? = nil, isDry: Bool = false, tellsBases: Bool = true) throws -> Given {
      let body = #"{"base": \#(try base ?? version), "changes": [\#(changes)]}"#
      return try Given(
        try editing.edit(
          StudioRequest(
            method: "POST", path: ["api", "edit"],
            query: (isDry ? [("dry", "1")] : []) + (tellsBases ? [] : [("bases", "0")]), body: Array(body.utf8))))
    }

    func undo() throws -> Given {
      try Given(try editing.undo(StudioRequest(method: "POST", path: ["api", "undo"], body: Array("{}".utf8))))
    }

    /// Writes a name as another program would.
    func write(_ className: String, _ primaryKey: StoredValue, _ name: String) throws {
      try temporary.write { writer in
        let entry = try #require(writer.schema[className])
        let key = try #require(try writer.object(entry.id, primaryKey: primaryKey))
        let column = try #require(entry.column(named: "name"))
        try writer.set(entry.id, column.id, key, .string(name))
      }
    }

    /// An object as the page is given it.
    func object(_ className: String, _ name: String) throws -> String {
      let answer = try ObjectAnswers(try studio.store.snapshot(), className: className, name: name).object()
      let parts = try #require(JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
      let value = try #require(parts["object"])
      return String(decoding: try JSONSerialization.data(withJSONObject: value, options: .sortedKeys), as: UTF8.self)
    }

    func expectSound() throws {
      #expect(try StoreVerifier.verify(try studio.store.snapshot()).map(\.description) == [])
    }
  }

  private struct Given {
    let status: Int
    let members: [String: Any]

    init(_ response: StudioResponse) throws {
      guard case .whole(let answer) = response else {
        Issue.record("a stream")
        (status, members) = (0, [:])
        return
      }
      status = answer.status
      members = try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    }

    func list(_ name: String) -> [[String: Any]] { members[name] as? [[String: Any]] ?? [] }
  }

  @Test func `an edit is written in one commit and told as the verb tells it`() throws {
    let world = try World()
    let before = try world.version
    let given = try world.edit(
      #"{"class": "Country", "key": "PT", "set": {"name": "Lusitania"}}, {"class": "City", "key": 1, "set": {"name": "one", "place.height": "7"}}"#
    )
    #expect(given.status == 200)
    #expect(given.members["version"] as? UInt64 == before + 1)
    let changes = given.list("changes")
    #expect(changes.count == 2)
    let step = (changes.first?["changes"] as? [[String: Any]])?.first
    #expect(step?["property"] as? String == "name")
    #expect(step?["old"] as? String == "Portugal")
    #expect(step?["new"] as? String == "Lusitania")
    #expect(try world.object("City", "1").contains(#""height":7"#))
    #expect(try world.version == before + 1)
    try world.expectSound()
  }

  @Test func `a dry run writes nothing and cannot be undone`() throws {
    let world = try World()
    let (before, object) = (try world.version, try world.object("Country", "PT"))
    let given = try world.edit(#"{"class": "Country", "key": "PT", "delete": true}"#, isDry: true)
    let change = given.list("changes").first
    #expect(change?["links"] as? Int == 3)
    #expect(change?["version"] is NSNull)
    #expect(try world.version == before)
    #expect(try world.object("Country", "PT") == object)
    #expect { try world.undo() } throws: { ($0 as? RequestFault)?.status == 409 }
  }

  @Test func `a value that both changed is a conflict with mine, theirs and base`() throws {
    let world = try World()
    let base = try world.version
    try world.write("Country", .string("PT"), "Theirs")
    let change = #"{"class": "Country", "key": "PT", "set": {"name": "Mine"}}"#
    let given = try world.edit(change, base: base)
    #expect(given.status == 409)
    let conflict = given.list("conflicts").first
    #expect(conflict?["property"] as? String == "name")
    #expect(conflict?["mine"] as? String == "Mine")
    #expect(conflict?["theirs"] as? String == "Theirs")
    #expect(conflict?["base"] as? String == "Portugal")
    // A page has shown what it began with.
    let known = try world.edit(change, base: base, tellsBases: false)
    #expect(known.status == 409 && known.list("conflicts").first?["theirs"] as? String == "Theirs")
    #expect(known.list("conflicts").first?["base"] is NSNull)
    #expect(try world.object("Country", "PT").contains("Theirs"))
    #expect(try world.edit(change, base: given.members["version"] as? UInt64).status == 200)
    #expect(try world.object("Country", "PT").contains("Mine"))
  }

  @Test func `what others changed elsewhere is no conflict`() throws {
    let world = try World()
    let base = try world.version
    try world.write("City", .int(2), "theirs")
    let change =
      #"{"class": "City", "key": 2, "set": {"country": null}}, {"class": "City", "key": 1, "set": {"name": "mine"}}"#
    #expect(try world.edit(change, base: base).status == 200)
    #expect(try world.object("City", "2").contains("theirs"))
  }

  @Test func `an object that is deleted since, or changed since and to be deleted, is a conflict`() throws {
    let world = try World()
    let base = try world.version
    try world.write("City", .int(2), "theirs")
    try world.temporary.write { writer in
      let entry = try #require(writer.schema["City"])
      let key = try #require(try writer.object(entry.id, primaryKey: .int(3)))
      try writer.delete(entry.id, key)
    }
    let deleted = try world.edit(#"{"class": "City", "key": 3, "set": {"name": "mine"}}"#, base: base)
    #expect(deleted.status == 409)
    #expect(deleted.list("conflicts").first?["theirs"] is NSNull)
    #expect(try world.edit(#"{"class": "City", "key": 2, "delete": true}"#, base: base).status == 409)
    #expect { try world.edit(#"{"class": "City", "key": 9, "delete": true}"#) } throws: {
      ($0 as? StorageError)?.code == .noSuchObject
    }
  }

  @Test func `edits of one value are undone one by one, the last first`() throws {
    let world = try World()
    let original = try world.object("City", "1")
    for name in ["a", "b", "c"] { _ = try world.edit(#"{"class": "City", "key": 1, "set": {"name": "\#(name)"}}"#) }
    _ = try world.edit(#"{"class": "City", "key": 1, "set": {"place": null}}"#)
    #expect(try world.undo().members["notice"] == nil)
    #expect(try world.object("City", "1").contains(#""height":100"#))
    for name in ["b", "a"] {
      _ = try world.undo()
      #expect(try world.object("City", "1").contains(#""name":"\#(name)""#))
    }
    _ = try world.undo()
    #expect(try world.object("City", "1") == original)
    #expect { try world.undo() } throws: { ($0 as? RequestFault)?.status == 409 }
    try world.expectSound()
  }

  @Test func `fifty edits are undone at most`() throws {
    let world = try World()
    for number in 0...50 { _ = try world.edit(#"{"class": "City", "key": 1, "set": {"name": "\#(number)"}}"#) }
    for _ in 0..<50 { #expect(try world.undo().status == 200) }
    #expect { try world.undo() } throws: { ($0 as? RequestFault)?.status == 409 }
    #expect(try world.object("City", "1").contains(#""name":"0""#))
  }

  @Test func `undo is refused after a foreign change of what it would overwrite`() throws {
    let world = try World()
    _ = try world.edit(#"{"class": "City", "key": 1, "set": {"name": "mine"}}"#)
    try world.write("City", .int(1), "theirs")
    #expect { try world.undo() } throws: { ($0 as? RequestFault)?.status == 409 }
    #expect(try world.object("City", "1").contains("theirs"))
  }

  @Test func `undo is refused when the log does not reach back to the edit`() throws {
    let world = try World()
    _ = try world.edit(#"{"class": "City", "key": 1, "set": {"name": "mine"}}"#)
    for number in 0..<300 { try world.write("City", .int(2), "\(number)") }
    #expect { try world.undo() } throws: {
      ($0 as? RequestFault)?.status == 409 && "\($0)".contains("does not reach back")
    }
    #expect(try world.object("City", "1").contains("mine"))
  }

  @Test func `undo of a delete makes the object again with what led to it and from it`() throws {
    let world = try World()
    let names = [("Country", "PT"), ("City", "1"), ("City", "2"), ("City", "3")]
    let original = try names.map { try world.object($0.0, $0.1) }
    _ = try world.edit(
      #"{"class": "Country", "key": "PT", "delete": true}, {"class": "City", "key": 2, "delete": true}"#)
    #expect(try world.object("City", "1").contains(#""country":null"#))
    let given = try world.undo()
    #expect((given.members["notice"] as? String)?.contains("object key is new") == true)
    #expect(try names.map { try world.object($0.0, $0.1) } == original)
    try world.expectSound()
  }

  @Test func `undo of a delete is refused when its primary key or what led to it is taken`() throws {
    let taken = try World()
    _ = try taken.edit(#"{"class": "Country", "key": "ES", "delete": true}"#)
    try taken.temporary.write { writer in
      let country = try #require(writer.schema["Country"])
      _ = try writer.create(country.id, primaryKey: .string("ES"))
    }
    #expect { try taken.undo() } throws: { ($0 as? RequestFault)?.status == 409 }
    let linked = try World()
    _ = try linked.edit(#"{"class": "Country", "key": "PT", "delete": true}"#)
    try linked.temporary.write { writer in
      let city = try #require(writer.schema["City"])
      let country = try #require(writer.schema["Country"])
      let spain = try #require(try writer.object(country.id, primaryKey: .string("ES")))
      let key = try #require(try writer.object(city.id, primaryKey: .int(1)))
      let column = try #require(city.column(named: "country"))
      try writer.set(city.id, column.id, key, .link(spain))
    }
    #expect { try linked.undo() } throws: { ($0 as? RequestFault)?.status == 409 }
    try linked.expectSound()
  }

  @Test func `edits from before a deletion that was undone are undone, too`() throws {
    let world = try World()
    let names = [("Country", "PT"), ("City", "1"), ("City", "2"), ("City", "3")]
    func all() throws -> [String] { try names.map { try world.object($0.0, $0.1) } }
    let edits = [
      #"{"class": "Country", "key": "PT", "set": {"name": "one"}}"#,
      #"{"class": "City", "key": 1, "set": {"name": "two", "place.height": "7"}}"#,
      #"{"class": "City", "key": 2, "delete": true}"#, #"{"class": "Country", "key": "PT", "delete": true}"#,
      #"{"class": "City", "key": 1, "delete": true}"#, #"{"class": "City", "key": 3, "set": {"place": null}}"#,
    ]
    var states: [[String]] = []
    var isThere: [Int: [String]] = [:]
    for (number, edit) in edits.enumerated() {
      if number < 3 { states.append(try all()) }
      isThere[number] = try? [world.object("City", "3")]
      #expect(try world.edit(edit).status == 200)
    }
    for number in edits.indices.reversed() {
      _ = try world.undo()
      #expect(try [world.object("City", "3")] == isThere[number])
      if number < 3 { #expect(try all() == states[number], "after the undo of edit \(number)") }
    }
    try world.expectSound()
  }

  @Test func `an edit that waits too long for another program is refused, and not written later`() throws {
    let world = try World()
    let before = try world.version
    let writer = try world.temporary.store.beginLentWrite()
    #expect { try world.edit(#"{"class": "City", "key": 1, "set": {"name": "late"}}"#, base: before) } throws: {
      ($0 as? RequestFault)?.status == 423
    }
    writer.cancel()
    #expect(try world.version == before)
    #expect(try world.edit(#"{"class": "City", "key": 1, "set": {"name": "now"}}"#).status == 200)
  }

  @Test func `an edit that is stopped is not written, nor is its undo`() throws {
    let world = try World()
    _ = try world.edit(#"{"class": "City", "key": 1, "set": {"name": "first"}}"#)
    let before = try world.version
    let stopped = Interruption()
    stopped.stop()
    for call in [{ try world.edit(#"{"class": "City", "key": 1, "set": {"name": "late"}}"#) }, { try world.undo() }] {
      #expect(throws: Interruption.Stopped.self) { try Interruption.$current.withValue(stopped) { try call() } }
    }
    #expect(try world.version == before)
    _ = try world.undo()
  }

  @Test func `without --write nothing is changed`() throws {
    let world = try World(isWritable: false)
    for call in [{ try world.edit(#"{"class": "City", "key": 1, "delete": true}"#) }, { try world.undo() }] {
      #expect { try call() } throws: {
        ($0 as? RequestFault)?.status == 403 && ($0 as? RequestFault)?.kind == "readOnly"
      }
    }
  }
}
