import Foundation
import Testing

@testable import Larder

@Suite struct QueryTests {
  let realm: Realm
  var fruits: Results<Fruit> { realm.objects(Fruit.self) }

  init() throws { realm = try makeFruitRealm() }

  private func ids(_ condition: (Query<Fruit>) -> Query<Bool>) -> [Int] { fruits.where(condition).ids }

  @Test("C: comparisons of values, of nil and of properties with each other")
  func comparisons() {
    #expect(ids { $0.price == 2.5 } == [1, 4])
    #expect(ids { $0.price != 2.5 } == [2, 3, 5])
    #expect(ids { $0.price > 2.5 } == [2] && ids { $0.price >= 2.5 } == [1, 2, 4])
    #expect(ids { $0.price < 1 } == [5] && ids { $0.price <= 1 } == [3, 5])
    #expect(ids { $0.stock == nil } == [3, 4, 5] && ids { $0.stock != nil } == [1, 2])
    #expect(ids { $0.stock > 5 } == [1] && ids { $0.stock == 0 } == [2])
    #expect(ids { $0.name == $0.name } == [1, 2, 3, 4, 5] && ids { $0.nick.notEquals($0.name) } == [1, 2, 3, 4, 5])
    #expect(ids { $0.weight > Decimal128(value: 1) } == [1])
    #expect(ids { $0.picked <= Date() } == [1, 2, 3, 4, 5])
    #expect(ids { $0.name > "b" } == [3, 4, 5])
  }

