import Foundation
import Testing

@testable import Larder

final class Car: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var spare: Wheel?
  @Persisted var wheels: List<Wheel>
  @Persisted var byName: Map<String, Wheel?>
}

final class Wheel: EmbeddedObject {
  @Persisted var size: Int
  @Persisted var bolt: Bolt?
  @Persisted var bolts: List<Bolt>
  @Persisted var maker: Maker?
  @Persisted(originProperty: "wheels") var cars: LinkingObjects<Car>
  @Persisted(originProperty: "spare") var spareOf: LinkingObjects<Car>
  @Persisted(originProperty: "byName") var namedIn: LinkingObjects<Car>

  convenience init(_ size: Int) {
    self.init()
    self.size = size
  }
}

final class Bolt: EmbeddedObject {
  @Persisted var length: Int
  @Persisted(originProperty: "bolts") var wheels: LinkingObjects<Wheel>

  convenience init(_ length: Int) {
    self.init()
    self.length = length
  }
}

final class Maker: Object {
  @Persisted var name: String
}

/// Covers O-70 to O-75: embedded objects in links, lists and maps, three levels deep.
@Suite("Rules of embedded objects") struct EmbeddedRulesTests {
  private let realm: Realm
  private let car: Car

  init() throws {
    realm = try makeRealm([Car.self, Wheel.self, Bolt.self, Maker.self])
    car = try realm.write { [realm] in realm.create(Car.self, value: ["id": 1]) }
  }

  private func counts() -> [Int] { ["Wheel", "Bolt", "Maker"].map { realm.dynamicObjects($0).count } }

  @Test(
    "O-70 and O-61: embedded objects lead to top-level ones, and back to their owners, at every depth and in each slot")
  func owners() throws {
    try realm.write {
      car.spare = Wheel(value: ["size": 1, "maker": ["name": "m"], "bolts": [["length": 1]]] as [String: Any])
      car.wheels.append(objectsIn: [Wheel(2), Wheel(3)])
      car.byName["a"] = Wheel(4)
      car.wheels[0].bolts.append(Bolt(5))
    }
    let spare = try #require(car.spare)
    #expect(spare.maker?.name == "m" && Array(spare.spareOf) == [car] && spare.cars.isEmpty)
    #expect(Array(car.wheels[1].cars) == [car] && car.wheels[1].spareOf.isEmpty)
    #expect(car.byName["a"]??.namedIn.first == car && spare.bolts[0].wheels.first?.isSameObject(as: spare) == true)
    #expect(car.wheels[0].bolts[0].wheels.first?.cars.first == car && Wheel(9).cars.isEmpty)
    #expect(realm.objects(Car.self).filter("ANY wheels.bolts.length == 5").count == 1)
    #expect(counts() == [4, 2, 1])
    try realm.write { realm.delete(car) }
    // The top-level object that a wheel led to stays (O-73).
    #expect(counts() == [0, 0, 1] && spare.isInvalidated)
  }

