import Foundation
import Larder
import Testing

/// Migrations from public reports of object databases: a store is made by one class and opened by another of the same stored name. The
/// answers were written down before the first run.
@Suite("Reported cases: migrations") struct MigrationCaseTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func configuration(
    _ version: UInt64, _ types: [ObjectBase.Type], _ block: MigrationBlock? = nil
  ) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: folder.url.appendingPathComponent("case.larder"), schemaVersion: version, migrationBlock: block,
      objectTypes: types)
  }

  @Test("a key goes from text to UUID, with links between the objects")
  func keyToUUID() throws {
    let keys = (0..<5).map { _ in UUID() }
    try autoreleasepool {
      let realm = try Realm(configuration: configuration(1, [TextKeyed.self]))
      try realm.write {
        var last: TextKeyed?
        for (number, key) in keys.enumerated() {
          let object = TextKeyed()
          object.id = key.uuidString
          object.number = number
          object.friend = last
          realm.add(object)
          last = object
        }
      }
    }
    let realm = try Realm(
      configuration: configuration(2, [UUIDKeyed.self]) { migration, _ in
        migration.enumerateObjects(ofType: "Keyed") { old, new in
          new?["id"] = (old?["id"] as? String).flatMap(UUID.init(uuidString:))
        }
      })
    #expect(keys.map { realm.object(ofType: UUIDKeyed.self, forPrimaryKey: $0)?.number } == [0, 1, 2, 3, 4])
    #expect(realm.objects(UUIDKeyed.self).sorted(byKeyPath: "number").map { $0.friend?.number } == [nil, 0, 1, 2, 3])
  }

  @Test("keys that nobody sets: UUIDs get one each, texts would all be empty, which changes nothing")
  func keysOfNobody() throws {
    try autoreleasepool {
      let realm = try Realm(configuration: configuration(1, [TextKeyed.self, IntKeyed.self]))
      try realm.write {
        for _ in 0..<2 { realm.create(TextKeyed.self, value: ["id": UUID().uuidString]) }
        for id in 1...3 { realm.create(IntKeyed.self, value: [id]) }
      }
    }
    #expect(throws: Realm.Error.self) {
      try Realm(configuration: configuration(2, [UUIDKeyed.self, TextOfInt.self]) { _, _ in })
    }
    try autoreleasepool {
      let realm = try Realm(configuration: configuration(1, [TextKeyed.self, IntKeyed.self]))
      #expect(realm.objects(IntKeyed.self).filter("id > 0").count == 3)
    }
    let realm = try Realm(
      configuration: configuration(2, [UUIDKeyed.self, TextOfInt.self]) { migration, _ in
        migration.enumerateObjects(ofType: "Counted") { old, new in new?["id"] = (old?["id"] as? Int).map { "\($0)" } }
      })
    #expect(realm.objects(TextOfInt.self).sorted(byKeyPath: "id").map(\.id) == ["1", "2", "3"])
    #expect(realm.objects(UUIDKeyed.self).count == 2)
  }

  @Test("an object that is made in a migration may get its key afterwards")
  func created() throws {
    try autoreleasepool {
      let realm = try Realm(configuration: configuration(1, [TextKeyed.self]))
      try realm.write { for key in ["TOTO", "x", "TATA"] { realm.create(TextKeyed.self, value: ["id": key]) } }
    }
    let realm = try Realm(
      configuration: configuration(2, [TextKeyed.self, Copied.self]) { migration, _ in
        migration.enumerateObjects(ofType: "Keyed") { _, new in
          guard let key = new?["id"] as? String, key != "x" else { return }
          let copy = migration.create("Copied")
          copy["key"] = "NEW" + key
          copy["name"] = key
        }
      })
    let copies = realm.objects(Copied.self).sorted(byKeyPath: "key")
    #expect(copies.map(\.key) == ["NEWTATA", "NEWTOTO"])
    #expect(copies.map(\.name) == ["TATA", "TOTO"])
  }

  @Test("the key moves to another property, and away; optional becomes required with its default")
  func keyMoves() throws {
    try autoreleasepool {
      let realm = try Realm(configuration: configuration(1, [KeyIsID.self]))
      try realm.write {
        for id in 0..<3 {
          let text: Any = id == 0 ? NSNull() : "s\(id)"
          realm.create(KeyIsID.self, value: ["id": id, "text": text, "number": id * 10] as [String: Any])
        }
      }
    }
    try autoreleasepool {
      let realm = try Realm(configuration: configuration(2, [KeyIsText.self]) { _, _ in })
      try realm.write {
        realm.object(ofType: KeyIsText.self, forPrimaryKey: "s1")?.id = 2
        realm.object(ofType: KeyIsText.self, forPrimaryKey: "s2")?.number = nil
      }
      let all = realm.objects(KeyIsText.self)
      #expect(all.map(\.id) == [0, 2, 2])
      #expect(all.map(\.text) == [nil, "s1", "s2"])
      #expect(all.map(\.number) == [0, 10, nil])
    }
    let realm = try Realm(configuration: configuration(3, [KeyIsNothing.self]) { _, _ in })
    let all = realm.objects(KeyIsNothing.self)
    #expect(all.map(\.id) == [0, 2, 2])
    #expect(all.map(\.text) == ["none", "s1", "s2"])
    #expect(all.map(\.number) == [0, 10, 7])
    #expect(all.map(\.extra) == [42, 42, 42])
    #expect(all.filter("id == 2").count == 2)
  }

  @Test("keys are exchanged and links follow; a duplicate is an error that changes nothing")
  func exchanged() throws {
    try autoreleasepool {
      let realm = try Realm(configuration: configuration(1, [Ring.self]))
      try realm.write {
        for id in 0..<4 { realm.create(Ring.self, value: ["id": id, "number": id] as [String: Any]) }
        for object in realm.objects(Ring.self) {
          object.next = realm.object(ofType: Ring.self, forPrimaryKey: (object.id + 1) % 4)
        }
      }
    }
    try autoreleasepool {
      let realm = try Realm(
        configuration: configuration(2, [Ring.self]) { migration, _ in
          migration.enumerateObjects(ofType: "Ring") { old, new in new?["id"] = (old?["id"] as? Int).map { 3 - $0 } }
        })
      let ring = (0..<4).map { realm.object(ofType: Ring.self, forPrimaryKey: $0) }
      #expect(ring.map { $0?.number } == [3, 2, 1, 0])
      #expect(ring.map { $0?.next?.number } == [0, 3, 2, 1])
    }
    #expect(throws: Realm.Error.self) {
      try Realm(
        configuration: configuration(3, [Ring.self]) { migration, _ in
          migration.enumerateObjects(ofType: "Ring") { _, new in new?["id"] = 1 }
        })
    }
    #expect(try Realm(configuration: configuration(2, [Ring.self])).objects(Ring.self).count == 4)
  }

  @Test("a class becomes embedded: two owners get an object each, and one without owner goes")
  func becomesEmbedded() throws {
    try autoreleasepool {
      let realm = try Realm(configuration: configuration(1, [Street.self, House.self]))
      try realm.write {
        let streets = ["x", "y", "orphan"].map { realm.create(Street.self, value: ["name": $0]) }
        for number in 0..<3 {
          let house = House()
          house.number = number
          house.street = number < 2 ? streets[0] : nil
          house.more.append(objectsIn: [streets[1], streets[0]])
          realm.add(house)
        }
      }
    }
    let realm = try Realm(configuration: configuration(2, [EmbeddedStreet.self, EmbeddingHouse.self]) { _, _ in })
    let houses = realm.objects(EmbeddingHouse.self)
    try realm.write { houses.first?.street?.name = "changed" }
    #expect(houses.map { $0.street?.name } == ["changed", "x", nil])
    #expect(houses.map { $0.more.map(\.name).joined() } == ["yx", "yx", "yx"])
  }

  @Test("a property gets another name and another type in one step, and an error in the block undoes everything")
  func renamedAndConverted() throws {
    try autoreleasepool {
      let realm = try Realm(configuration: configuration(1, [TextAge.self]))
      try realm.write {
        for id in 0..<3 { realm.create(TextAge.self, value: ["id": id, "age": "\(id * 11)"] as [String: Any]) }
      }
    }
    try autoreleasepool {
      let realm = try Realm(
        configuration: configuration(2, [Years.self]) { migration, _ in
          migration.renameProperty(onType: "Aged", from: "id", to: "key")
          migration.enumerateObjects(ofType: "Aged") { old, new in
            new?["years"] = (old?["age"] as? String).flatMap { Int($0) }
          }
        })
      #expect((0..<3).map { realm.object(ofType: Years.self, forPrimaryKey: $0)?.years } == [0, 11, 22])
    }
    #expect(throws: Stopped.self) {
      try Realm(
        configuration: configuration(3, [Years.self]) { migration, _ in
          migration.deleteData(forType: "Aged")
          throw Stopped()
        })
    }
    #expect(try Realm(configuration: configuration(2, [Years.self])).objects(Years.self).count == 3)
  }
}

