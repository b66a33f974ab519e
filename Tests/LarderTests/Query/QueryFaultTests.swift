import Foundation
import TestSupport
import Testing

@testable import Larder

/// Conditions that once ended the process, took for ever or gave another answer than RealmSwift.
@Suite("Odd conditions") struct QueryFaultTests {
  private let realm: Realm
  private var fruits: Results<Fruit> { realm.objects(Fruit.self) }

  init() throws { realm = try makeFruitRealm() }

  private func ids(_ condition: (Query<Fruit>) -> Query<Bool>) -> [Int] { fruits.where(condition).ids }

  @Test("F-25: a subquery in a subquery is about the elements, whether it begins with their collection or not")
  func nestedSubqueries() throws {
    // Kiwi's mixes are an apple without mixes, and a pear of an apple.
    #expect(ids { (($0.mixes.price > 2).count == 1 && $0.mixes.ripe).count == 1 } == [3])
    #expect(ids { (($0.mixes.mixes.price > 2).count == 1 && $0.mixes.ripe).count == 1 } == [3])
    #expect(ids { ($0.mixes.ripe && ($0.mixes.price > 2).count == 0).count == 1 } == [2, 3])
    #expect(ids { (($0.rivals.price >= 1).count > 1 && $0.mixes.ripe).count > 0 } == [2, 3])
    #expect(
      fruits.filter(
        "SUBQUERY(mixes, $m, SUBQUERY(rivals, $r, $r.price >= 1).@count > 1 AND $m.ripe == TRUE).@count > 0"
      ).ids == [2, 3])
  }

  @Test("F-25: a property without its collection, in a subquery, is that of the elements (Q-70)")
  func bareColumns() throws {
    #expect(ids { ($0.mixes.price > $0.price).count > 0 } == [])
    #expect(ids { ($0.mixes.price >= $0.price).count > 1 } == [3])
    #expect(ids { ($0.mixes.price > 2 && $0.ripe).count == 2 } == [3])
    #expect(ids { ($0.mixes.name == "Pear" && $0.rival.name == "Apple").count == 1 } == [3])
    #expect(ids { ($0.mixes.name == "Pear" && $0.price == 2.5).count == 1 } == [])
    #expect(throws: Realm.Error.self) { try fruits.throwing.where { ($0.price > 2).count > 0 } }
    #expect(throws: Realm.Error.self) {
      try fruits.throwing.where { ($0.mixes.price > 2 && $0.rivals.price > 2).count > 0 }
    }
  }

  @Test("F-26: lists and dictionaries with objects in them are compared with stored ones")
  func valuesWithObjects() throws {
    let realm = try makeRealm([Crate.self, Person.self, Dog.self, Address.self, Room.self])
    let (person, other) = try realm.write {
      let person = realm.create(Person.self, value: ["id": 1])
      let other = realm.create(Person.self, value: ["id": 2])
      realm.add([
        Crate(1, .fromArray([.int(1), .object(person)])), Crate(2, .fromDictionary(["a": .object(person)])),
        Crate(3, .fromArray([.int(1), .object(other)])), Crate(4, .fromDictionary(["a": .fromArray([.object(other)])])),
        Crate(5, .object(person)),
      ])
      return (person, other)
    }
    func ids(_ value: AnyRealmValue) -> [Int] {
      let found = realm.objects(Crate.self).where { $0.value == value }.crateIDs
      #expect(realm.objects(Crate.self).filter("value == %@", value).crateIDs == found)
      let others = realm.objects(Crate.self).where { $0.value != value }.crateIDs
      #expect(found + others == others + found || Set(found + others) == [1, 2, 3, 4, 5])
      return found
    }
    #expect(ids(.fromArray([.int(1), .object(person)])) == [1])
    #expect(ids(.fromArray([.int(1), .object(other)])) == [3])
    #expect(ids(.fromDictionary(["a": .object(person)])) == [2])
    #expect(ids(.fromDictionary(["a": .fromArray([.object(other)])])) == [4])
    #expect(ids(.object(person)) == [5])
    // An object that is in no store is equal to nothing.
    #expect(ids(.fromArray([.int(1), .object(Person(id: 1))])) == [] && ids(.object(Person(id: 1))) == [])
    let foreign = try makeRealm([Crate.self, Person.self, Dog.self, Address.self, Room.self])
    let stranger = try foreign.write { foreign.create(Person.self, value: ["id": 1]) }
    #expect(throws: Realm.Error.self) {
      try realm.objects(Crate.self).throwing.where { $0.value == .fromDictionary(["a": .object(stranger)]) }
    }
  }

  @Test("F-34: every text is above nil, in every form of condition")
  func aboveNil() throws {
    #expect(ids { $0.nick > nil } == [1] && ids { $0.nick >= nil } == [1, 2, 3, 4, 5])
    #expect(fruits.filter("nick > nil").ids == [1] && fruits.filter("nil < nick").ids == [1])
    #expect(fruits.filter("nick > %@", NSNull()).ids == [1] && fruits.filter(rql: "nick > nil").ids == [1])
    #expect(
      ids { !($0.nick > nil) } == [2, 3, 4, 5] && ids { $0.nick < nil } == [] && ids { $0.nick <= nil } == [2, 3, 4, 5])
    // Other types, and what links lead to, have no order with nil.
    #expect(ids { $0.stock > nil } == [] && ids { $0.rival.nick > nil } == [])
  }

  @Test("F-34: a wildcard says by itself that any element will do")
  func wildcards() throws {
    let realm = try makeRealm([Crate.self])
    try realm.write {
      realm.add([
        Crate(1, .fromArray([.int(1), .int(5)])), Crate(2, .fromDictionary(["a": .fromArray([.int(5)])])),
        Crate(3, .int(5)),
      ])
    }
    let crates = realm.objects(Crate.self)
    #expect(crates.filter("value[%K] == %@", "#any", 5).crateIDs == [1])
    #expect(crates.filter("ANY value[%K] == %@", "#any", 5).crateIDs == [1])
    #expect(crates.filter("value[%K][%K] == 5", "#any", "#any").crateIDs == [2])
    #expect(crates.filter("value['a'][%K] > 4", "#any").crateIDs == [2])
    #expect(crates.filter("NOT value[%K] == 5", "#any").crateIDs == [2, 3])
  }

  @Test("F-45: long runs of negations are read in one pass; trees that programs build have a limit")
  func negations() throws {
    let signs = String(repeating: "!", count: 200_000)
    #expect(fruits.filter(signs + "ripe == TRUE").ids == [1, 2])
    #expect(fruits.filter(signs + "!ripe == TRUE").ids == [3, 4, 5])
    #expect(fruits.filter(rql: signs + "(ripe == true)").ids == [1, 2])
    #expect(fruits.filter(String(repeating: "NOT ", count: 100_001) + "ripe == TRUE").ids == [3, 4, 5])
    #expect(fruits.filter("id == 1 &&" + signs + "ripe == TRUE").ids == [1])
    #expect(throws: Realm.Error.self) { try fruits.throwing.filter("ripe " + String(repeating: "=", count: 200_000)) }
    #expect(ids { fruit in (0..<40_001).reduce(fruit.ripe == true) { condition, _ in !condition } } == [3, 4, 5])
    #expect(
      ids { fruit in (0..<1_000).reduce(fruit.ripe == true) { condition, id in fruit.id == id || condition } } == [
        1, 2, 3, 4, 5,
      ])
    let deep = #expect(throws: Realm.Error.self) {
      try fruits.throwing.where { fruit in
        (0..<5_000).reduce(fruit.ripe == true) { condition, id in !(condition && fruit.id == id) }
      }
    }
    #expect(deep?.message.contains("nests deeper than") == true)
    let compound = (0..<5_000).reduce(NSPredicate(format: "ripe == TRUE")) { inner, _ in
      NSCompoundPredicate(notPredicateWithSubpredicate: inner)
    }
    #expect(throws: Realm.Error.self) { try fruits.throwing.filter(compound) }
  }

  @Test("F-35: polygons without an inside are refused when the query is built")
  func polygons() throws {
    typealias Ring = [(Double, Double)]
    let square: Ring = [(0, 0), (0, 10), (10, 10), (10, 0), (0, 0)]
    let inner: Ring = [(2, 2), (2, 4), (4, 4), (4, 2), (2, 2)]
    let beside: Ring = [(6, 6), (6, 8), (8, 8), (8, 6), (6, 6)]
    let innermost: Ring = [(2.5, 2.5), (2.5, 3.5), (3.5, 3.5), (3.5, 2.5), (2.5, 2.5)]
    let outside: Ring = [(20, 20), (20, 22), (22, 22), (22, 20), (20, 20)]
    let across: Ring = [(8, 8), (8, 12), (12, 12), (12, 8), (8, 8)]
    let crossed: Ring = [(0, 0), (10, 10), (0, 10), (10, 0), (0, 0)]
    let eight: Ring = [(0, 0), (5, 5), (0, 10), (10, 10), (5, 5), (10, 0), (0, 0)]
    let spike: Ring = [(0, 0), (0, 10), (0, 5), (5, 5), (0, 0)]
    func fault(_ outer: Ring, _ holes: [Ring] = []) throws -> String? {
      let polygon = try #require(GeoPolygon(outerRing: outer, holes: holes))
      do {
        _ = try fruits.throwing.where { $0.origin.location.geoWithin(polygon) }
        _ = try fruits.throwing.filter("origin.location IN %@", polygon)
        return nil
      } catch { return error.message }
    }
    for ring in [square, inner.reversed()] { #expect(try fault(ring) == nil) }
    #expect(try fault(square, [inner]) == nil && fault(square, [inner, beside]) == nil)
    #expect(try fault(crossed)?.contains("crosses or touches itself") == true)
    #expect(try fault(eight)?.contains("one place twice") == true && fault(spike)?.contains("touches itself") == true)
    #expect(try fault(square, [outside])?.contains("Hole 1 is not inside the outer ring") == true)
    #expect(try fault(inner, [square])?.contains("not inside") == true)
    #expect(try fault(square, [across])?.contains("crosses or touches") == true)
    #expect(try fault(square, [square])?.contains("crosses or touches") == true)
    #expect(try fault(square, [inner, inner])?.contains("Hole 2 crosses or touches hole 1") == true)
    #expect(try fault(square, [inner, innermost])?.contains("nested") == true)
    #expect(try fault(square, [innermost, inner])?.contains("nested") == true)
    #expect(try fault(square, [crossed.map { ($0.0 / 10 + 2, $0.1 / 10 + 2) }])?.contains("Hole 1") == true)
  }

  @Test("F-35: only embedded objects are points")
  func topLevelPoints() throws {
    let realm = try makeRealm([MarkedPlace.self, Spot.self, Mark.self])
    let circle = try #require(GeoCircle(center: (0, 0), radiusInRadians: 1))
    let error = #expect(throws: Realm.Error.self) {
      try realm.objects(MarkedPlace.self).throwing.filter("mark IN %@", circle)
    }
    #expect(error?.message.contains("embedded") == true)
    #expect(realm.objects(MarkedPlace.self).filter("spot IN %@", circle).isEmpty)
  }
}

private class Mark: Object {
  @Persisted var type: String
  @Persisted var coordinates: List<Double>
}

private class MarkedPlace: Object {
  @Persisted var mark: Mark?
  @Persisted var spot: Spot?
}
