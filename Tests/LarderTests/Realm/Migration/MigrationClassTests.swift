import Foundation
import Testing

@testable import Larder
@testable import LarderStorage

/// Migrations of classes: embedded and top-level, renamed, removed, linked.
@Suite("Migrations of classes") struct MigrationClassTests {
  enum Shared {
    class Dog: Object {
      @Persisted var name = ""
      @Persisted var toy: Toy?
      @Persisted var friends: List<Dog>
    }
    class Toy: EmbeddedObject { @Persisted var name = "" }
    class Owner: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var dog: Dog?
      @Persisted var dogs: List<Dog>
      @Persisted var byName: Map<String, Dog?>
      @Persisted var any: AnyRealmValue
    }
  }
  enum Owned {
    class Dog: EmbeddedObject {
      @Persisted var name = ""
      @Persisted var toy: Toy?
    }
    class Toy: EmbeddedObject { @Persisted var name = "" }
    class Owner: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var dog: Dog?
      @Persisted var dogs: List<Dog>
      @Persisted var byName: Map<String, Dog?>
      @Persisted var any: AnyRealmValue
    }
  }

  private func verify(_ realm: Realm) throws {
    let problems = try StoreVerifier.verify(realm.core.currentSnapshot())
    #expect(problems.isEmpty, "\(problems.map(\.description))")
  }

  private static let sharedTypes = [Shared.Dog.self, Shared.Toy.self, Shared.Owner.self]
  private static let ownedTypes = [Owned.Dog.self, Owned.Toy.self, Owned.Owner.self]

  /// Rex is linked seven times, Solo not at all.
  private func filled(_ extra: (Realm, Shared.Dog) -> Void = { _, _ in }) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let realm = try Realm(configuration: folder.configuration(Self.sharedTypes, version: 1))
    try realm.write {
      let rex = realm.create(Shared.Dog.self, value: ["name": "Rex", "toy": ["name": "ball"]] as [String: Any])
      let lassie = realm.create(Shared.Dog.self, value: ["name": "Lassie"])
      realm.create(Shared.Dog.self, value: ["name": "Solo", "toy": ["name": "bone"]] as [String: Any])
      let first = realm.create(Shared.Owner.self, value: ["id": 1])
      first.dog = rex
      first.dogs.append(objectsIn: [rex, lassie, rex])
      first.byName["r"] = rex
      let second = realm.create(Shared.Owner.self, value: ["id": 2])
      second.dog = rex
      second.dogs.append(rex)
      second.byName["a"] = Shared.Dog?.none
      extra(realm, rex)
    }
    return folder
  }

  @Test("M-70, M-71 each link to an object of a class that becomes embedded gets its own; objects without links go")
  func embedding() throws {
    let folder = try filled()
    let realm = try Realm(configuration: folder.configuration(Self.ownedTypes, version: 2))
    let owners = realm.objects(Owned.Owner.self)
    #expect(owners.map { $0.dog?.name } == ["Rex", "Rex"])
    #expect(owners.map { $0.dogs.map(\.name) } == [["Rex", "Lassie", "Rex"], ["Rex"]])
    #expect(owners.first?.byName["r"]??.toy?.name == "ball")
    #expect(owners[0].dogs[0].toy?.name == "ball" && owners[0].dogs[2].toy?.name == "ball")
    #expect(try realm.core.reader.count(of: realm.core.cursor(for: Owned.Dog.self).classID) == 7)
    #expect(try realm.core.reader.count(of: realm.core.cursor(for: Owned.Toy.self).classID) == 6)
    try realm.write {
      owners[0].dog?.name = "changed"
      owners[0].dogs[0].toy?.name = "changed"
    }
    #expect(owners[1].dog?.name == "Rex" && owners[0].dogs[2].toy?.name == "ball")
    try verify(realm)
  }

  @Test("M-70, E-26 a class that values of any type link to cannot become embedded; the block may clear them")
  func embeddingAny() throws {
    let folder = try filled { realm, rex in realm.objects(Shared.Owner.self).first?.any = .object(rex) }
    var configuration = folder.configuration(Self.ownedTypes, version: 2)
    let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    #expect(error?.code == .fail && error?.message.contains("'Owner.any'") == true, "\(String(describing: error))")
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Owner") { _, new in new?["any"] = nil as Any? }
    }
    try verify(try Realm(configuration: configuration))
  }

  @Test("M-73 links can be tidied in the block, a dictionary makes a new object, and an existing one is copied")
  func embeddingTidied() throws {
    let folder = try filled()
    var configuration = folder.configuration(Self.ownedTypes, version: 2)
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Owner") { old, new in
        guard let new else { return }
        if old?["id"] as? Int == 1 {
          new["dog"] = ["name": "Fido"]
        } else {
          new["dog"] = (new["dogs"] as? List<DynamicObject>)?.first
          (new["dogs"] as? List<DynamicObject>)?.removeAll()
        }
      }
    }
    let realm = try Realm(configuration: configuration)
    let owners = realm.objects(Owned.Owner.self)
    #expect(owners.map { $0.dog?.name } == ["Fido", "Rex"])
    #expect(owners.map { $0.dogs.map(\.name) } == [["Rex", "Lassie", "Rex"], []])
    try verify(realm)
  }

  enum Free {
    class Toy: Object { @Persisted(primaryKey: true) var name = "" }
    class Dog: Object {
      @Persisted var name = ""
      @Persisted var toy: Toy?
      @Persisted var friends: List<Dog>
    }
  }

  @Test("M-74 embedded objects become objects of their own, all of them, and may get a primary key")
  func freeing() throws {
    let folder = try filled()
    let realm = try Realm(configuration: folder.configuration([Free.Toy.self, Free.Dog.self], version: 2))
    #expect(Set(realm.objects(Free.Toy.self).map(\.name)) == ["ball", "bone"])
    #expect(realm.object(ofType: Free.Toy.self, forPrimaryKey: "ball") != nil)
    try realm.write { if let dog = realm.objects(Free.Dog.self).first { realm.delete(dog) } }
    #expect(realm.objects(Free.Toy.self).count == 2)
    try verify(realm)
  }

  enum Pets {
    class Pet: Object {
      @Persisted var name = ""
      @Persisted var toy: Toy?
      @Persisted var friends: List<Pet>
      @Persisted var legs = 4
    }
    class Toy: EmbeddedObject { @Persisted var name = "" }
    class Owner: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var dog: Pet?
      @Persisted var dogs: List<Pet>
      @Persisted var byName: Map<String, Pet?>
      @Persisted var any: AnyRealmValue
    }
  }

  @Test("U-12 a renamed class keeps its objects and all links to them") func renamedClass() throws {
    let folder = try filled { realm, rex in realm.objects(Shared.Owner.self).first?.any = .object(rex) }
    var configuration = folder.configuration([Pets.Pet.self, Pets.Toy.self, Pets.Owner.self], version: 2)
    configuration.migrationBlock = { migration, _ in
      migration.renameClass(from: "Dog", to: "Pet")
      var names: [String] = []
      migration.enumerateObjects(ofType: "Pet") { old, new in
        #expect(old?["name"] as? String == new?["name"] as? String)
        names.append(new?["name"] as? String ?? "")
      }
      #expect(names == ["Rex", "Lassie", "Solo"])
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Pets.Owner.self).first?.dogs.map(\.name) == ["Rex", "Lassie", "Rex"])
    #expect(realm.objects(Pets.Owner.self).first?.any.object(Pets.Pet.self)?.name == "Rex")
    #expect(realm.objects(Pets.Pet.self).map(\.legs) == [4, 4, 4])
    #expect(realm.objects(Pets.Pet.self).where { $0.toy.name == "bone" }.count == 1)
    try verify(realm)
  }

  @Test("U-12 a class cannot take the name of objects that were made already, or of a class that is there")
  func wrongClassRenames() throws {
    let folder = try filled()
    var configuration = folder.configuration([Pets.Pet.self, Pets.Toy.self, Pets.Owner.self], version: 2)
    configuration.migrationBlock = { migration, _ in
      migration.create("Pet")
      #expect(throws: Realm.Error.self) { try migration.throwing.renameClass(from: "Dog", to: "Pet") }
      #expect(throws: Realm.Error.self) { try migration.throwing.renameClass(from: "Nothing", to: "Pet") }
      migration.renameClass(from: "Owner", to: "Master")
    }
    let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    #expect(error?.message.contains("there is still a class 'Owner'") == true)
  }

  enum Alone { class Owner: Object { @Persisted(primaryKey: true) var id: Int } }

  @Test("M-35 a class that is not declared stays; M-62 deleteData empties a class, or takes it out of the file")
  func deleteData() throws {
    let folder = try filled()
    var configuration = folder.configuration([Alone.Owner.self], version: 2)
    configuration.migrationBlock = { migration, _ in
      #expect(!migration.deleteData(forType: "") && !migration.deleteData(forType: "Nothing"))
      var old: [String] = []
      migration.enumerateObjects(ofType: "Dog") { object, new in
        #expect(new == nil)
        old.append(object?["name"] as? String ?? "")
      }
      #expect(old == ["Rex", "Lassie", "Solo"])
      #expect(migration.deleteData(forType: "Owner"))
      migration.create("Owner", value: ["id": 9])
    }
    do {
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(Alone.Owner.self).map(\.id) == [9])
      #expect(realm.dynamicObjects("Dog").count == 3)
      try verify(realm)
    }
    configuration.schemaVersion = 3
    configuration.migrationBlock = { migration, _ in
      #expect(throws: Realm.Error.self) { try migration.throwing.deleteData(forType: "Toy") }
      #expect(migration.deleteData(forType: "Dog"))
      #expect(migration.deleteData(forType: "Toy"))
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.core.schema["Dog"] == nil && realm.core.schema["Toy"] == nil)
    #expect(realm.objects(Alone.Owner.self).map(\.id) == [9])
    try verify(realm)
  }

  @Test("M-60 create makes an object with the class's defaults; an embedded or unknown class is misuse")
  func create() throws {
    let folder = try filled()
    var configuration = folder.configuration([Pets.Pet.self, Pets.Toy.self, Pets.Owner.self], version: 2)
    configuration.migrationBlock = { migration, _ in
      let made = migration.create("Pet", value: ["name": "Kit", "toy": ["name": "mouse"]] as [String: Any])
      #expect(made["legs"] as? Int == 4)
      #expect(throws: Realm.Error.self) { try migration.throwing.create("Toy") }
      #expect(throws: Realm.Error.self) { try migration.throwing.create("Dog") }
      var seen: [String] = []
      migration.enumerateObjects(ofType: "Pet") { old, new in
        #expect(old == nil)
        seen.append(new?["name"] as? String ?? "")
      }
      #expect(seen == ["Kit"])
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Pets.Pet.self).first?.toy?.name == "mouse")
    try verify(realm)
  }

  enum Narrow {
    class Lists: Object {
      @Persisted var list: List<String?>
      @Persisted var set: MutableSet<Int?>
      @Persisted var map: Map<String, Double?>
      @Persisted var wide: List<Int>
    }
  }
  enum Wide {
    class Lists: Object {
      @Persisted var list: List<String>
      @Persisted var set: MutableSet<Int>
      @Persisted var map: Map<String, Double>
      @Persisted var wide: List<Int?>
    }
  }

  @Test("M-42, M-43 elements of collections stay when nil becomes possible or impossible") func elements() throws {
    let folder = try TemporaryFolder()
    do {
      let realm = try Realm(configuration: folder.configuration([Narrow.Lists.self]))
      try realm.write {
        let lists = realm.create(Narrow.Lists.self)
        lists.list.append(objectsIn: ["a", nil, "b"])
        lists.set.insert(objectsIn: [3, nil])
        lists.map["x"] = .some(nil)
        lists.map["y"] = 2
        lists.wide.append(objectsIn: [1, 2])
      }
    }
    let realm = try Realm(configuration: folder.configuration([Wide.Lists.self], version: 1))
    let lists = try #require(realm.objects(Wide.Lists.self).first)
    #expect(Array(lists.list) == ["a", "", "b"] && Set(lists.set) == [0, 3] && Array(lists.wide) == [1, 2])
    #expect(lists.map["x"] == 0 && lists.map["y"] == 2)
    try realm.write { lists.wide.append(nil) }
    try verify(realm)
  }
}
