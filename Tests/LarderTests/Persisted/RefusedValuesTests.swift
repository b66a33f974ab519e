import Foundation
import Testing

@testable import Larder

/// Values that a type of the program has none for, although the store can hold them.
@Suite("Refused values") struct RefusedValuesTests {
  /// Refuses the default of its stored type.
  struct Link: FailableCustomPersistable, Equatable {
    typealias PersistedType = String
    var text: String
    init(_ text: String) { self.text = text }
    init?(persistedValue: String) {
      guard persistedValue.hasPrefix("http") else { return nil }
      text = persistedValue
    }
    var persistableValue: String { text }
  }
  /// Refuses every date but round ones; its stored type has another default each time.
  struct Day: FailableCustomPersistable, Equatable {
    typealias PersistedType = Date
    var start: Date
    init(_ start: Date) { self.start = start }
    init?(persistedValue: Date) {
      guard persistedValue.timeIntervalSinceReferenceDate.truncatingRemainder(dividingBy: 86_400) == 0 else {
        return nil
      }
      start = persistedValue
    }
    var persistableValue: Date { start }
  }
  class Page: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var link: Link
    @Persisted var home = Link("http://home")
    @Persisted var other: Link?
    @Persisted var day = Day(Date(timeIntervalSinceReferenceDate: 0))
    @Persisted var later: Day?
    @Persisted var links: List<Link>
  }
  class Empty: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var link: Link
    @Persisted var day: Day
  }

  @Test(
    "F-20: a Realm opens with a class whose custom type has no default; objects with values are made, read and added")
  func noDefault() throws {
    let folder = try TemporaryFolder()
    let types: [ObjectBase.Type] = [Page.self, Empty.self]
    do {
      let realm = try Realm(configuration: folder.configuration(types))
      let page = Page()
      page.link = Link("http://a")
      try realm.write {
        realm.add(page)
        realm.create(Page.self, value: ["id": 1, "link": "http://b", "links": ["http://c"]] as [String: Any])
      }
      #expect(page.link == Link("http://a") && page.home == Link("http://home") && page.other == nil)
    }
    let realm = try Realm(configuration: folder.configuration(types, version: 1))
    #expect(realm.objects(Page.self).map(\.link.text) == ["http://a", "http://b"])
    try realm.write {
      let error = #expect(throws: Realm.Error.self) { try realm.throwing.add(Empty()) }
      #expect(error?.className == "Empty" && error?.propertyName == "link")
    }
  }

  @Test("F-20: an object that is added or read without a value ends the process, naming class and property")
  func missing() async throws {
    let adding = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm([Page.self])
      try realm.write { realm.add(Page()) }
    }
    #expect(text(adding).contains("Page.link has no value"))
    let reading = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(Page().link)
    }
    #expect(text(reading).contains("Page.link has no value"))
  }

  private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  class Point: EmbeddedObject {
    @Persisted var x: Double
    @Persisted var y: Double
  }
  struct Spot: CustomPersistable, Equatable {
    typealias PersistedType = Point
    var x: Double
    var y: Double
    init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
    init(persistedValue: Point) { self.init(x: persistedValue.x, y: persistedValue.y) }
    var persistableValue: Point { Point(value: [x, y]) }
  }
  class Place: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var spot = Spot(x: 7, y: 8)
    @Persisted var spots: List<Spot>
    @Persisted var named: Map<String, Spot>
    @Persisted var maybe: Map<String, Spot?>
  }
  private static let places: [ObjectBase.Type] = [Place.self, Point.self]

  @Test("F-21: a map of a custom type that is stored as an object; nil reads as the type's default") func maps() throws
  {
    let folder = try TemporaryFolder()
    do {
      let realm = try Realm(configuration: folder.configuration(Self.places))
      let place = Place(value: ["id": 1, "named": ["z": [3, 4]]] as [String: Any])
      place.named["a"] = Spot(x: 1, y: 2)
      place.maybe["n"] = .some(nil)
      #expect(place.named["z"] == Spot(x: 3, y: 4))
      try realm.write {
        realm.add(place)
        place.named["b"] = Spot(x: 5, y: 6)
        realm.create(
          Place.self,
          value: ["id": 2, "named": ["c": Spot(x: 1, y: 1), "d": NSNull(), "e": ["x": 2]]] as [String: Any])
      }
      #expect(place.named.keys == ["a", "b", "z"] && place.named["b"] == Spot(x: 5, y: 6))
    }
    let realm = try Realm(configuration: folder.configuration(Self.places))
    let (first, second) = (realm.objects(Place.self)[0], realm.objects(Place.self)[1])
    #expect(
      first.named.values == [Spot(x: 1, y: 2), Spot(x: 5, y: 6), Spot(x: 3, y: 4)] && first.maybe["n"] == .some(nil))
    #expect(second.named["c"] == Spot(x: 1, y: 1) && second.named["e"] == Spot(x: 2, y: 0))
    #expect(second.named["d"] == Spot(x: 0, y: 0))
    try realm.write {
      realm.create(Place.self, value: ["id": 1, "named": ["a": ["x": 9]]] as [String: Any], update: .modified)
      // An embedded object that is deleted leaves its key with nil.
      let map: Map<String, DynamicObject?> = second.dynamicMap("named")
      if let point = map["c"], let point { realm.delete(point) }
    }
    #expect(first.named["a"]?.x == 9 && first.named.count == 3 && second.named["c"] == Spot(x: 0, y: 0))
    #expect(first.detached().named["b"] == Spot(x: 5, y: 6))
  }

  @Test(
    "F-21, E-0b: the throwing create takes values of a custom type that is stored as an object, alone and in collections"
  )
  func throwingCreate() throws {
    let realm = try makeRealm(Self.places)
    let spots: [String: Any] = [
      "id": 1, "spot": Spot(x: 1, y: 2), "spots": [Spot(x: 3, y: 4), [5, 6]], "named": ["a": Spot(x: 7, y: 8)],
    ]
    let place = try realm.write { try realm.throwing.create(Place.self, value: spots) }
    #expect(place.spot == Spot(x: 1, y: 2) && Array(place.spots) == [Spot(x: 3, y: 4), Spot(x: 5, y: 6)])
    #expect(place.named["a"] == Spot(x: 7, y: 8))
    try realm.write {
      try realm.throwing.create(
        Place.self, value: ["id": 1, "spot": Spot(x: 9, y: 9)] as [String: Any], update: .modified)
      #expect(throws: Realm.Error.self) {
        try realm.throwing.create(Place.self, value: ["id": 2, "spots": [Date()]] as [String: Any])
      }
    }
    #expect(place.spot == Spot(x: 9, y: 9) && realm.objects(Place.self).count == 1)
    try realm.write { place["spot"] = Spot(x: 4, y: 4) }
    #expect(place.spot == Spot(x: 4, y: 4))
  }

  @Test("F-23: nil for a required custom type over an embedded class is its default, unmanaged and stored")
  func nilForObject() throws {
    let unmanaged = Place(value: ["id": 1, "spot": NSNull(), "spots": [NSNull(), [1, 2]]] as [String: Any])
    #expect(unmanaged.spot == Spot(x: 0, y: 0) && Array(unmanaged.spots) == [Spot(x: 0, y: 0), Spot(x: 1, y: 2)])
    let realm = try makeRealm(Self.places)
    let place = try realm.write { realm.create(Place.self, value: ["id": 1, "spot": NSNull()] as [String: Any]) }
    #expect(place.spot == Spot(x: 0, y: 0))
    try realm.write { place["spot"] = ["x": 5] }
    #expect(place.spot == Spot(x: 5, y: 0))
    try realm.write { place["spot"] = nil }
    #expect(place.spot == Spot(x: 0, y: 0))
  }

  @Test("F-23: a value that a failable type refuses leaves the default in memory; stored, an optional reads nil")
  func refused() async throws {
    let unmanaged = Page(value: ["id": 1, "home": "bad", "other": "bad", "link": "bad"] as [String: Any])
    #expect(unmanaged.home == Link("http://home") && unmanaged.other == nil)
    let realm = try makeRealm([Page.self])
    let values: [String: Any] = ["id": 1, "link": "bad", "other": "worse", "home": "x", "links": ["http://a", "bad"]]
    let page = try realm.write { realm.create(Page.self, value: values) }
    #expect(page.other == nil && page.links.count == 2)
    #expect(throws: Realm.Error.self) { try page.throwing.value(forKey: "link") }
    let dynamic = try #require(realm.dynamicObjects("Page").first)
    #expect(dynamic["link"] as? String == "bad" && dynamic["other"] as? String == "worse")
    #expect((dynamic["links"] as? List<String>).map(Array.init) == ["http://a", "bad"])
    try realm.write { page["link"] = "http://good" }
    #expect(page.link == Link("http://good"))
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm([Page.self])
      let page = try realm.write { realm.create(Page.self, value: ["id": 1, "link": "bad"] as [String: Any]) }
      print(page.link)
    }
    #expect(text(result).contains("Page.link"))
  }

  class Case: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var kind: Kind
    @Persisted var other: Kind?
    @Persisted var level: Level?
    @Persisted var kinds: List<Kind>
    @Persisted var set: MutableSet<Kind?>
    @Persisted var map: Map<String, Kind?>
  }

  @Test("F-29: a raw value without a case is stored by name and by create; an optional property reads nil")
  func rawValues() throws {
    let realm = try makeRealm([Case.self])
    let object = try realm.write {
      realm.create(
        Case.self,
        value: ["id": 1, "other": "new", "level": 5, "kinds": ["plain", "new"], "map": ["a": "new"]] as [String: Any])
    }
    let dynamic = try #require(realm.dynamicObjects("Case").first)
    #expect(object.other == nil && object.level == nil && object.kind == .plain && object.map["a"] == .some(nil))
    #expect(dynamic["other"] as? String == "new" && dynamic["level"] as? Int == 5)
    #expect((dynamic["kinds"] as? List<String>).map(Array.init) == ["plain", "new"])
    try realm.write {
      for target in [object, dynamic] as [Object] {
        target["other"] = "special"
        #expect(object.other == .special)
        target["other"] = "newer"
        target["level"] = 77
        target["kind"] = "newest"
        target["kinds"] = ["a", "b"]
        target["set"] = ["x", NSNull()] as [Any]
        target["map"] = ["k": "v"]
        #expect(object.other == nil && object.level == nil)
        #expect(dynamic["other"] as? String == "newer" && dynamic["kind"] as? String == "newest")
        #expect((dynamic["kinds"] as? List<String>).map(Array.init) == ["a", "b"])
        #expect((dynamic["map"] as? Map<String, String?>)?["k"] == "v")
        #expect((dynamic["set"] as? MutableSet<String?>)?.count == 2)
        target["other"] = nil
        target["kind"] = Kind.special
        #expect(object.kind == .special)
      }
      #expect(throws: Realm.Error.self) { try object.throwing.setValue([1], forKey: "other") }
      #expect(throws: Realm.Error.self) { try object.throwing.setValue("text", forKey: "level") }
    }
    #expect(realm.objects(Case.self).filter("kinds.@count == 2").count == 1)
    // The other properties of the object can be changed and read as before.
    try realm.write { realm.create(Case.self, value: ["id": 1, "other": "gone", "level": 10], update: .modified) }
    #expect(object.other == nil && object.level == .high)
  }
}
