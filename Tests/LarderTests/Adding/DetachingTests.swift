import Foundation
import TestSupport
import Testing

@testable import Larder

@Suite("Detached copies") struct DetachingTests {
  @Test("U-24: a detached copy is plain memory with everything the object leads to")
  func whole() throws {
    let realm = try makeRealm()
    let person = try realm.write {
      let person = realm.create(
        Person.self,
        value: [
          "id": 1, "name": "Ada", "dogs": [["name": "Rex", "tags": ["a", "b"]]],
          "address": ["city": "Ulm", "rooms": [["size": 3]]], "best": ["id": 2, "name": "Grace"],
        ] as [String: Any])
      person.best?.best = person
      person.dogs[0].owner = person
      person.dogs.append(person.dogs[0])
      return person
    }
    let copy = person.detached()
    #expect(copy.realm == nil && copy.name == "Ada" && copy.address?.rooms.map(\.size) == [3])
    #expect(copy.best?.name == "Grace" && copy.best?.best === copy)
    #expect(copy.dogs.count == 2 && copy.dogs[0] === copy.dogs[1] && copy.dogs[0].owner === copy)
    #expect(Array(copy.dogs[0].tags) == ["a", "b"] && copy.dogs[0].realm == nil)
    try realm.write { realm.deleteAll() }
    #expect(copy.name == "Ada" && person.isInvalidated)
    #expect(throws: Realm.Error.self) { try person.throwing.detached() }
    // What was detached can be added again.
    try realm.write { realm.add(copy) }
    #expect(realm.objects(Person.self).count == 2 && realm.objects(Dog.self).count == 1)
  }

  @Test("U-24: the depth counts links; embedded objects belong to their owner")
  func depth() throws {
    let realm = try makeRealm()
    let person = try realm.write {
      realm.create(
        Person.self,
        value: [
          "id": 1, "dogs": [["name": "Rex", "owner": ["id": 3, "name": "Far"]]],
          "address": ["city": "Ulm", "rooms": [["size": 3, "guest": ["name": "Bello", "owner": ["id": 4]]]]],
        ] as [String: Any])
    }
    let flat = person.detached(depth: 0)
    #expect(flat.dogs.isEmpty && flat.address?.city == "Ulm" && flat.address?.rooms.first?.guest == nil)
    let near = person.detached(depth: 1)
    #expect(near.dogs.first?.name == "Rex" && near.dogs.first?.owner == nil)
    #expect(near.address?.rooms.first?.guest?.name == "Bello" && near.address?.rooms.first?.guest?.owner == nil)
    #expect(person.detached(depth: 2).dogs.first?.owner?.name == "Far")
  }

  @Test("U-24: every type of value survives; unmanaged and frozen objects are copied as well")
  func types() throws {
    let realm = try makeRealm()
    let original = Everything()
    original.optDecimal = 1.5
    original.kinds.append(objectsIn: [.special, .plain])
    original.optInts.append(objectsIn: [1, nil])
    original.optLevel = .high
    let unmanaged = original.detached()
    #expect(unmanaged !== original && unmanaged.key == original.key && Array(unmanaged.optInts) == [1, nil])
    try realm.write { realm.add(original) }
    let copy = original.freeze().detached()
    for property in original.objectSchema.properties where !property.isArray && property.name != "date" {
      #expect("\(copy[property.name] ?? "nil")" == "\(original[property.name] ?? "nil")", "\(property.name)")
    }
    #expect(Array(copy.kinds) == [.special, .plain] && Array(copy.optInts) == [1, nil])
  }
}