  @Test(
    "O-71: a new object in a slot deletes the one before, in links, lists and maps; putting one into its own link does nothing"
  )
  func slots() throws {
    try realm.write {
      car.spare = Wheel(value: ["size": 1, "bolt": ["length": 1], "bolts": [["length": 2]]] as [String: Any])
      car.wheels.append(objectsIn: [Wheel(value: ["bolts": [["length": 3]]]), Wheel(2)])
      car.byName["a"] = Wheel(value: ["bolt": ["length": 4]])
      #expect(counts() == [4, 4, 0])
      let before: [Wheel] = [try #require(car.spare), car.wheels[0], try #require(car.byName["a"] ?? nil)]
      car.spare = before[0]
      #expect(before.allSatisfy { !$0.isInvalidated } && counts() == [4, 4, 0])
      let new = [Wheel(5), Wheel(6), Wheel(7)]
      car.spare = new[0]
      car.wheels[0] = new[1]
      car.byName["a"] = new[2]
      #expect(before.allSatisfy(\.isInvalidated) && counts() == [4, 0, 0])
      #expect(new.allSatisfy { $0.realm == realm } && car.wheels.map(\.size) == [6, 2])
      car.wheels.move(from: 0, to: 1)
      #expect(!new[1].isInvalidated && car.wheels.map(\.size) == [2, 6])
      car.wheels.swapAt(0, 1)
      car.wheels.remove(at: 0)
      car.byName["a"] = .some(nil)
      car.spare = nil
      #expect(new.allSatisfy(\.isInvalidated) && counts() == [1, 0, 0] && car.byName.count == 1)
      car.wheels.removeAll()
      car.byName.removeAll()
    }
    #expect(counts() == [0, 0, 0])
  }

  @Test(
    "O-71, O-72 and E-65: an object has one owner: a second slot, in each kind of property, throws and changes nothing")
  func secondOwner() throws {
    let other = try realm.write {
      car.spare = Wheel(1)
      return realm.create(Car.self, value: ["id": 2])
    }
    let spare = try #require(car.spare)
    func refused(_ body: () throws -> Void) throws {
      try realm.write {
        let error = #expect(throws: Realm.Error.self, performing: body)
        #expect(
          error?.message.contains("Wheel is embedded and already has a parent") == true, "\(String(describing: error))")
      }
      #expect(
        car.spare?.isSameObject(as: spare) == true && counts() == [1, 0, 0] && realm.objects(Car.self).count == 2)
    }
    // By name embedded objects are copied, as in `create`; the typed calls move them.
    try refused { try car.wheels.throwing.append(spare) }
    // F-38: lists and maps refuse it for the place where it is, too, as in RealmSwift.
    try realm.write {
      car.wheels.append(Wheel(8))
      car.byName["a"] = Wheel(9)
      let (inList, inMap) = (car.wheels[0], try #require(car.byName["a"] ?? nil))
      #expect(throws: Realm.Error.self) { try car.wheels.throwing.replace(index: 0, object: inList) }
      #expect(throws: Realm.Error.self) { try car.byName.throwing.updateValue(inMap, forKey: "a") }
      #expect(!inList.isInvalidated && !inMap.isInvalidated)
      car.wheels.removeAll()
      car.byName.removeAll()
    }
    try refused { try other.wheels.throwing.insert(spare, at: 0) }
    try refused { try other.byName.throwing.updateValue(spare, forKey: "a") }
    let new = Car(value: ["id": 3])
    new.spare = spare
    try refused { try realm.throwing.add(new) }
    let twice = Car(value: ["id": 4])
    let wheel = Wheel(2)
    twice.wheels.append(objectsIn: [wheel, wheel])
    try refused { try realm.throwing.add(twice) }
    let apart = Car(value: ["id": 5])
    apart.spare = wheel
    apart.byName["a"] = wheel
    try refused { try realm.throwing.add(apart) }
  }

  @Test("O-71: a managed object is copied by its initialiser, and by create of another owner, with what it owns")
  func copies() throws {
    let (copy, other) = try realm.write {
      car.spare = Wheel(value: ["size": 1, "bolts": [["length": 2]]] as [String: Any])
      let spare = try #require(car.spare)
      let copy = Wheel(value: spare)
      car.wheels.append(copy)
      return (
        copy, realm.create(Car.self, value: ["id": 2, "spare": spare, "wheels": [spare, spare]] as [String: Any])
      )
    }
    #expect(copy.bolts[0].length == 2 && !copy.isSameObject(as: car.spare) && car.wheels.count == 1)
    #expect(other.spare?.bolts[0].length == 2 && other.wheels.map(\.size) == [1, 1] && counts() == [5, 5, 0])
    try realm.write { car.spare = nil }
    #expect(copy.bolts.count == 1 && other.spare?.size == 1 && counts() == [4, 4, 0])
  }

  @Test("O-73 and O-74: deleting an embedded object empties its slot and takes what it owns, at once")
  func deleting() throws {
    try realm.write {
      car.spare = Wheel(value: ["bolts": [["length": 1], ["length": 2]]])
      car.wheels.append(objectsIn: [Wheel(1), Wheel(2), Wheel(3)])
      car.byName["a"] = Wheel(4)
      let spare = try #require(car.spare)
      let (bolt, wheel, named) = (spare.bolts[1], car.wheels[1], try #require(car.byName["a"] ?? nil))
      realm.delete(wheel)
      realm.delete(named)
      realm.delete(spare)
      #expect(bolt.isInvalidated && spare.isInvalidated && wheel.isInvalidated && named.isInvalidated)
      #expect(car.spare == nil && car.wheels.map(\.size) == [1, 3] && car.byName["a"] == .some(nil))
      #expect(counts() == [2, 0, 0])
    }
  }

  @Test("O-75: deep observers of the owner hear of changes in what it owns") func observing() throws {
    try onQueue([Car.self, Wheel.self, Bolt.self, Maker.self]) { realm in
      let car = try realm.write {
        realm.create(Car.self, value: ["id": 1, "wheels": [["size": 1, "bolts": [["length": 1]]]]] as [String: Any])
      }
      var modified = 0
      let token = realm.objects(Car.self).observe { change in
        if case .update(_, _, _, let modifications) = change { modified += modifications.count }
      }
      realm.refresh()
      try realm.write { car.wheels[0].bolts[0].length = 2 }
      realm.refresh()
      #expect(modified == 1)
      try realm.write { car.wheels[0].size = 2 }
      realm.refresh()
      #expect(modified == 2)
      token.invalidate()
    }
  }
}
