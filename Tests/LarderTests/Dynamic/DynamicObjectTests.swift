import Foundation
import TestSupport
import Testing

@testable import Larder

@Suite("Dynamic objects") struct DynamicObjectTests {
  @Test("O-29: every class of the store can be read and written by name")
  func byName() throws {
    let realm = try makeRealm()
    try realm.write {
      realm.create(
        Person.self, value: ["id": 1, "name": "Ada", "dogs": [["name": "Rex"]], "address": ["city": "Ulm"]])
    }
    let person = try #require(realm.dynamicObjects("Person").first)
    #expect(person["name"] as? String == "Ada")
    #expect(person.name as? String == "Ada")
    #expect(person["email"] == nil)
    #expect((person["address"] as? Address)?["city"] as? String == "Ulm")
    let dogs = try #require(person["dogs"] as? List<DynamicObject>)
    #expect(dogs.count == 1 && dogs[0]["name"] as? String == "Rex" && dogs[0].objectSchema.className == "Dog")
    #expect((dogs.first?.tags as? List<String>)?.isEmpty == true)
    try realm.write {
      person["name"] = "Grace"
      person.email = "g@example.org"
      person["dogs"] = [["name": "Bello"], ["name": "Waldi"]]
      person["address"] = ["city": "Bonn", "rooms": [["size": 3]]] as [String: Any]
      dogs.first?.kind = "special"
    }
    let typed = try #require(realm.objects(Person.self).first)
    #expect(typed.name == "Grace" && typed.email == "g@example.org" && typed.dogs.map(\.name) == ["Bello", "Waldi"])
    #expect(typed.address?.city == "Bonn" && typed.address?.rooms.first?.size == 3 && typed.dogs[0].kind == .special)
    #expect(person.isSameObject(as: typed) && person == typed)
  }

  @Test(
    "M-82: a program without classes reads and writes a store by the names in its file, which is not compared with anything"
  )
  func withoutClasses() throws {
    let folder = try TemporaryFolder()
    let known = folder.configuration([Person.self, Dog.self, Address.self, Room.self], version: 4)
    do {
      let realm = try Realm(configuration: known)
      try realm.write {
        realm.create(
          Person.self, value: ["id": 1, "name": "Ada", "dogs": [["name": "Rex"]], "address": ["city": "Ulm"]])
      }
    }
    let url = try #require(known.fileURL)
    let configuration = folder.configuration([], version: try schemaVersionAtURL(url))
    do {
      let realm = try Realm(configuration: configuration)
      #expect(realm.schema.objectSchema.map(\.className).sorted() == ["Address", "Dog", "Person", "Room"])
      let person = try #require(realm.dynamicObjects("Person").filter("ANY dogs.name = 'Rex'").first)
      #expect(person["name"] as? String == "Ada" && (person["address"] as? DynamicObject)?["city"] as? String == "Ulm")
      #expect(person.objectSchema.primaryKeyProperty?.name == "id")
      try realm.write {
        person["name"] = "Grace"
        realm.dynamicCreate("Person", value: ["id": 2, "dogs": [["name": "Bello"]]])
      }
      // Who has the classes is another Realm of the same store.
      let typed = try Realm(configuration: known)
      #expect(typed.objects(Person.self).map(\.name) == ["Grace", ""])
    }
    // Nothing of the schema was changed, and nothing has to be.
    #expect(try schemaVersionAtURL(url) == 4)
    #expect(try Realm(configuration: known).object(ofType: Person.self, forPrimaryKey: 2)?.dogs.first?.name == "Bello")
    var reading = configuration
    reading.readOnly = true
    #expect(try Realm(configuration: reading).dynamicObjects("Dog").map { $0["name"] as? String } == ["Rex", "Bello"])
  }

  @Test("O-29: enums appear in their stored form, optional collections keep nil")
  func storedForms() throws {
    let realm = try makeRealm()
    try realm.write {
      realm.create(
        Everything.self,
        value: ["kind": "special", "level": 10, "optInts": [1, NSNull()], "kinds": ["plain"]] as [String: Any])
    }
    let object = try #require(realm.dynamicObjects("Everything").first)
    #expect(object["kind"] as? String == "special" && object["level"] as? Int == 10 && object["int8"] as? Int == 0)
    #expect((object["optInts"] as? List<Int?>).map(Array.init) == [1, nil])
    #expect((object["kinds"] as? List<String>).map(Array.init) == ["plain"])
    #expect(object["decimal"] as? Decimal128 == 0 && object["optUuid"] == nil)
  }

  @Test("O-3: dynamicCreate makes and updates, with the defaults of the Swift class")
  func create() throws {
    let realm = try makeRealm()
    try realm.write {
      let dog = realm.dynamicCreate("Dog", value: ["name": "Rex"])
      let person = realm.dynamicCreate("Person", value: ["id": 1, "dogs": [dog], "best": ["id": 2]])
      #expect(person["active"] as? Bool == true)
      realm.dynamicCreate("Person", value: ["id": 1, "name": "Ada"], update: .modified)
    }
    let typed = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
    #expect(typed.name == "Ada" && typed.dogs.map(\.name) == ["Rex"] && typed.best?.id == 2)
    #expect(realm.dynamicObject(ofType: "Person", forPrimaryKey: 2)?["id"] as? Int == 2)
    #expect(realm.dynamicObject(ofType: "Person", forPrimaryKey: 3) == nil)
    #expect(realm.dynamicObjects("Person").filter("name = 'Ada'").count == 1)
  }

