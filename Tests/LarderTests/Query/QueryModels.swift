import Foundation
import Larder

enum Size: Int, PersistableEnum { case small, large }
enum Taste: String, PersistableEnum { case sweet, sour }

class Fruit: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var nick: String?
  @Persisted var price: Double
  @Persisted var stock: Int?
  @Persisted var ripe: Bool
  @Persisted var data: Data?
  @Persisted var picked: Date
  @Persisted var size: Size
  @Persisted var taste: Taste?
  @Persisted var code: UUID
  @Persisted var weight: Decimal128
  @Persisted var rival: Fruit?
  @Persisted var origin: Origin?
  @Persisted var mixes: List<Fruit>
  @Persisted var tags: List<String>
  @Persisted var marks: List<Int>
  @Persisted var sizes: List<Size>
  @Persisted var codes: MutableSet<Int>
  @Persisted var prices: Map<String, Double?>
  @Persisted(originProperty: "rival") var rivals: LinkingObjects<Fruit>

  convenience init(_ id: Int, _ name: String, price: Double = 0) {
    self.init()
    self.id = id
    self.name = name
    self.price = price
  }
}

class Origin: EmbeddedObject {
  @Persisted var country: String?
  @Persisted var location: Spot?
}

class Spot: EmbeddedObject {
  @Persisted var type: String
  @Persisted var coordinates: List<Double>
}

/// Apple, Pear, kiwi, Äpfel and fig, which is empty but for its name.
func makeFruitRealm() throws -> Realm {
  let realm = try makeRealm([Fruit.self, Origin.self, Spot.self])
  try realm.write {
    let apple = Fruit(1, "Apple", price: 2.5)
    apple.nick = "ap"
    apple.stock = 10
    apple.ripe = true
    apple.data = Data([1, 2, 3])
    apple.size = .large
    apple.taste = .sweet
    apple.weight = Decimal128(value: "1.5")
    apple.tags.append(objectsIn: ["red", "round"])
    apple.marks.append(objectsIn: [1, 9])
    apple.sizes.append(.large)
    apple.codes.insert(objectsIn: [3, 4])
    apple.prices["EUR"] = 2
    apple.prices["a.b"] = .some(nil)
    apple.origin = makeOrigin("Italy", latitude: 41.9, longitude: 12.5)
    let pear = Fruit(2, "Pear", price: 3)
    pear.stock = 0
    pear.ripe = true
    pear.rival = apple
    pear.tags.append("green")
    pear.marks.append(objectsIn: [4, 5])
    pear.prices["EUR"] = 5
    pear.origin = makeOrigin("Spain", latitude: 40.4, longitude: -3.7)
    pear.mixes.append(apple)
    let kiwi = Fruit(3, "kiwi", price: 1)
    kiwi.taste = .sour
    kiwi.rival = apple
    kiwi.mixes.append(objectsIn: [apple, pear])
    let german = Fruit(4, "Äpfel", price: 2.5)
    german.rival = pear
    realm.add([apple, pear, kiwi, german, Fruit(5, "fig")])
  }
  return realm
}

private func makeOrigin(_ country: String, latitude: Double, longitude: Double) -> Origin {
  let origin = Origin()
  origin.country = country
  let spot = Spot()
  spot.type = "Point"
  spot.coordinates.append(objectsIn: [longitude, latitude])
  origin.location = spot
  return origin
}

extension Results where Element == Fruit {
  var ids: [Int] { map { $0.id } }
}

/// Values of any type.
class Crate: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value: AnyRealmValue
  @Persisted var values: List<AnyRealmValue>
  @Persisted var byName: Map<String, AnyRealmValue>

  convenience init(_ id: Int, _ value: AnyRealmValue) {
    self.init()
    self.id = id
    self.value = value
  }
}

/// A type that is stored as an embedded object, and one that is stored as a number.
struct Coordinate: CustomPersistable, Hashable {
  var x: Double
  var y: Double
  typealias PersistedType = StoredCoordinate

  init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
  init(persistedValue: StoredCoordinate) { self.init(x: persistedValue.x, y: persistedValue.y) }
  var persistableValue: StoredCoordinate {
    let stored = StoredCoordinate()
    (stored.x, stored.y) = (x, y)
    return stored
  }
}

class StoredCoordinate: EmbeddedObject {
  @Persisted var x: Double
  @Persisted var y: Double
}

struct Warmth: CustomPersistable, Hashable {
  var degrees: Double
  typealias PersistedType = Double

  init(_ degrees: Double) { self.degrees = degrees }
  init(persistedValue: Double) { degrees = persistedValue }
  var persistableValue: Double { degrees }
}

class Station: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var at: Coordinate?
  @Persisted var heat: Warmth
  @Persisted var route: List<Coordinate>

  convenience init(_ id: Int, _ at: Coordinate?, _ heat: Double, _ route: [Coordinate] = []) {
    self.init()
    self.id = id
    self.at = at
    self.heat = Warmth(heat)
    self.route.append(objectsIn: route)
  }
}

extension Results where Element == Crate {
  var crateIDs: [Int] { map { $0.id } }
}
