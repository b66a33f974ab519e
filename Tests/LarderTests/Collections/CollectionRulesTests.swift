import Foundation
import Testing

@testable import Larder

/// Rules that hold for lists, sets and maps alike, and the throwing forms of lists.
@Suite struct CollectionRulesTests {
  @Test("E-80, E-81, E-36 and E-40 lists throw for wrong positions, counts and places, and change nothing")
  func throwing() throws {
    let realm = try makeRealm()
    let value = Everything()
    value.ints.append(objectsIn: [1, 2, 3])
    let unmanaged = List<Int>()
    unmanaged.append(objectsIn: [1, 2, 3])
    try realm.write { realm.add(value) }
    #expect(throws: Realm.Error.self) { try value.ints.throwing.append(4) }
    #expect(throws: Realm.Error.self) { try value.ints.freeze().throwing.append(4) }
    try realm.write {
      for list in [value.ints, unmanaged] {
        let error = #expect(throws: Realm.Error.self) { try list.throwing[3] }
        #expect(error?.message == "Index 3 is out of bounds (count 3).")
        #expect(throws: Realm.Error.self) { try list.throwing.insert(9, at: 4) }
        #expect(throws: Realm.Error.self) { try list.throwing.insert(contentsOf: [9], at: -1) }
        #expect(throws: Realm.Error.self) { try list.throwing.remove(at: 3) }
        #expect(throws: Realm.Error.self) { try list.throwing.removeFirst(4) }
        #expect(throws: Realm.Error.self) { try list.throwing.removeLast(-1) }
        #expect(throws: Realm.Error.self) { try list.throwing.replace(index: 3, object: 1) }
        #expect(throws: Realm.Error.self) { try list.throwing.replaceSubrange(2..<5, with: [1]) }
        #expect(throws: Realm.Error.self) { try list.throwing.removeSubrange(3...3) }
        #expect(throws: Realm.Error.self) { try list.throwing.removeSubrange(4...) }
        #expect(throws: Realm.Error.self) { try list.throwing.removeSubrange(..<(-1)) }
        #expect(throws: Realm.Error.self) { try list.throwing.removeSubrange(...3) }
        #expect(throws: Realm.Error.self) { try list.throwing.remove(atOffsets: [0, 7]) }
        #expect(throws: Realm.Error.self) { try list.throwing.move(from: 0, to: 3) }
        #expect(throws: Realm.Error.self) { try list.throwing.move(fromOffsets: [0], toOffset: 4) }
        #expect(throws: Realm.Error.self) { try list.throwing.swapAt(0, 3) }
        #expect(Array(list) == [1, 2, 3])
        try list.throwing.append(objectsIn: [4, 5])
        try list.throwing.move(fromOffsets: [0, 1], toOffset: 4)
        #expect(Array(list) == [3, 4, 1, 2, 5])
        #expect(try list.throwing[0] == 3)
        try list.throwing.removeAll()
        try list.throwing.append(objectsIn: [1, 2, 3])
      }
    }
  }

  @Test("E-82 and O-84 a list whose owner is gone throws; isInvalidated and description stay safe")
  func owner() throws {
    let realm = try makeRealm()
    let value = Everything()
    try realm.write { realm.add(value) }
    let list = value.ints
    try realm.write { realm.delete(value) }
    #expect(list.isInvalidated && list.description == "List<Int> <invalidated>" && list.thaw() == nil)
    let error = #expect(throws: Realm.Error.self) { try list.throwing[0] }
    #expect(error?.message.contains("The owner of Everything.ints was deleted") == true)
    #expect(error?.className == "Everything" && error?.propertyName == "ints")
    realm.beginWrite()
    #expect(throws: Realm.Error.self) { try list.throwing.append(1) }
    realm.cancelWrite()
  }

  @Test("E-52, E-55, E-51 and E-0b elements that cannot be added throw, and change nothing")
  func elements() throws {
    let realm = try makeBagRealm()
    let other = try makeBagRealm()
    _ = try makeBag(realm)
    let foreign = try makeBag(other)
    let holder = Holder()
    let (pet, gone) = (Pet(name: "a"), Pet(name: "gone"))
    try other.write { foreign.pets.insert(pet) }
    try realm.write {
      realm.add(holder)
      realm.add(gone)
      realm.delete(gone)
    }
    let owner = try realm.write { realm.create(Owner.self, value: ["id": 1]) }
    try realm.write {
      #expect(throws: Realm.Error.self) { try holder.bags.throwing.updateValue(Bag(id: 1), forKey: "a") }
      #expect(throws: Realm.Error.self) { try holder.set.throwing.insert(objectsIn: [Bag(id: 7), Bag(id: 1)]) }
      #expect(throws: Realm.Error.self) { try holder.set.throwing.insert(foreign) }
      #expect(throws: Realm.Error.self) { try owner.pets.throwing.append(objectsIn: [Pet(name: "b"), pet]) }
      #expect(throws: Realm.Error.self) { try owner.pets.throwing.insert(gone, at: 0) }
      #expect(throws: Realm.Error.self) { try owner.pets.throwing.insert(Pet(name: "b"), at: 1) }
      #expect(holder.bags.isEmpty && holder.set.isEmpty && owner.pets.isEmpty)
      #expect(realm.objects(Bag.self).count == 1 && realm.objects(Pet.self).isEmpty)
      try holder.bags.throwing.updateValue(Bag(id: 2), forKey: "b")
      try owner.pets.throwing.append(Pet(name: "c"))
    }
    #expect(holder.bags["b"]??.id == 2 && owner.pets.count == 1)
  }

