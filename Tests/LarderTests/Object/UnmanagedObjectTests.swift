import Foundation
import Testing

@testable import Larder

@Suite struct UnmanagedObjectTests {
  @Test("O-21 properties without an initialiser have their type's default")
  func defaults() {
    let value = Everything()
    #expect(value.int == 0 && value.bool == false && value.string == "" && value.data.isEmpty)
    #expect(value.optInt == nil && value.optString == nil && value.kind == .plain && value.level == .low)
    #expect(abs(value.date.timeIntervalSinceNow) < 60)
    #expect(value.uuid == value.uuid)
    #expect(value.objectId == value.objectId)
    #expect(value.objectId != ObjectId())
    #expect(value.ints.isEmpty)
    #expect(Person().active)
  }

  @Test("O-1 values from a dictionary: unknown keys are ignored, missing ones keep their default")
  func fromDictionary() {
    let person = Person(value: [
      "id": 3, "name": "Ada", "unknown": 1, "best": ["id": 4], "dogs": [["name": "Rex"], ["Bello"]],
      "address": ["city": "Ulm"],
    ])
    #expect(person.id == 3 && person.name == "Ada" && person.age == 0 && person.active)
    #expect(person.best?.id == 4)
    #expect(person.dogs.map(\.name) == ["Rex", "Bello"])
    #expect(person.address?.city == "Ulm")
    #expect(person.realm == nil && !person.isInvalidated)
  }

  @Test("O-1 values from an array in the order of the properties, and from another object")
  func fromArrayAndObject() {
    let person = Person(value: [7, "Grace", 30])
    #expect(person.id == 7 && person.name == "Grace" && person.age == 30 && person.email == nil)
    let copy = Person(value: person)
    #expect(copy.id == 7 && copy.name == "Grace" && copy !== person)
  }

  @Test("O-29 dynamic access by name")
  func dynamicAccess() {
    let dog = Dog(name: "Rex")
    #expect(dog["name"] as? String == "Rex")
    dog["name"] = "Bello"
    dog["kind"] = "special"
    #expect(dog.name == "Bello" && dog.kind == .special)
    #expect(dog["owner"] == nil)
    dog.tags.append("a")
    #expect((dog["tags"] as? List<String>)?.count == 1)
  }

  @Test("O-101 unmanaged objects are equal by instance")
  func equality() {
    let one = Person(id: 1)
    let other = Person(id: 1)
    #expect(one != other && one == one)
    #expect(Set([one, other, one]).count == 2)
  }

  @Test("O-81 assigning a list copies its contents")
  func listAssignment() {
    let dog = Dog()
    let tags = List<String>()
    tags.append(objectsIn: ["a", "b"])
    let kept = dog.tags
    dog.tags = tags
    tags.append("c")
    #expect(Array(kept) == ["a", "b"])
    dog.tags = dog.tags
    #expect(Array(dog.tags) == ["a", "b"])
  }

  @Test("Key paths give their property names, over links and lists")
  func keyPathNames() {
    #expect(_name(for: \Person.name) == "name")
    #expect(_name(for: \Person.best?.best?.name) == "best.best.name")
    #expect(_name(for: \Person.dogs[0].name) == "dogs.name")
    #expect(_name(for: \Person.dogs.first?.owner?.age) == "dogs.owner.age")
    #expect(_name(for: \Person.address?.city) == "address.city")
  }

  @Test("O-103 description")
  func description() {
    let text = Dog(name: "Rex").description
    #expect(text.hasPrefix("Dog {\n\tname = Rex;\n\tkind = plain;\n\towner = (null);"))
  }
}
