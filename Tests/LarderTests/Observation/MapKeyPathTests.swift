import Foundation
import TestSupport
import Testing

@testable import Larder

@Suite("Key paths through collections") struct MapKeyPathTests {
  @Test("F-10: key paths of Swift go on after maps, lists and sets of objects, embedded ones included") func names() {
    #expect(_name(for: \Bag.petsByName[""]??.name) == "petsByName.name")
    #expect(_name(for: \Bag.petsByName["a"]??.weight) == "petsByName.weight")
    #expect(_name(for: \Bag.rooms[""]??.size) == "rooms.size")
    #expect(_name(for: \Holder.bags[""]??.petsByName[""]??.name) == "bags.petsByName.name")
    #expect(_name(for: \Bag.petsByName[""]??.owners.first?.age) == "petsByName.owners.age")
    #expect(_name(for: \Bag.pets[0].name) == "pets.name")
    #expect(_name(for: \Bag.counts[""]) == "counts" && _name(for: \Bag.optCounts[""]) == "optCounts")
    #expect(_name(for: \Bag.petsByName) == "petsByName")
  }

  @MainActor
  @Test("F-10: an observer by such a path hears of what is at its end, and of nothing else there")
  func observing() async throws {
    let realm = try await Realm(configuration: temporaryConfiguration(bagTypes))
    let bag = try realm.write {
      let bag = realm.create(Bag.self, value: ["id": 1])
      bag.petsByName["a"] = Pet(name: "Rex")
      return bag
    }
    let pet = try #require(bag.petsByName["a"] ?? nil)
    var heard = 0
    let token = bag.observe(keyPaths: [\Bag.petsByName[""]??.name]) { (_: ObjectChange<Bag>) in heard += 1 }
    try realm.write { pet.weight = 3 }
    realm.refresh()
    #expect(heard == 0)
    try realm.write { pet.name = "Fido" }
    realm.refresh()
    #expect(heard == 1)
    try realm.write { bag.petsByName["b"] = Pet(name: "B") }
    realm.refresh()
    #expect(heard == 2)
    withExtendedLifetime(token) {}
  }

  @MainActor
  @Test("F-10, N-33: an inverse of a map in the middle of a path is followed") func inverse() async throws {
    let realm = try await Realm(configuration: temporaryConfiguration(bagTypes))
    let (bag, holder) = try realm.write {
      let bag = realm.create(Bag.self, value: ["id": 1])
      let holder = realm.create(Holder.self)
      holder.bags["a"] = bag
      return (bag, holder)
    }
    var heard = 0
    let token = bag.observe(keyPaths: ["holders.set"]) { (_: ObjectChange<Bag>) in heard += 1 }
    try realm.write { holder.set.insert(bag) }
    realm.refresh()
    #expect(heard == 1)
    try realm.write { holder.bags["a"] = .some(nil) }
    realm.refresh()
    #expect(heard == 2)
    withExtendedLifetime(token) {}
  }
}
