import Dispatch
import Foundation
import Larder

/// Objects whose links are followed back.
class Owner: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var favourite: Pet?
  @Persisted var pets: List<Pet>

  convenience init(id: Int, name: String = "", age: Int = 0) {
    self.init()
    self.id = id
    self.name = name
    self.age = age
  }
}

class Pet: Object {
  @Persisted var name: String
  @Persisted(originProperty: "pets") var owners: LinkingObjects<Owner>
  @Persisted var weight: Double
  @Persisted(originProperty: "favourite") var fans: LinkingObjects<Owner>

  convenience init(name: String) {
    self.init()
    self.name = name
  }
}

/// Runs the body on a serial queue with a Realm of it; `refresh()` there delivers what is due.
func onQueue(_ types: [ObjectBase.Type], _ body: (Realm) throws -> Void) throws {
  let queue = DispatchQueue(label: "test")
  let configuration = temporaryConfiguration(types)
  try queue.sync { try body(try Realm(configuration: configuration, queue: queue)) }
}

func makePetRealm() throws -> Realm { try makeRealm([Owner.self, Pet.self]) }

/// Sets and maps of every type of element.
class Bag: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var ints: MutableSet<Int>
  @Persisted var optInts: MutableSet<Int?>
  @Persisted var strings: MutableSet<String>
  @Persisted var doubles: MutableSet<Double>
  @Persisted var dates: MutableSet<Date>
  @Persisted var uuids: MutableSet<UUID>
  @Persisted var decimals: MutableSet<Decimal128>
  @Persisted var data: MutableSet<Data>
  @Persisted var kinds: MutableSet<Kind>
  @Persisted var pets: MutableSet<Pet>
  @Persisted var counts: Map<String, Int>
  @Persisted var optCounts: Map<String, Int?>
  @Persisted var notes: Map<String, String>
  @Persisted var weights: Map<String, Double>
  @Persisted var days: Map<String, Date>
  @Persisted var prices: Map<String, Decimal128?>
  @Persisted var sorts: Map<String, Kind>
  @Persisted var petsByName: Map<String, Pet?>
  @Persisted var rooms: Map<String, Shelf?>
  @Persisted(originProperty: "bags") var holders: LinkingObjects<Holder>

  convenience init(id: Int) {
    self.init()
    self.id = id
  }
}

class Holder: Object {
  @Persisted var bags: Map<String, Bag?>
  @Persisted var set: MutableSet<Bag>
}

class Shelf: EmbeddedObject {
  @Persisted var size: Int
  @Persisted var items: MutableSet<String>

  convenience init(size: Int) {
    self.init()
    self.size = size
  }
}

let bagTypes: [ObjectBase.Type] = [Bag.self, Holder.self, Shelf.self, Pet.self, Owner.self]
func makeBagRealm() throws -> Realm { try makeRealm(bagTypes) }

/// A bag that a Realm manages.
func makeBag(_ realm: Realm, id: Int = 1) throws -> Bag {
  try realm.write { realm.create(Bag.self, value: ["id": id]) }
}