  @Test("R-14 results of a list whose owner is gone are empty, and stay valid")
  func results() throws {
    let realm = try makeBagRealm()
    let bag = try makeBag(realm)
    try realm.write {
      bag.pets.insert(Pet(name: "a"))
      bag.petsByName["b"] = Pet(name: "b")
      bag.ints.insert(3)
    }
    let pets = bag.pets.filter("name != ''")
    let values = bag.petsByName.filter("name != ''")
    let ints = bag.ints.sorted()
    #expect(pets.count == 1 && values.count == 1 && Array(ints) == [3])
    try realm.write { realm.delete(bag) }
    #expect(pets.isEmpty && values.first == nil && ints.isEmpty && !pets.isInvalidated && !ints.isInvalidated)
  }

  @Test("Q-152, Q-159 and Q-170 values sort, group and add up by self")
  func values() throws {
    let realm = try makeRealm()
    let value = Everything()
    value.ints.append(objectsIn: [3, 1, 3, 2])
    value.optInts.append(objectsIn: [nil, 5, 2])
    value.strings.append(objectsIn: ["b", "a"])
    let early = Date(timeIntervalSince1970: 1)
    value.dates.append(objectsIn: [Date(timeIntervalSince1970: 9), early])
    try realm.write { realm.add(value) }
    #expect(Array(value.ints.sorted()) == [1, 2, 3, 3] && Array(value.ints.distinct()) == [3, 1, 2])
    #expect(Array(value.ints.sorted(by: [SortDescriptor(keyPath: "self", ascending: false)])) == [3, 3, 2, 1])
    #expect(value.ints.sum(ofProperty: "self") == 9 && value.ints.max(ofProperty: "self") == 3)
    #expect(value.ints.distinct().sum() == 6 && value.ints.average() == 2.25)
    #expect(value.optInts.sum() == 7 && value.optInts.min() == 2 && value.optInts.average() == 3.5)
    #expect(Array(value.optInts.sorted()) == [nil, 2, 5] && Array(value.strings.sorted()) == ["a", "b"])
    #expect(value.dates.min() == early && List<Int>().sum() == 0 && List<Int>().max() == nil)
    #expect(value.ints.index(of: 2) == 3 && value.ints.index(of: 9) == nil && value.optInts.index(of: nil) == 0)
    let largest: Any? = value.ints.value(forKeyPath: "@max.self")
    let distinct: Any? = value.ints.value(forKeyPath: "@distinctUnionOfObjects.self")
    #expect(largest as? Int == 3 && distinct as? [Int] == [3, 1, 2])
  }

  @Test("R-19 operators over the properties of objects")
  func operators() throws {
    let realm = try makeBagRealm()
    let owner = Owner(id: 1)
    for (name, weight) in [("a", 1.0), ("b", 4.0), ("a", 1.0)] {
      let pet = Pet(name: name)
      pet.weight = weight
      owner.pets.append(pet)
    }
    for _ in 0..<2 {
      let pets = owner.pets
      func at(_ keyPath: String) -> Any? {
        let found: Any? = pets.value(forKeyPath: keyPath)
        return found
      }
      #expect(at("@count") as? Int == 3)
      #expect(at("@sum.weight") as? Double == 6)
      #expect(at("@min.weight") as? Double == 1)
      #expect(at("@unionOfObjects.name") as? [String] == ["a", "b", "a"])
      #expect(at("@distinctUnionOfObjects.name") as? [String] == ["a", "b"])
      #expect(at("name") as? [String] == ["a", "b", "a"])
      if owner.realm == nil { try realm.write { realm.add(owner) } }
    }
  }

  @Test("E-66 to E-89 what collections cannot do ends with a message that says what to do")
  func misused() async {
    let sum = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makePetRealm()
      let owner = try realm.write { realm.create(Owner.self, value: ["id": 1]) }
      let _: Int = owner.pets.sum(ofProperty: "name")
    }
    #expect(misuseText(sum).contains("sum is not available for Pet.name"))
    let sorted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeBagRealm()
      _ = try makeBag(realm).ints.sorted(by: [SortDescriptor(keyPath: "name")])
    }
    #expect(misuseText(sorted).contains("can only be sorted by \"self\""))
    let frozen = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = MutableSet<Int>().freeze()
    }
    #expect(misuseText(frozen).contains("Only managed sets can be frozen"))
    let observed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Map<String, Int>().observe { (_: RealmMapChange<Map<String, Int>>) in }
    }
    #expect(misuseText(observed).contains("An unmanaged map cannot be observed"))
    let outside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeBagRealm()
      try makeBag(realm).counts["a"] = 1
    }
    #expect(misuseText(outside).contains("Change Bag.counts inside realm.write"))
  }

  @Test("O-81 assigning copies the contents; a collection assigned to itself stays as it is")
  func assigning() throws {
    let realm = try makeBagRealm()
    let (a, b) = (try makeBag(realm), try makeBag(realm, id: 2))
    let shelves = List<Int>()
    shelves.append(1)
    try realm.write {
      a.ints.insert(objectsIn: [1, 2])
      a.counts["x"] = 1
      b.ints = a.ints
      b.counts = a.counts
      a.ints.removeAll()
      b.counts = b.counts
    }
    #expect(Array(b.ints) == [1, 2] && b.counts["x"] == 1 && a.ints.isEmpty)
    let unmanaged = Bag()
    unmanaged.ints = b.ints
    #expect(Set(unmanaged.ints) == [1, 2] && unmanaged.ints.realm == nil)
  }
}
