import Foundation
import Testing

@testable import Larder

@Suite struct ErasureTests {
  private func makeOwner(_ realm: Realm) throws -> Owner {
    try realm.write {
      let owner = Owner(id: 1)
      realm.add(owner)
      for (name, weight) in [("b", 2.0), ("a", 1.0), ("c", 3.0)] {
        let pet = Pet(name: name)
        pet.weight = weight
        owner.pets.append(pet)
      }
      return owner
    }
  }

  @Test("R-17 AnyRealmCollection shows any collection as it is, and compares what it shows")
  func erased() throws {
    let realm = try makePetRealm()
    let owner = try makeOwner(realm)
    let pet = owner.pets[0]
    let all = AnyRealmCollection(realm.objects(Pet.self))
    let list = AnyRealmCollection(owner.pets)
    let inverse = AnyRealmCollection(pet.owners)
    #expect(list.map(\.name) == ["b", "a", "c"] && list[1].name == "a" && list.count == 3 && all.count == 3)
    #expect(list.first?.name == "b" && list.last?.name == "c" && inverse.first?.id == 1)
    #expect(list == AnyRealmCollection(owner.pets) && list != all && AnyRealmCollection(list) == list)
    #expect(list.filter("weight > 1").map(\.name) == ["b", "c"] && list.index(matching: "name == 'c'") == 2)
    #expect(list.sorted(byKeyPath: "name").first?.name == "a" && list.distinct(by: ["name"]).count == 3)
    #expect(list.sum(ofProperty: "weight") == 6.0 && list.max(ofProperty: "weight") == 3.0)
    #expect(list.value(forKey: "name") as? [String] == ["b", "a", "c"])
    #expect(list.value(forKeyPath: "@avg.weight") as? Double == 2 && list.realm == realm && !list.isFrozen)
    let frozen = list.freeze()
    try realm.write { owner.pets.removeLast() }
    #expect(list.count == 2 && frozen.count == 3 && frozen.isFrozen && frozen.thaw()?.count == 2)
    try realm.write { list.setValue("x", forKey: "name") }
    #expect(list.map(\.name) == ["x", "x"] && list.description.hasPrefix("List<Pet>"))
    #expect(list.index(of: owner.pets[1]) == 1 && list.objects(at: [0, 1]).count == 2)
    let values = Everything()
    values.ints.append(objectsIn: [3, 4])
    #expect(AnyRealmCollection(values.ints).sum() == 7 && AnyRealmCollection(values.ints).max() == 4)
  }

  @Test("N-1 an erased collection is observed as itself")
  func observed() throws {
    try onQueue([Owner.self, Pet.self]) { realm in
      let owner = try makeOwner(realm)
      var changes: [String] = []
      let token = AnyRealmCollection(owner.pets).observe { change in
        switch change {
        case .initial(let pets): changes.append("initial \(pets.count)")
        case .update(let pets, _, let insertions, _): changes.append("\(pets.count) \(insertions)")
        case .error: changes.append("error")
        }
      }
      realm.refresh()
      try realm.write { owner.pets.append(Pet(name: "d")) }
      realm.refresh()
      #expect(changes == ["initial 3", "4 [3]"])
      token.invalidate()
    }
  }

  @Test("projectTo shows one property of a list's and a set's objects, and writes through")
  func projected() throws {
    let realm = try makeRealm([Owner.self, Pet.self, Bag.self, Holder.self, Shelf.self])
    let owner = try makeOwner(realm)
    let names = owner.pets.projectTo.name
    #expect(Array(names) == ["b", "a", "c"] && names.count == 3 && names[1] == "a" && names.index(of: "c") == 2)
    #expect(names.index(matching: NSPredicate(format: "weight == 1")) == 1 && names.realm == realm)
    let frozen = names.freeze()
    try realm.write {
      names[0] = "z"
      owner.pets.removeLast()
    }
    #expect(Array(names) == ["z", "a"] && owner.pets[0].name == "z" && Array(frozen) == ["b", "a", "c"])
    #expect(frozen.thaw().map { Array($0) } == ["z", "a"] && frozen.isFrozen)
    let bag = try makeBag(realm)
    try realm.write { bag.pets.insert(objectsIn: owner.pets) }
    #expect(Set(bag.pets.projectTo.weight) == [1, 2])
    #expect(names.description.contains("[1] a"))
    try realm.write { realm.delete(owner) }
    #expect(names.isInvalidated)
  }

  @Test("N-30 a projected collection tells of its own property only")
  func projectedChanges() throws {
    try onQueue([Owner.self, Pet.self]) { realm in
      let owner = try makeOwner(realm)
      var changes: [[Int]] = []
      let token = owner.pets.projectTo.name.observe { change in
        if case .update(_, _, _, let modifications) = change { changes.append(modifications) }
      }
      realm.refresh()
      try realm.write { owner.pets[0].weight = 9 }
      realm.refresh()
      try realm.write { owner.pets[2].name = "new" }
      realm.refresh()
      #expect(changes == [[2]])
      token.invalidate()
    }
  }
}
