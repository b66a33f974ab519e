import Foundation
import Testing

@testable import Larder

final class Zoo: Object {
  @Persisted var star: Animal?
  @Persisted var animals: List<Animal>
  @Persisted var some: MutableSet<Animal>
  @Persisted var byName: Map<String, Animal?>
  @Persisted var cage: Cage?
  @Persisted var cages: List<Cage>
}

class Cage: EmbeddedObject {
  @Persisted var size: Int
}

final class Aquarium: Cage {
  @Persisted var volume: Int
}

/// Covers O-28: subclasses share declarations, not rows.
@Suite("Inheritance") struct InheritanceTests {
  private static let types: [ObjectBase.Type] = [Animal.self, Cat.self, Zoo.self, Cage.self, Aquarium.self]

  @Test("O-28 and E-67: a link to a class holds no object of a subclass, unmanaged or managed, in no kind of property")
  func links() throws {
    let realm = try makeRealm(Self.types)
    let (zoo, cat) = try realm.write {
      realm.create(Animal.self, value: ["name": "other"])
      return (realm.create(Zoo.self), realm.create(Cat.self, value: ["name": "c"]))
    }
    func refused(_ property: String, _ body: () throws -> Void) throws {
      try realm.write {
        let error = #expect(throws: Realm.Error.self, performing: body)
        #expect(error?.message == "Zoo.\(property) holds Animal, got Cat." && error?.propertyName == property)
      }
    }
    for object in [cat, Cat()] {
      try refused("star") { try zoo.throwing.setValue(object, forKey: "star") }
      try refused("animals") { try zoo.animals.throwing.append(object) }
      try refused("animals") { try zoo.throwing.setValue([object], forKey: "animals") }
      try refused("some") { try zoo.some.throwing.insert(object) }
      try refused("byName") { try zoo.byName.throwing.updateValue(object, forKey: "a") }
    }
    let new = Zoo()
    new.star = Cat()
    try refused("star") { try realm.throwing.add(new) }
    try realm.write {
      #expect(throws: Realm.Error.self) { try zoo.throwing.setValue(Aquarium(), forKey: "cage") }
      #expect(throws: Realm.Error.self) { try zoo.cages.throwing.append(Aquarium()) }
    }
    #expect(zoo.star == nil && zoo.animals.isEmpty && zoo.some.isEmpty && zoo.byName.isEmpty && zoo.cages.isEmpty)
    #expect(realm.objects(Zoo.self).count == 1 && realm.objects(Cat.self).count == 1)
    #expect(!zoo.animals.contains(cat) && zoo.animals.index(of: cat) == nil && !zoo.some.contains(cat))
  }

  @Test("O-28 and E-67: assigning an object of a subclass ends the process in the plain form") func plain() async {
    let link = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm([Animal.self, Cat.self, Zoo.self, Cage.self, Aquarium.self])
      try realm.write { realm.create(Zoo.self).star = realm.create(Cat.self) }
    }
    #expect(misuseText(link).contains("Zoo.star holds Animal, got Cat."))
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm([Animal.self, Cat.self, Zoo.self, Cage.self, Aquarium.self])
      try realm.write { realm.create(Zoo.self).animals.append(Cat()) }
    }
    #expect(misuseText(list).contains("Zoo.animals holds Animal, got Cat."))
    let embedded = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm([Animal.self, Cat.self, Zoo.self, Cage.self, Aquarium.self])
      try realm.write { realm.create(Zoo.self).cage = Aquarium() }
    }
    #expect(misuseText(embedded).contains("Zoo.cage holds Cage, got Aquarium."))
    let added = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm([Animal.self, Cat.self, Zoo.self, Cage.self, Aquarium.self])
      let zoo = Zoo()
      zoo.byName["a"] = Cat()
      try realm.write { realm.add(zoo) }
    }
    #expect(misuseText(added).contains("Zoo.byName holds Animal, got Cat."))
  }

  @Test("O-28: objects of a class are not those of its subclass, nor are their keys, queries and deletions")
  func rows() throws {
    let realm = try makeRealm(Self.types)
    try realm.write {
      for name in ["a", "b"] { realm.create(Animal.self, value: ["name": name]) }
      for name in ["a", "c"] { realm.create(Cat.self, value: ["name": name, "lives": 9] as [String: Any]) }
    }
    #expect(realm.objects(Animal.self).map(\.name) == ["a", "b"] && realm.objects(Cat.self).map(\.name) == ["a", "c"])
    #expect(realm.objects(Animal.self).filter("name == 'c'").isEmpty)
    // A subclass's object can be copied into its base class's, which takes what it knows.
    let copy = try realm.write { realm.create(Animal.self, value: realm.objects(Cat.self)[1]) }
    #expect(copy.name == "c" && type(of: copy) == Animal.self)
    try realm.write { realm.delete(realm.objects(Animal.self)) }
    #expect(realm.objects(Cat.self).count == 2)
  }
}
