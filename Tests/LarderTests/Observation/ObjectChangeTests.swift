import Dispatch
import Foundation
import Testing

@testable import Larder

/// Covers N-21, N-41, N-42 and N-44: what observers of one object, and of a map, are notified of values.
@Suite("Changes of objects and maps", .timeLimit(.minutes(30))) struct ObjectChangeTests {
  private static let types: [ObjectBase.Type] = [Person.self, Dog.self, Address.self, Room.self]

  /// Observes the person 0, has another Realm change things, and gives what was reported.
  private static func told(
    _ keyPaths: [String]? = nil, _ change: @escaping (Realm) throws -> Void,
    _ read: @escaping (PropertyChange) -> String
  ) throws -> [String] {
    let configuration = temporaryConfiguration(types)
    var told: [String] = []
    let queue = DispatchQueue(label: "owner")
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      try realm.write {
        let people = (0..<3).map { Person(id: $0, name: "p\($0)", age: $0) }
        realm.add(people)
        people[0].best = people[1]
      }
      let person = realm.object(ofType: Person.self, forPrimaryKey: 0)
      let token = person?.observe(keyPaths: keyPaths) { (change: ObjectChange<Person>) in
        if case .change(_, let properties) = change { told += properties.map(read) }
        if case .deleted = change { told.append("deleted") }
      }
      elsewhere {
        do {
          let realm = try Realm(configuration: configuration)
          try realm.write { try change(realm) }
        } catch {
          Issue.record(error)
        }
      }
      realm.refresh()
      token?.invalidate()
    }
    return told
  }

  private static func person(_ realm: Realm, _ id: Int) throws -> Person {
    try #require(realm.object(ofType: Person.self, forPrimaryKey: id))
  }

  @Test("N-42 the old value of a link is the object it led to, as that is now") func links() throws {
    let told = try Self.told { realm in
      try Self.person(realm, 0).best = Self.person(realm, 2)
      try Self.person(realm, 1).name = "renamed"
    } _: { change in
      let (old, new) = (change.oldValue as? Person, change.newValue as? Person)
      return "\(change.name) \(old?.id ?? -1) \(old?.name ?? "-") \(new?.id ?? -1) \(new?.realm?.isFrozen == false)"
    }
    #expect(told == ["best 1 renamed 2 true"])
  }

  @Test("N-42 the old value of a link to what was deleted is an invalidated object; the new one is nil")
  func deletedLink() throws {
    let told = try Self.told { realm in
      realm.delete(try Self.person(realm, 1))
    } _: { change in
      "\(change.name) \((change.oldValue as? Person)?.isInvalidated == true) \(change.newValue == nil)"
    }
    #expect(told == ["best true true"])
  }

  @Test("F-146: the new value of a collection is the collection, the old one is nil") func collections() throws {
    let told = try Self.told { realm in
      try Self.person(realm, 0).dogs.append(Dog(name: "Rex"))
    } _: { change in
      let dogs = change.newValue as? List<Dog>
      return
        "\(change.name) \(change.oldValue == nil) \(dogs?.map(\.name).joined() ?? "-") \(dogs?.realm?.isFrozen == false)"
    }
    #expect(told == ["dogs true Rex true"])
  }

  @Test("N-42 a link that was nil has no old value") func nilLink() throws {
    let told = try Self.told { realm in
      try Self.person(realm, 0).best = nil
      try Self.person(realm, 0).email = "e"
    } _: { change in
      "\(change.name) \(change.oldValue != nil) \(change.newValue != nil)"
    }
    #expect(told == ["email false true", "best true false"])
  }

  @Test("N-41, N-44 assigning what is there already counts; each property is reported once, in the order of the schema")
  func selfAssignment() throws {
    let told = try Self.told { realm in
      let person = try Self.person(realm, 0)
      person.age = 5
      person.name = person.name
      person.age = 0
    } _: {
      "\($0.name) \($0.oldValue ?? "-") \($0.newValue ?? "-")"
    }
    #expect(told == ["name p0 p0", "age 0 0"])
  }

  @Test("N-44, O-44 a modifying update of equal values is no change") func equalUpdate() throws {
    let told = try Self.told { realm in
      realm.create(Person.self, value: ["id": 0, "name": "p0", "age": 9], update: .modified)
    } _: {
      $0.name
    }
    #expect(told == ["age"])
  }

  @Test(
    "N-21 a key removed and added again in one delivery is reported as both; one added and removed not at all"
  )
  func mapKeys() throws {
    let types: [ObjectBase.Type] = [Bag.self, Owner.self, Pet.self, Holder.self, Shelf.self]
    try onQueue(types) { realm in
      var told: [String] = []
      let bag = Bag(id: 1)
      try realm.write {
        realm.add(bag)
        for (key, value) in [("a", 1), ("b", 2), ("c", 3)] { bag.counts[key] = value }
      }
      let token = bag.counts.observe { change in
        guard case .update(_, let deletions, let insertions, let modifications) = change else { return }
        told.append("-\(deletions) +\(insertions) ~\(modifications)")
      }
      realm.refresh()
      try realm.write {
        bag.counts.removeObject(for: "b")
        bag.counts["b"] = 5
        bag.counts["c"] = bag.counts["c"]
        bag.counts.removeObject(for: "a")
        bag.counts["d"] = 4
      }
      try realm.write {}
      try realm.write {
        bag.counts["x"] = 1
        bag.counts.removeObject(for: "x")
      }
      try realm.write {}
      #expect(told == ["-[\"a\", \"b\"] +[\"b\", \"d\"] ~[\"c\"]"])
      token.invalidate()
    }
  }
}
