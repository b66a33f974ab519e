import Foundation
import Testing

@testable import Larder

@Suite struct LinkingObjectsTests {
  @Test("O-61 inverses follow links and lists back, once for each link, and are live")
  func contents() throws {
    let realm = try makePetRealm()
    let pet = Pet(name: "Rex")
    #expect(pet.owners.isEmpty && pet.owners.realm == nil && !pet.owners.isInvalidated)
    let ann = Owner(id: 1, name: "Ann", age: 30)
    let ben = Owner(id: 2, name: "Ben", age: 40)
    try realm.write {
      realm.add([ann, ben])
      ann.pets.append(objectsIn: [pet, pet])
      ben.pets.append(pet)
      ben.favourite = pet
      #expect(pet.owners.count == 3)
    }
    let owners = pet.owners
    #expect(owners.map(\.name) == ["Ann", "Ann", "Ben"] && Array(pet.fans) == [ben])
    #expect(owners[2] == ben && owners.first == ann && owners.last == ben && owners.index(of: ben) == 2)
    try realm.write {
      ann.pets.removeLast()
      ben.favourite = nil
    }
    #expect(owners.map(\.name) == ["Ann", "Ben"] && pet.fans.isEmpty && pet.fans.first == nil)
    try realm.write { realm.delete(ann) }
    #expect(Array(owners) == [ben])
    // F-38: each reading is a value of its own, as in RealmSwift.
    #expect(owners == owners && owners != pet.owners && pet.owners != Pet(name: "x").owners)
    #expect(pet["name"] as? String == "Rex" && (pet["owners"] as? LinkingObjects<Owner>)?.count == 1)
    #expect(pet.objectSchema.properties.map(\.name) == ["name", "weight"])
    #expect(owners.description.hasPrefix("LinkingObjects<Owner>"))
  }

  @Test("O-61 inverses are read from objects of classes that have properties of their own beside the stored ones")
  func besidePlainProperties() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [MarkedShelf.self, MarkedVolume.self]))
    try realm.write {
      let shelf = realm.create(MarkedShelf.self)
      realm.create(MarkedVolume.self, value: ["shelf": shelf])
    }
    let shelf = try #require(realm.objects(MarkedShelf.self).first)
    #expect(shelf.books.count == 1 && shelf.books.filter("shelf != nil").count == 1)
    #expect(realm.objects(MarkedVolume.self).first?.shelf?.books.count == 1)
  }

  @Test("O-61 inverses are filtered, sorted and added up as Results are")
  func queries() throws {
    let realm = try makePetRealm()
    let pet = Pet(name: "Rex")
    try realm.write {
      for number in 1...20 {
        let owner = Owner(id: number, name: "n\(number % 3)", age: number)
        realm.add(owner)
        if number % 2 == 0 { owner.pets.append(pet) }
      }
    }
    let owners = pet.owners
    #expect(owners.count == 10 && owners.filter("age > 15").map(\.id) == [16, 18, 20])
    #expect(owners.filter(NSPredicate(format: "name == %@", "n0")).count == 3)
    #expect(owners.sorted(byKeyPath: "age", ascending: false).first?.age == 20)
    #expect(owners.distinct(by: ["name"]).count == 3 && owners.index(matching: "age == 6") == 2)
    let sum: Int = owners.sum(ofProperty: "age")
    #expect(sum == 110 && owners.max(ofProperty: "age") == 20 && owners.min(of: \.age) == 2)
    #expect(owners.average(ofProperty: "age") == 11.0 && owners.value(forKeyPath: "@count") as? Int == 10)
    #expect(Pet(name: "x").owners.max(ofProperty: "age") as Int? == nil)
    #expect(Pet(name: "x").owners.sum(ofProperty: "age") as Int == 0)
  }

  @Test("O-61 what is supplied for an inverse is ignored")
  func ignored() throws {
    let realm = try makePetRealm()
    let ann = Owner(id: 1)
    try realm.write {
      realm.add(ann)
      let pet = realm.create(Pet.self, value: ["name": "Rex", "owners": [ann]] as [String: Any])
      #expect(pet.owners.isEmpty)
    }
    #expect(ann.pets.isEmpty && Pet(value: ["name": "a", "owners": [ann]] as [String: Any]).owners.isEmpty)
  }

  @Test("N-17 inverses tell when links come, go and when origins change; O-134 they freeze and thaw")
  func observing() throws {
    try onQueue([Owner.self, Pet.self]) { realm in try observe(realm) }
  }

  private func observe(_ realm: Realm) throws {
    let pet = Pet(name: "Rex")
    let ann = Owner(id: 1, name: "Ann")
    try realm.write {
      realm.add(pet)
      realm.add(ann)
      ann.pets.append(pet)
    }
    var changes: [String] = []
    let token = pet.owners.observe { change in
      switch change {
      case .initial(let owners): changes.append("initial \(owners.count)")
      case .update(let owners, let deletions, let insertions, let modifications):
        changes.append("\(owners.count) \(deletions) \(insertions) \(modifications)")
      case .error: changes.append("error")
      }
    }
    realm.refresh()
    let frozen = pet.owners.freeze()
    try realm.write { realm.create(Owner.self, value: ["id": 2, "name": "Ben", "pets": [pet]] as [String: Any]) }
    realm.refresh()
    try realm.write { ann.age = 3 }
    realm.refresh()
    try realm.write { ann.pets.removeAll() }
    realm.refresh()
    #expect(changes == ["initial 1", "2 [] [1] []", "2 [] [] [0]", "1 [0] [] []"])
    #expect(frozen.isFrozen && frozen.map(\.name) == ["Ann"] && frozen.thaw()?.map(\.name) == ["Ben"])
    try realm.write { realm.delete(pet) }
    #expect(frozen.thaw() == nil && frozen.count == 1)
    token.invalidate()
  }

  @Test("E-66 an inverse cannot be assigned, by name or directly; E-88 unmanaged ones cannot be filtered")
  func misused() async {
    let assigned = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makePetRealm()
      let pet = Pet(name: "a")
      try realm.write {
        realm.add(pet)
        pet.owners = pet.owners
      }
    }
    #expect(misuseText(assigned).contains("Pet.owners is an inverse property and read-only"))
    let byName = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Pet(name: "a").setValue([Owner](), forKey: "owners")
    }
    #expect(misuseText(byName).contains("Pet.owners is an inverse property and read-only"))
    let filtered = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Pet(name: "a").owners.filter("age > 3")
    }
    #expect(misuseText(filtered).contains("add the object to a Realm first"))
  }
}

private class MarkedShelf: Object {
  @Persisted var label: String
  @Persisted(originProperty: "shelf") var books: LinkingObjects<MarkedVolume>
  var isShown = true
}

private class MarkedVolume: Object {
  @Persisted var shelf: MarkedShelf?
}
