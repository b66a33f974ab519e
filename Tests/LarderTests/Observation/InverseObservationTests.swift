import Testing

@testable import Larder

/// A pet as those see it who care for its owners.
final class OwnedPet: Projection<Pet> {
  @Projected(\Pet.name) var title
  @Projected(\Pet.owners) var people
}

/// Covers N-35, N-41 and N-43 for inverses of one object.
@Suite("Observing the inverses of an object") struct InverseObservationTests {
  private func names<T>(_ change: ObjectChange<T>) -> String {
    switch change {
    case .change(_, let properties):
      properties.map { "\($0.name)\($0.oldValue == nil && $0.newValue == nil ? "" : "=")" }.joined(separator: " ")
    case .deleted: "deleted"
    case .error: "error"
    }
  }

  @Test("N-35, N-41 a star means inverses too; they are reported after stored properties, in the order declared")
  func star() throws {
    try onQueue([Owner.self, Pet.self]) { realm in
      let (pet, ann) = (Pet(name: "Rex"), Owner(id: 1, name: "Ann"))
      try realm.write { realm.add([pet]) }
      try realm.write { realm.add(ann) }
      var told: [String] = []
      let tokens = [
        pet.observe(keyPaths: ["*"]) { (change: ObjectChange<Pet>) in told.append("all " + names(change)) },
        pet.observe(keyPaths: ["fans"]) { (change: ObjectChange<Pet>) in told.append("fans " + names(change)) },
        pet.observe { (change: ObjectChange<Pet>) in told.append("own " + names(change)) },
      ]
      realm.refresh()
      try realm.write {
        ann.favourite = pet
        ann.pets.append(pet)
        pet.weight = 5
        pet.name = "Max"
      }
      try realm.write {}
      #expect(told == ["all name= weight= owners fans", "fans fans", "own name= weight="])
      told = []
      try realm.write { ann.age = 9 }
      try realm.write {}
      #expect(told == [])
      try realm.write { realm.delete(ann) }
      try realm.write {}
      #expect(told == ["all owners fans", "fans fans"])
      try realm.write { realm.delete(pet) }
      try realm.write {}
      #expect(told.suffix(3) == ["all deleted", "fans deleted", "own deleted"])
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test(
    "N-41, N-43 a path after an inverse is reported as the inverse; links of maps and sets count as those of lists")
  func behind() throws {
    try onQueue(bagTypes) { realm in
      let (pet, ann) = (Pet(name: "Rex"), Owner(id: 1, name: "Ann"))
      let (bag, holder) = (Bag(id: 1), Holder())
      try realm.write {
        realm.add([pet])
        realm.add(ann)
        realm.add(bag)
        realm.add(holder)
        ann.pets.append(pet)
      }
      var told: [String] = []
      let tokens = [
        pet.observe(keyPaths: ["owners.name"]) { (change: ObjectChange<Pet>) in told.append(names(change)) },
        bag.observe(keyPaths: ["holders"]) { (change: ObjectChange<Bag>) in told.append(names(change)) },
      ]
      realm.refresh()
      try realm.write { ann.name = "Anna" }
      try realm.write { holder.bags["x"] = bag }
      try realm.write { holder.bags["y"] = nil }
      try realm.write { holder.bags.removeObject(for: "x") }
      try realm.write {}
      #expect(told == ["owners", "holders", "holders"])
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test("Contract 21, N-41 a projection that shows an inverse hears of it under its own name") func projection() throws
  {
    try onQueue([Owner.self, Pet.self]) { realm in
      let (pet, ann) = (Pet(name: "Rex"), Owner(id: 1, name: "Ann"))
      try realm.write { realm.add([pet]) }
      try realm.write { realm.add(ann) }
      var told: [String] = []
      let token = OwnedPet(projecting: pet).observe { told.append(names($0)) }
      realm.refresh()
      try realm.write { ann.pets.append(pet) }
      try realm.write { pet.name = "Max" }
      try realm.write {}
      #expect(told == ["people=", "title="])
      token.invalidate()
    }
  }
}