  @Test("C: a comparison that was made before finds what fits its constant now, however its key path was made")
  func repeated() {
    for _ in 0..<2 {
      for (price, expected) in [(2.5, [1, 4]), (1.0, [3]), (9.0, [])] {
        #expect(ids { $0.price == price } == expected)
        let keyPath: KeyPath<Fruit, Double> = \.price
        #expect(ids { $0[dynamicMember: keyPath] == price } == expected)
        let made = (\Fruit.self as KeyPath<Fruit, Fruit>).appending(path: keyPath)
        #expect(ids { $0[dynamicMember: made] == price } == expected)
        #expect(Array(fruits.filter(#Predicate { $0.price == price }).map(\.id)) == expected)
      }
      #expect(
        ids { $0.stock == nil } == [3, 4, 5] && ids { $0.stock == 10 } == [1] && ids { $0.stock == nil } == [3, 4, 5])
      #expect(ids { $0.price < 1 } == [5] && ids { $0.price > 2.5 } == [2] && ids { $0.name.contains("p") } == [1, 4])
    }
  }

  @Test("C: conditions, and Q-123: a double negation is none")
  func logic() {
    #expect(ids { $0.ripe } == [1, 2] && ids { !$0.ripe } == [3, 4, 5])
    #expect(ids { !(!$0.ripe) } == [1, 2])
    #expect(ids { $0.ripe && $0.price > 2.5 } == [2] && ids { $0.ripe || $0.price < 1 } == [1, 2, 5])
    #expect(ids { $0.price == 1 || $0.ripe && $0.stock == 0 } == [2, 3])
    #expect(ids { !($0.ripe && $0.stock == 10) && $0.price > 0 } == [2, 3, 4])
    #expect(ids { $0.ripe == false } == [3, 4, 5])
  }

  @Test("C: in, ranges, and Q-123: a negated range")
  func ranges() {
    #expect(ids { $0.id.in([1, 4, 9]) } == [1, 4] && ids { $0.id.in([]) } == [])
    #expect(ids { $0.stock.in([nil, 10]) } == [1, 3, 4, 5])
    #expect(ids { $0.price.contains(1..<2.5) } == [3] && ids { $0.price.contains(1...2.5) } == [1, 3, 4])
    #expect(ids { !$0.price.contains(1...2.5) } == [2, 5] && ids { !$0.price.contains(1..<2.5) } == [1, 2, 4, 5])
    #expect(ids { $0.stock.contains(0...9) } == [2])
    #expect(ids { $0.name.contains("A"..."Q") } == [1, 2])
  }

  @Test("C: text and data with options")
  func text() {
    #expect(
      ids { $0.name.contains("p") } == [1, 4] && ids { $0.name.contains("P", options: .caseInsensitive) } == [1, 2, 4])
    #expect(ids { $0.name.starts(with: "A") } == [1])
    #expect(ids { $0.name.starts(with: "ap", options: [.caseInsensitive, .diacriticInsensitive]) } == [1, 4])
    #expect(ids { $0.name.ends(with: "l") } == [4] && ids { $0.name.equals("KIWI", options: .caseInsensitive) } == [3])
    #expect(ids { $0.name.notEquals("apfel", options: [.caseInsensitive, .diacriticInsensitive]) } == [1, 2, 3, 5])
    #expect(ids { $0.name.like("?i*") } == [3, 5] && ids { $0.name.like("A*", caseInsensitive: true) } == [1])
    #expect(
      ids { $0.nick.contains("p") } == [1] && ids { $0.nick.starts(with: "AP", options: .caseInsensitive) } == [1])
    #expect(ids { $0.data.contains(Data([2])) } == [1] && ids { $0.data.starts(with: Data([2])) } == [])
    #expect(ids { $0.name.contains($0.nick, options: .caseInsensitive) } == [1])
    #expect(ids { $0.name.contains("") } == [])
  }

  @Test("C: enums as themselves and by raw value")
  func enums() {
    #expect(
      ids { $0.size == .large } == [1] && ids { $0.taste == .sour } == [3] && ids { $0.taste == nil } == [2, 4, 5])
    #expect(ids { $0.size.rawValue >= 1 } == [1] && ids { $0.taste.rawValue.starts(with: "s") } == [1, 3])
    #expect(ids { $0.size > .small } == [1] && ids { $0.size.in([.small]) } == [2, 3, 4, 5])
    #expect(ids { $0.sizes.contains(.large) } == [1])
    #expect(ids { $0.size.persistableValue == 1 } == [1])
  }

  @Test("C: links, nil and objects")
  func links() throws {
    let apple = try #require(realm.object(ofType: Fruit.self, forPrimaryKey: 1))
    #expect(
      ids { $0.rival == nil } == [1, 5] && ids { $0.rival == apple } == [2, 3]
        && ids { $0.rival != apple } == [1, 4, 5])
    #expect(ids { $0.rival.name == "Apple" } == [2, 3] && ids { $0.rival.rival.name == "Apple" } == [4])
    #expect(ids { $0.origin.country == "Italy" } == [1] && ids { $0.origin.country == nil } == [3, 4, 5])
    #expect(ids { $0.rival.tags.contains("red") } == [2, 3])
    #expect(ids { $0.rival == Fruit(9, "new") } == [])
  }

  @Test("C: elements of collections, Q-121: a range holds all elements")
  func collections() {
    #expect(ids { $0.tags.contains("green") } == [2] && ids { !$0.tags.contains("green") } == [1, 3, 4, 5])
    #expect(ids { $0.tags.containsAny(in: ["red", "green"]) } == [1, 2])
    #expect(ids { $0.tags == "red" } == [1] && ids { $0.tags != "red" } == [1, 2])
    #expect(ids { $0.marks > 8 } == [1] && ids { $0.marks <= 4 } == [1, 2])
    #expect(ids { $0.marks.contains(1...5) } == [2] && ids { $0.marks.contains(4..<5) } == [])
    #expect(ids { !$0.marks.contains(1...5) } == [1, 3, 4, 5])
    #expect(ids { $0.marks.count == 2 } == [1, 2] && ids { $0.tags.count > 1 } == [1])
    #expect(ids { $0.marks.min == 1 } == [1] && ids { $0.marks.max == 5 } == [2] && ids { $0.marks.sum == 10 } == [1])
    #expect(ids { $0.marks.avg == 5 } == [1])
    #expect(ids { $0.codes.contains(3) } == [1] && ids { $0.codes.count == 0 } == [2, 3, 4, 5])
    #expect(ids { $0.mixes.price > 2.6 } == [3] && ids { $0.mixes.name == "Apple" } == [2, 3])
    #expect(ids { $0.mixes.price.max == 3 } == [3] && ids { $0.mixes.price.avg == 2.75 } == [3])
    #expect(ids { $0.rivals.name == "kiwi" } == [1] && ids { $0.rivals.count == 2 } == [1])
    #expect(ids { $0.rival.mixes.price.min == 2.5 } == [4])
  }

  @Test("C: maps by key, by any key, by any value")
  func maps() {
    #expect(ids { $0.prices["EUR"] == 2 } == [1] && ids { $0.prices["EUR"] > 1 } == [1, 2])
    #expect(ids { $0.prices["none"] == nil } == [1, 2, 3, 4, 5])
    #expect(ids { $0.prices["EUR"] != 2 } == [2, 3, 4, 5])
    #expect(ids { $0.prices.keys == "a.b" } == [1] && ids { $0.prices.keys.starts(with: "E") } == [1, 2])
    #expect(ids { $0.prices.values == 5 } == [2] && ids { $0.prices.values == nil } == [1])
    #expect(ids { $0.prices.contains(5) } == [2] && ids { $0.prices.containsAny(in: [2, 5]) } == [1, 2])
    #expect(
      ids { $0.prices.count == 2 } == [1] && ids { $0.prices.max == 5 } == [2] && ids { $0.prices.sum > 1 } == [1, 2])
    #expect(ids { $0.prices.contains(1...3) } == [1])
  }

  @Test("Q-122: a count of a condition is about the elements of one collection")
  func subqueries() {
    #expect(ids { ($0.mixes.price > 2 && $0.mixes.name == "Pear").count > 0 } == [3])
    #expect(ids { ($0.mixes.price > 2).count == 2 } == [3] && ids { ($0.mixes.ripe).count == 1 } == [2])
    #expect(ids { (!$0.mixes.ripe).count == 0 } == [1, 2, 3, 4, 5])
    #expect(ids { ($0.mixes.tags == "red").count == 1 } == [2, 3])
    #expect(ids { (($0.mixes.mixes.price > 2).count == 1 && $0.mixes.ripe).count == 1 } == [3])
    #expect(ids { (($0.mixes.mixes.price > 2).count == 2).count == 1 } == [])
    #expect(throws: Realm.Error.self) { try fruits.throwing.where { ($0.price > 2).count > 0 } }
    let error = #expect(throws: Realm.Error.self) {
      try fruits.throwing.where { ($0.mixes.price > 2 && $0.rivals.price > 2).count > 0 }
    }
    #expect(error?.message.contains("one collection") == true)
  }

  @Test("Q-120: two collections cannot be compared")
  func twoCollections() {
    let error = #expect(throws: Realm.Error.self) { try fruits.throwing.where { $0.mixes.name == $0.rivals.name } }
    #expect(error?.message.contains("only one side may be a collection") == true)
  }

  @Test("Q-124: the closure runs once, with what it captures then")
  func captured() {
    var limit = 2.0
    var runs = 0
    let found = fruits.where {
      runs += 1
      return $0.price > limit
    }
    limit = 0
    #expect(found.ids == [1, 2, 4] && found.ids.count == 3 && runs == 1)
  }

  @Test("Q-74: areas")
  func areas() throws {
    let near = try #require(Distance.kilometers(10))
    let rome = try #require(GeoCircle(center: (41.9, 12.5), radius: near))
    let europe = try #require(GeoBox(bottomLeft: (35, -10), topRight: (60, 30)))
    let iberia = try #require(GeoPolygon(outerRing: [(36, -10), (36, 3), (44, 3), (44, -10), (36, -10)]))
    #expect(
      ids { $0.origin.location.geoWithin(rome) } == [1] && ids { $0.origin.location.geoWithin(europe) } == [1, 2])
    #expect(ids { $0.origin.location.geoWithin(iberia) } == [2])
    #expect(ids { !$0.origin.location.geoWithin(iberia) } == [1, 3, 4, 5])
    #expect(fruits.filter("origin.location IN %@", rome).ids == [1])
    #expect(throws: Realm.Error.self) { try fruits.throwing.filter("origin IN %@", rome) }
    #expect(GeoPoint(latitude: 91, longitude: 0) == nil && GeoPoint(latitude: 0, longitude: 0, altitude: -1) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (0, 1), (1, 1), (2, 2)]) == nil && Distance.kilometers(-1) == nil)
    let miles = try #require(Distance.miles(10))
    #expect(abs(miles.asKilometers() - 16.09344) < 1e-9)
  }

  @Test("C: a condition as text")
  func constructed() {
    let (text, arguments) = Query<Fruit>._constructForTesting().name.starts(with: "a")._constructPredicate()
    #expect(text == "name BEGINSWITH 'a'" && arguments.isEmpty)
    let both = (Query<Fruit>._constructForTesting().mixes.price > 2 && !Query<Fruit>._constructForTesting().ripe)
    #expect(both._constructPredicate().0 == "ANY mixes.price > 2.0 AND (NOT ripe == TRUE)")
  }

  @Test("C: index(matching:), among objects and among values")
  func index() throws {
    #expect(fruits.index(matching: { $0.price == 3 }) == 1 && fruits.index(matching: { $0.price == 33 }) == nil)
    let apple = try #require(fruits.first)
    #expect(apple.marks.index(matching: { $0 > 5 }) == 1 && apple.tags.index(matching: { $0.starts(with: "ro") }) == 1)
    #expect(apple.marks.index(matching: "SELF BETWEEN {2, 9}") == 1)
    let sorted = fruits.sorted(byKeyPath: "price", ascending: false).distinct(by: ["price"])
    // Q-167: looked for among the results as they are.
    #expect(sorted.ids == [2, 1, 3, 5] && sorted.index(matching: { $0.id == 4 }) == nil)
    #expect(sorted.index(matching: "price == 2.5") == 1)
  }
}