private struct Stopped: Error {}

private class TextKeyed: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var number: Int
  @Persisted var friend: TextKeyed?
  override class func _realmObjectName() -> String? { "Keyed" }
}

private class UUIDKeyed: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var number: Int
  @Persisted var friend: UUIDKeyed?
  override class func _realmObjectName() -> String? { "Keyed" }
}

private class IntKeyed: Object {
  @Persisted(primaryKey: true) var id: Int
  override class func _realmObjectName() -> String? { "Counted" }
}

private class TextOfInt: Object {
  @Persisted(primaryKey: true) var id: String
  override class func _realmObjectName() -> String? { "Counted" }
}

private class Copied: Object {
  @Persisted(primaryKey: true) var key: String
  @Persisted var name: String
  override class func _realmObjectName() -> String? { "Copied" }
}

private class KeyIsID: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String?
  @Persisted var number: Int
  override class func _realmObjectName() -> String? { "KeyMoves" }
}

private class KeyIsText: Object {
  @Persisted var id: Int
  @Persisted(primaryKey: true) var text: String?
  @Persisted var number: Int?
  override class func _realmObjectName() -> String? { "KeyMoves" }
}

private class KeyIsNothing: Object {
  @Persisted(indexed: true) var id: Int
  @Persisted var text = "none"
  @Persisted var number = 7
  @Persisted var extra = 42
  override class func _realmObjectName() -> String? { "KeyMoves" }
}

private class Ring: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
  @Persisted var next: Ring?
  override class func _realmObjectName() -> String? { "Ring" }
}

private class Street: Object {
  @Persisted var name: String
  override class func _realmObjectName() -> String? { "Street" }
}

private class House: Object {
  @Persisted var number: Int
  @Persisted var street: Street?
  @Persisted var more: List<Street>
  override class func _realmObjectName() -> String? { "House" }
}

private class EmbeddedStreet: EmbeddedObject {
  @Persisted var name: String
  override class func _realmObjectName() -> String? { "Street" }
}

private class EmbeddingHouse: Object {
  @Persisted var number: Int
  @Persisted var street: EmbeddedStreet?
  @Persisted var more: List<EmbeddedStreet>
  override class func _realmObjectName() -> String? { "House" }
}

private class TextAge: Object {
  @Persisted var id: Int
  @Persisted var age: String
  override class func _realmObjectName() -> String? { "Aged" }
}

private class Years: Object {
  @Persisted(primaryKey: true) var key: Int
  @Persisted var years: Int
  override class func _realmObjectName() -> String? { "Aged" }
}