  @Test("O-29: classes of the file without a Swift class are read, made, changed, linked and deleted")
  func unknownClasses() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/a.realm"
    do {
      let realm = try Realm(configuration: temporaryConfiguration(at: path))
      try realm.write {
        realm.create(
          Person.self,
          value: ["id": 1, "name": "Ada", "dogs": [["name": "Rex"]], "address": ["city": "Ulm"]] as [String: Any])
      }
    }
    let configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: [Unrelated.self])
    let realm = try Realm(configuration: configuration)
    let person = try #require(realm.dynamicObjects("Person").first)
    #expect(person["name"] as? String == "Ada" && person.objectSchema["best"]?.objectClassName == "Person")
    #expect((person["dogs"] as? List<DynamicObject>)?.first?["name"] as? String == "Rex")
    try realm.write {
      person["name"] = "Grace"
      person["address"] = ["city": "Bonn", "rooms": [["size": 3], ["size": 4]]] as [String: Any]
      let dog = realm.dynamicCreate("Dog", value: ["name": "Waldi", "tags": ["a", "b"]] as [String: Any])
      person["dogs"] = [dog]
      let other = realm.dynamicCreate("Person", value: ["id": 2, "best": person, "score": 2.5] as [String: Any])
      #expect((other["best"] as? DynamicObject)?["name"] as? String == "Grace" && other["active"] as? Bool == false)
      realm.dynamicCreate("Person", value: ["id": 2, "age": 7], update: .modified)
    }
    let rooms = try #require((person["address"] as? DynamicObject)?["rooms"] as? List<DynamicObject>)
    #expect(rooms.map { $0["size"] as? Int } == [3, 4] && realm.dynamicObjects("Room").count == 2)
    #expect(realm.dynamicObjects("Dog").count == 2)
    try realm.write { realm.delete(person) }
    #expect(realm.dynamicObjects("Room").isEmpty && person.isInvalidated)
    let other = try #require(realm.dynamicObject(ofType: "Person", forPrimaryKey: 2))
    #expect(other["best"] == nil && other["age"] as? Int == 7 && other["score"] as? Double == 2.5)
    #expect(other.freeze()["age"] as? Int == 7 && other.freeze().thaw()?["age"] as? Int == 7)
  }

  @Test("O-29, E-61: throwing forms set properties by name, of plain values too, and refuse what does not fit")
  func throwingSet() throws {
    let realm = try makeRealm()
    try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada", "dogs": [["name": "Rex"]]]) }
    let person = try #require(realm.dynamicObjects("Person").first)
    try realm.write {
      try person.throwing.setValue("Grace", forKey: "name")
      try person.throwing.setValue(36, forKey: "age")
      try person.throwing.setValue(nil, forKey: "email")
      try person.throwing.setValue(["city": "Ulm"], forKey: "address")
      try realm.dynamicObjects("Dog").throwing.setValue(["a", "b"], forKey: "tags")
      #expect(throws: Realm.Error.self) { try person.throwing.setValue("x", forKey: "age") }
      #expect(throws: Realm.Error.self) { try realm.dynamicObjects("Dog").throwing.setValue([1], forKey: "tags") }
    }
    let typed = try #require(realm.objects(Person.self).first)
    #expect(typed.name == "Grace" && typed.age == 36 && typed.email == nil && typed.address?.city == "Ulm")
    #expect(typed.dogs.first.map { Array($0.tags) } == ["a", "b"])
  }

  @Test("O-3: an object of another Realm without a Swift class is copied where it links to nothing, and else throws")
  func foreign() throws {
    let folder = try TemporaryDirectory()
    let realms = try ["a", "b"].map { name in
      let path = folder.path + "/\(name).realm"
      do { _ = try Realm(configuration: temporaryConfiguration(at: path)) }
      return try Realm(configuration: .init(fileURL: URL(fileURLWithPath: path), objectTypes: [Unrelated.self]))
    }
    let dog = try realms[0].write {
      realms[0].dynamicCreate("Dog", value: ["name": "Rex", "tags": ["a"]] as [String: Any])
    }
    try realms[1].write {
      let copy = try realms[1].throwing.dynamicCreate("Dog", value: dog)
      #expect(
        copy["name"] as? String == "Rex" && (copy["tags"] as? List<String>)?.count == 1 && copy.realm == realms[1])
      let error = #expect(throws: Realm.Error.self) {
        try realms[1].throwing.dynamicCreate("Person", value: ["id": 1, "dogs": [dog]] as [String: Any])
      }
      #expect(error?.className == "Dog" && error?.message.contains("has no unmanaged form") == true)
    }
    #expect(realms[1].dynamicObjects("Dog").count == 1 && realms[1].dynamicObjects("Person").isEmpty)
  }

  @Test("O-29: a list of a typed object can be had with untyped elements")
  func dynamicList() throws {
    let realm = try makeRealm()
    let person = try realm.write { realm.create(Person.self, value: ["id": 1, "dogs": [["name": "Rex"]]]) }
    let dogs = person.dynamicList("dogs")
    #expect(dogs.first?["name"] as? String == "Rex")
    try realm.write { dogs.append(objectsIn: realm.dynamicObjects("Dog")) }
    #expect(person.dogs.count == 2)
  }

  @Test("O-29 and O-62: sets, maps and values of any type, with and without a Swift class")
  func collections() throws {
    let folder = try TemporaryDirectory()
    let url = folder.url.appendingPathComponent("a.realm")
    do {
      let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [Bookcase.self, Volume.self]))
      let shelf = try realm.write {
        realm.create(
          Bookcase.self,
          value: [
            "numbers": [3, 1], "books": [["title": "a"]], "byName": ["x": ["title": "b"], "y": NSNull()],
            "any": "text", "anys": [1, "two"],
          ] as [String: Any])
      }
      try realm.write {
        // One character in two spellings: two keys.
        shelf.counts["e\u{301}"] = 1
        shelf.counts["\u{E9}"] = 2
      }
      let copy = shelf.detached()
      #expect(Set(copy.numbers) == [1, 3] && copy.books.first?.title == "a" && copy.byName["x"]??.title == "b")
      #expect(copy.byName.count == 2 && copy.any == .string("text") && Array(copy.anys) == [.int(1), .string("two")])
      #expect(copy.books.first?.realm == nil && copy.counts.count == 2 && copy.counts["\u{E9}"] == 2)
      #expect(shelf.dynamicMutableSet("books").first?["title"] as? String == "a")
      let map: Map<String, DynamicObject?> = shelf.dynamicMap("byName")
      #expect(map["x"]??["title"] as? String == "b" && map.count == 2)
      try check(try #require(realm.dynamicObjects("Bookcase").first))
    }
    do {
      let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [Unrelated.self]))
      let shelf = try #require(realm.dynamicObjects("Bookcase").first)
      try check(shelf)
      try realm.write {
        shelf["numbers"] = [7]
        shelf["counts"] = ["k": 5]
        shelf["any"] = 2.5
        shelf["books"] = [["title": "new"]]
      }
      #expect((shelf["numbers"] as? MutableSet<Int>).map(Array.init) == [7] && shelf["any"] as? Double == 2.5)
      #expect((shelf["counts"] as? Map<String, Int>)?["k"] == 5)
      #expect((shelf["books"] as? MutableSet<DynamicObject>)?.first?["title"] as? String == "new")
    }
  }

  private func check(_ shelf: DynamicObject) throws {
    #expect((shelf["numbers"] as? MutableSet<Int>).map(Array.init) == [1, 3])
    #expect((shelf["books"] as? MutableSet<DynamicObject>)?.first?["title"] as? String == "a")
    #expect((shelf["byName"] as? Map<String, DynamicObject?>)?["x"]??["title"] as? String == "b")
    #expect(shelf["any"] as? String == "text" && (shelf["anys"] as? List<AnyRealmValue>)?.count == 2)
  }

  @Test("N-33 and N-35: key paths of untyped objects go through inverses too, and a star names those")
  func observing() throws {
    try onQueue([Bookcase.self, Volume.self]) { realm in
      let shelf = try realm.write { realm.create(Bookcase.self, value: ["books": [["title": "a"]]] as [String: Any]) }
      var told: [String: Int] = [:]
      let tokens = [["shelves"], ["shelves.any"], ["*"]].map { keyPaths in
        realm.dynamicObjects("Volume").observe(keyPaths: keyPaths) { change in
          if case .update(_, _, _, [0]) = change { told[keyPaths[0], default: 0] += 1 }
        }
      }
      realm.refresh()
      try realm.write { shelf.any = .int(1) }
      realm.refresh()
      #expect(told == ["shelves.any": 1])
      try realm.write { shelf.books.removeAll() }
      realm.refresh()
      #expect(told == ["shelves": 1, "shelves.any": 2, "*": 1])
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test("E-60: an unknown property ends the process") func unknownProperty() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      let dog = try realm.write { realm.dynamicCreate("Dog") }
      _ = dog.nmae
    }
    #expect(misuseText(result).contains("Dog has no property 'nmae'"))
  }

  @Test("E-59: an unknown class ends the process") func unknownClass() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try makeRealm().dynamicObjects("Dgo")
    }
    #expect(misuseText(result).contains("no class 'Dgo'"))
  }
}

/// A class that has nothing to do with the others.
final class Unrelated: Object { @Persisted var value: Int }

final class Bookcase: Object {
  @Persisted var numbers: MutableSet<Int>
  @Persisted var books: MutableSet<Volume>
  @Persisted var byName: Map<String, Volume?>
  @Persisted var counts: Map<String, Int>
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
}

final class Volume: Object {
  @Persisted var title: String
  @Persisted(originProperty: "books") var shelves: LinkingObjects<Bookcase>
}