@Suite struct QueriesOfOtherTypesTests {
  @Test("C and Q-61 to Q-65: values of any type")
  func mixed() throws {
    let realm = try makeRealm([Crate.self])
    try realm.write {
      realm.add([
        Crate(1, .int(1)), Crate(2, .double(1)), Crate(3, .string("abc")), Crate(4, .none), Crate(5, .bool(true)),
        Crate(6, .fromArray([.int(1), .string("x"), .fromDictionary(["deep": .int(9)])])),
        Crate(7, .fromDictionary(["a": .int(1), "b": .fromArray([.int(7), .int(8)])])),
      ])
      let crates = realm.objects(Crate.self)
      crates[2].value = .object(crates[0])
      crates[0].values.append(objectsIn: [.int(5), .string("five")])
      crates[0].byName["k"] = .string("v")
    }
    let crates = realm.objects(Crate.self)
    func ids(_ condition: (Query<Crate>) -> Query<Bool>) -> [Int] { crates.where(condition).map { $0.id } }
    #expect(ids { $0.value == .int(1) } == [1, 2] && ids { $0.value > .int(0) } == [1, 2])
    #expect(ids { $0.value == .none } == [4] && ids { $0.value == .bool(true) } == [5])
    #expect(ids { $0.value.in([.int(1), .none]) } == [1, 2, 4])
    #expect(ids { $0.value == .object(crates[0]) } == [3])
    #expect(ids { $0.value[0] == .int(1) } == [6] && ids { $0.value["a"] == .int(1) } == [7])
    #expect(ids { $0.value[2]["deep"] == .int(9) } == [6] && ids { $0.value["b"].any == .int(8) } == [7])
    #expect(ids { $0.value.any == .int(1) } == [6, 7])
    #expect(ids { $0.values.contains(.string("five")) } == [1] && ids { $0.values.max == .string("five") } == [1])
    #expect(ids { $0.byName["k"] == .string("v") } == [1] && ids { $0.byName.values == .string("v") } == [1])
    #expect(crates.sorted(byKeyPath: "value").map { $0.id } == [4, 5, 1, 2, 3, 6, 7])
    #expect(crates.filter("value == %@", AnyRealmValue.int(1)).count == 2)
  }

