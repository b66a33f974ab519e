import Testing

@testable import Larder

/// Covers N-8, N-12 and N-17 where an element occurs more than once.
@Suite("Observing elements that occur more than once") struct RepeatedElementsTests {
  private static let types: [ObjectBase.Type] = [Person.self, Dog.self, Address.self, Room.self]

  private func text<C>(_ change: RealmCollectionChange<C>) -> String? {
    if case .update(_, let deletions, let insertions, let modifications) = change {
      return "-\(deletions) +\(insertions) ~\(modifications)"
    }
    return nil
  }

  @Test("N-8, N-12, N-17 results of a list that holds a dog three times: only what changed is reported")
  func results() throws {
    try onQueue(Self.types) { realm in
      let person = Person(id: 1)
      let (rex, max) = (Dog(name: "Rex"), Dog(name: "Max"))
      try realm.write {
        realm.add(person)
        person.dogs.append(objectsIn: [rex, rex, max, rex])
      }
      var told: [String] = []
      let tokens = [
        person.dogs.filter("name != 'x'").observe { if let text = text($0) { told.append("filtered " + text) } },
        person.dogs.sorted(byKeyPath: "name").observe { if let text = text($0) { told.append("sorted " + text) } },
      ]
      realm.refresh()
      try realm.write { person.age = 5 }
      try realm.write {}
      #expect(told == [])
      try realm.write { rex.kind = .special }
      try realm.write {}
      #expect(told == ["filtered -[] +[] ~[0, 1, 3]", "sorted -[] +[] ~[1, 2, 3]"])
      told = []
      try realm.write { person.dogs.remove(at: 1) }
      try realm.write {}
      #expect(Set(told) == ["filtered -[1] +[] ~[]", "sorted -[3] +[] ~[]"])
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test("N-8, N-12 values of a list in another order, and inverses of an object that is linked three times")
  func valuesAndInverses() throws {
    try onQueue([Owner.self, Pet.self, Dog.self, Person.self, Address.self, Room.self]) { realm in
      let (dog, pet, ann) = (Dog(name: "Rex"), Pet(name: "Rex"), Owner(id: 1, name: "Ann"))
      try realm.write {
        realm.add([dog])
        realm.add([pet])
        realm.add(ann)
        dog.tags.append(objectsIn: ["b", "b", "a", "b"])
        ann.pets.append(objectsIn: [pet, pet, pet])
      }
      var told: [String] = []
      let tokens = [
        dog.tags.sorted().observe { if let text = text($0) { told.append("tags " + text) } },
        pet.owners.observe { if let text = text($0) { told.append("owners " + text) } },
      ]
      realm.refresh()
      try realm.write { dog.tags.append("c") }
      try realm.write { ann.favourite = pet }
      try realm.write {}
      #expect(told == ["tags -[] +[4] ~[]", "owners -[] +[] ~[0, 1, 2]"])
      told = []
      try realm.write { ann.pets.removeLast() }
      try realm.write {}
      #expect(told == ["owners -[2] +[] ~[0, 1]"])
      tokens.forEach { $0.invalidate() }
    }
  }
}
