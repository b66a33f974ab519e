import Foundation
import Testing

@testable import Larder

/// Covers E-22, E-34 to E-36, E-40, E-50, E-52, E-54, E-56, E-59, E-60, E-65, E-80, E-81, E-82 and E-88: each ends the
/// process with a message that names the class or the property and says what to do.
@Suite("Misuse of objects and collections") struct ObjectMisuseTests {
  private func expect(_ result: ExitTest.Result?, _ parts: String..., location: SourceLocation = #_sourceLocation) {
    let text = misuseText(result)
    for part in parts { #expect(text.contains(part), sourceLocation: location) }
  }

  @Test("E-22 a key of another length") func key() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var configuration = temporaryConfiguration()
      configuration.encryptionKey = Data(count: 5)
    }
    expect(result, "must be 64 bytes, got 5")
  }

  @Test("R-9, E-34 beginning a write in a write") func nestedWrite() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      try realm.write { realm.beginWrite() }
    }
    expect(result, "already open on this Realm")
  }

  @Test("R-9, E-35 a commit without a write") func commit() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try makeRealm().commitWrite()
    }
    expect(result, "No write transaction is open")
  }

  @Test("E-36 and O-13 writing a frozen object") func frozen() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      let person = try realm.write { realm.create(Person.self, value: ["id": 1]) }
      person.freeze().age = 3
    }
    expect(result, "frozen")
  }

  @Test("E-40 and O-13 setting a property outside of a write") func property() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      let person = try realm.write { realm.create(Person.self, value: ["id": 1]) }
      person.age = 3
    }
    expect(result, "Change Person.age inside realm.write")
  }

  @Test("E-40 changing a list outside of a write") func list() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      let person = try realm.write { realm.create(Person.self, value: ["id": 1]) }
      person.dogs.append(Dog())
    }
    expect(result, "Change Person.dogs inside realm.write")
  }

  @Test("E-51 adding a deleted object") func addingDeleted() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      try realm.write {
        let dog = realm.create(Dog.self)
        realm.delete(dog)
        realm.add(dog)
      }
    }
    expect(result, "A deleted object cannot be added")
  }

  @Test("E-52 linking an object of another Realm") func otherRealm() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, other) = (try makeRealm(), try makeRealm())
      let person = try other.write { other.create(Person.self, value: ["id": 1]) }
      try realm.write { realm.create(Person.self, value: ["id": 2]).best = person }
    }
    expect(result, "managed by another Realm; use create(_:value:) to copy it")
  }

  @Test("E-54 deleting what is not of this Realm") func deleting() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      try realm.write { realm.delete(Dog()) }
    }
    expect(result, "Only objects of this Realm can be deleted")
  }

  @Test("E-59 a class that is not in the schema") func schema() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try makeRealm().objects(Node.self)
    }
    expect(result, "Node is not in this Realm's schema; add it to objectTypes")
  }

  @Test("E-60 an unknown property by name") func unknownProperty() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Person()["nmae"]
    }
    expect(result, "nmae", "Person")
  }

  @Test("E-65 an embedded object with a second parent") func secondParent() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      try realm.write {
        let first = realm.create(Person.self, value: ["id": 1, "address": ["city": "A"]] as [String: Any])
        realm.create(Person.self, value: ["id": 2]).address = first.address
      }
    }
    expect(result, "Address is embedded and already has a parent; copy it with Address(value:)")
  }

  @Test("E-80 an index out of bounds") func index() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try makeRealm().objects(Person.self)[3]
    }
    expect(result, "Index 3 is out of bounds (count 0)")
  }

  @Test("E-81 removing more than there is") func removing() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let person = Person()
      person.dogs.removeFirst(2)
    }
    expect(result, "Cannot remove 2 of 0 elements")
  }

  @Test("E-82 the list of a deleted owner") func deletedOwner() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      let person = try realm.write { realm.create(Person.self, value: ["id": 1]) }
      let dogs = person.dogs
      try realm.write { realm.delete(person) }
      _ = dogs.count
    }
    expect(result, "The owner of Person.dogs was deleted")
  }

  @Test("E-88 filtering an unmanaged list") func unmanagedList() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Person().dogs.filter("name = 'a'")
    }
    expect(result, "add its owner to a Realm first")
  }

  @Test("Q-1 filtering values") func filteringValues() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      let dog = try realm.write { realm.create(Dog.self, value: ["tags": ["a"]]) }
      _ = dog.tags.filter("self = 'a'")
    }
    expect(result, "Only collections of objects can be filtered")
  }

  @Test("E-120 observing a frozen Realm's results") func observingFrozen() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try makeRealm().freeze().objects(Person.self).observe { _ in }
    }
    expect(result, "Only live, managed things can be observed")
  }

  @Test("E-121 observing where nothing delivers") func observingWithoutLoop() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      elsewhere {
        let realm = try? makeRealm()
        _ = realm?.objects(Person.self).observe { _ in }
      }
    }
    expect(result, "pass a serial queue with on:")
  }

  @Test("E-124 an unknown property in keyPaths") func observingUnknown() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let queue = DispatchQueue(label: "owner")
      try queue.sync {
        let realm = try Realm(configuration: temporaryConfiguration(), queue: queue)
        _ = realm.objects(Person.self).observe(keyPaths: ["nmae"]) { _ in }
      }
    }
    expect(result, "Person has no property 'nmae' to observe")
  }
}