  @Test("Q-20, Q-66: custom types are compared as what they are stored as, by all of their properties")
  func custom() throws {
    let realm = try makeRealm([Station.self, StoredCoordinate.self])
    let (north, south) = (Coordinate(x: 0, y: 9), Coordinate(x: 0, y: -9))
    try realm.write {
      realm.add([Station(1, north, 3, [north, south]), Station(2, south, -5, [south]), Station(3, nil, 20)])
    }
    let stations = realm.objects(Station.self)
    func ids(_ condition: (Query<Station>) -> Query<Bool>) -> [Int] { stations.where(condition).map { $0.id } }
    #expect(ids { $0.heat == Warmth(3) } == [1] && ids { $0.heat < Warmth(4) } == [1, 2])
    #expect(ids { $0.heat.persistableValue > 0 } == [1, 3])
    #expect(ids { $0.at == north } == [1] && ids { $0.at != north } == [2, 3] && ids { $0.at == nil } == [3])
    #expect(ids { $0.at.persistableValue.y > 0 } == [1])
    #expect(ids { $0.route.contains(north) } == [1] && ids { $0.route == south } == [1, 2])
    // Of contents, unlike of objects: there are elements, and none is equal.
    #expect(ids { $0.route != north } == [2])
    #expect(stations.filter("heat == %@", Warmth(20)).map { $0.id } == [3])
  }
}
