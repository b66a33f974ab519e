import Foundation
import Testing

@testable import Larder

/// Declarations by name on classes with wrappers.
@Suite("Declarations by name") struct NamedDeclarationsTests {
  class Keyed: Object {
    @Persisted var id: Int
    @Persisted var name: String
    @Persisted var day: Date?
    var scratch = 0
    override class func primaryKey() -> String? { "id" }
    override class func indexedProperties() -> [String] { ["name", "day"] }
    override class func ignoredProperties() -> [String] { ["scratch"] }
  }
  class Derived: Keyed { @Persisted var more: Int }
  class Both: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted(indexed: true) var name: String
    override class func primaryKey() -> String? { "id" }
    override class func indexedProperties() -> [String] { ["name"] }
  }

  @Test("F-2: primaryKey() and indexedProperties() are honoured beside @Persisted, in subclasses too")
  func honoured() async throws {
    let realm = try makeRealm([Keyed.self, Derived.self, Both.self])
    let schema = realm.schema
    for name in ["Keyed", "Derived", "Both"] { #expect(schema[name]?.primaryKeyProperty?.name == "id") }
    #expect(schema["Keyed"]?["name"]?.isIndexed == true && schema["Derived"]?["day"]?.isIndexed == true)
    try realm.write {
      realm.create(Keyed.self, value: ["id": 1, "name": "a"])
      realm.create(Keyed.self, value: ["id": 1, "name": "b"], update: .modified)
      realm.add(Derived(value: ["id": 2, "more": 3]))
      #expect(throws: Realm.Error.self) { try realm.throwing.create(Keyed.self, value: ["id": 1]) }
      #expect(throws: Realm.Error.self) { try realm.throwing.add(Derived(value: ["id": 2])) }
    }
    #expect(realm.objects(Keyed.self).map(\.name) == ["b"])
    #expect(realm.object(ofType: Derived.self, forPrimaryKey: 2)?.more == 3)
    let plan = try realm.objects(Keyed.self).where { $0.name == "b" }.explain()
    #expect("\(plan)".contains("index"))
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm([Keyed.self])
      try realm.write {
        realm.add(Keyed(value: ["id": 1]))
        realm.add(Keyed(value: ["id": 1]))
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Keyed") && text.contains("1"), "\(text)")
  }

  class Other: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var code: Int
    override class func primaryKey() -> String? { "code" }
  }
  class Missing: Object {
    @Persisted var id: Int
    override class func primaryKey() -> String? { "key" }
    override class func indexedProperties() -> [String] { ["what"] }
  }
  class Searched: Object {
    @Persisted(indexed: .fullText) var text: String
    override class func indexedProperties() -> [String] { ["text"] }
  }
  class Ignored: Object {
    @Persisted var id: Int
    @Persisted var name: String
    override class func ignoredProperties() -> [String] { ["name"] }
  }
  class Part: EmbeddedObject {
    @Persisted var name: String
    override class func ignoredProperties() -> [String] { ["name"] }
  }
  class Wrong: Object {
    @Persisted var share: Double
    @Persisted var tags: List<Int>
    override class func primaryKey() -> String? { "share" }
    override class func indexedProperties() -> [String] { ["share", "tags"] }
  }

  @Test("F-2: what contradicts the wrappers is a fault of the schema") func contradictions() {
    let error = #expect(throws: Realm.Error.self) {
      _ = try makeRealm([Other.self, Missing.self, Searched.self, Ignored.self, Part.self, Wrong.self])
    }
    for text in [
      "Class Other: it has 2 primary keys: id, code", "Class Missing, property key: primaryKey() names it",
      "Class Missing, property what: indexedProperties() names it",
      "Class Searched, property text: indexedProperties()",
      "Class Ignored, property name: ignoredProperties() names it", "Class Part, property name: ignoredProperties()",
      "Class Wrong, property share: a primary key must be",
      "Class Wrong, property share: properties of type double cannot be indexed",
      "Class Wrong, property tags: collections cannot be indexed",
    ] { #expect(error?.message.contains(text) == true, "\(text): \(error?.message ?? "")") }
  }

  class Hub: Object { @Persisted(originProperty: "hub") var spokes: LinkingObjects<Spoke> }
  class Spoke: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var hub: Hub?
    @Persisted var rim: Rim?
  }
  class Rim: EmbeddedObject { @Persisted(originProperty: "rim") var spokes: LinkingObjects<Spoke> }

  @Test("F-22: a class with nothing but LinkingObjects is stored, linked, found and deleted") func onlyInverses() throws
  {
    let folder = try TemporaryFolder()
    let types: [ObjectBase.Type] = [Hub.self, Spoke.self, Rim.self]
    do {
      let realm = try Realm(configuration: folder.configuration(types))
      try realm.write {
        let hub = realm.create(Hub.self)
        realm.add(Hub())
        for id in 1...3 {
          let spoke = realm.create(Spoke.self, value: ["id": id, "rim": [String: Any]()])
          spoke.hub = hub
        }
      }
      #expect(realm.objects(Hub.self).count == 2 && realm.objects(Hub.self)[0].spokes.map(\.id) == [1, 2, 3])
      #expect(realm.objects(Hub.self)[1].spokes.isEmpty)
    }
    let realm = try Realm(configuration: folder.configuration(types))
    #expect(realm.objects(Hub.self).where { $0.spokes.id == 2 }.count == 1)
    #expect(realm.object(ofType: Spoke.self, forPrimaryKey: 2)?.rim?.spokes.map(\.id) == [2])
    try realm.write { realm.delete(realm.objects(Hub.self)[0]) }
    #expect(realm.objects(Hub.self).count == 1 && realm.objects(Spoke.self).allSatisfy { $0.hub == nil })
  }
}
