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

  @Test("F-23, F-146: nil for a required custom type over an embedded class is its default; a list of it takes no nil")
  func nilForObject() throws {
    let unmanaged = Place(value: ["id": 1, "spot": NSNull(), "spots": [[1, 2]]] as [String: Any])
    #expect(unmanaged.spot == Spot(x: 0, y: 0) && Array(unmanaged.spots) == [Spot(x: 1, y: 2)])
    let withNil: [String: Any] = ["id": 2, "spots": [NSNull(), [1, 2]]]
    let error = #expect(throws: Realm.Error.self) { try Place(validating: withNil) }
    #expect(error?.className == "Place" && error?.propertyName == "spots")
    let realm = try makeRealm(Self.places)
    let place = try realm.write { realm.create(Place.self, value: ["id": 1, "spot": NSNull()] as [String: Any]) }
    #expect(place.spot == Spot(x: 0, y: 0))
    try realm.write {
      #expect(throws: Realm.Error.self) { try realm.throwing.create(Place.self, value: withNil) }
      #expect(throws: Realm.Error.self) { try place.throwing.setValue([NSNull()], forKey: "spots") }
    }
    #expect(realm.objects(Place.self).count == 1 && place.spots.isEmpty)
    try realm.write { place["spot"] = ["x": 5] }
    #expect(place.spot == Spot(x: 5, y: 0))
    try realm.write { place["spot"] = nil }
    #expect(place.spot == Spot(x: 0, y: 0))
  }

  /// A point to the right of zero.
  struct RightSpot: FailableCustomPersistable, Equatable {
    typealias PersistedType = Point
    var x: Double
    init?(persistedValue: Point) {
      guard persistedValue.x >= 0 else { return nil }
      x = persistedValue.x
    }
    var persistableValue: Point { Point(value: [x, 0]) }
  }
  class Refusing: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var home = Link("http://home")
    @Persisted var other: Link?
    @Persisted var links: List<Link>
    @Persisted var set: MutableSet<Link>
    @Persisted var named: Map<String, Link>
    @Persisted var maybe: List<Link?>
    @Persisted var maybeNamed: Map<String, Link?>
    @Persisted var right: RightSpot
    @Persisted var rights: List<RightSpot>
  }
  private static let refusing: [ObjectBase.Type] = [Refusing.self, Point.self]

  private static let refusals: [(String, any Sendable, String, String)] = [
    ("home", "bad", "Link", "bad"), ("links", ["http://a", "bad"], "Link", "bad"), ("set", ["bad"], "Link", "bad"),
    ("named", ["k": "bad"], "Link", "bad"), ("right", ["x": -1.0], "RightSpot", "-1"),
    ("rights", [["x": 1.0], ["x": -2.0]], "RightSpot", "-2"),
  ]

  @Test(
    "F-121: a value that a failable type refuses is an error with class, property, type and value, however it is supplied",
    arguments: refusals)
  func refused(property: String, value: any Sendable, type: String, text: String) throws {
    let realm = try makeRealm(Self.refusing)
    let known: [String: Any] = ["id": 1, "right": ["x": 3.0], "links": ["http://a"]]
    let object = try realm.write { realm.create(Refusing.self, value: known) }
    func check(_ what: String, _ body: () throws -> Void) {
      let error = #expect(throws: Realm.Error.self, "\(what) \(property)") { try body() }
      #expect(error?.className == "Refusing" && error?.propertyName == property, "\(what) \(property)")
      let message = error?.message ?? ""
      #expect(message.contains("Refusing.\(property)") && message.contains(type), "\(message)")
      #expect(message.contains(text), "\(message)")
    }
    check("validating") { _ = try Refusing(validating: ["id": 2, property: value]) }
    check("unmanaged") { try Refusing().throwing.setValue(value, forKey: property) }
    try realm.write {
      check("create") { try realm.throwing.create(Refusing.self, value: ["id": 2, property: value] as [String: Any]) }
      for policy in [Realm.UpdatePolicy.all, .modified] {
        check("update") {
          try realm.throwing.create(Refusing.self, value: ["id": 1, property: value] as [String: Any], update: policy)
        }
      }
      check("set") { try object.throwing.setValue(value, forKey: property) }
    }
    #expect(realm.objects(Refusing.self).count == 1 && object.home == Link("http://home"))
    #expect(Array(object.links) == [Link("http://a")] && object.right.x == 3 && object.rights.isEmpty)
    #expect(object.set.isEmpty && object.named.count == 0)
  }

  @Test(
    "F-121: an optional place reads nil for a refused value, in memory and in the store, and elsewhere it ends the process"
  )
  func refusedOptional() async throws {
    let values: [String: Any] = [
      "id": 1, "other": "worse", "maybe": ["http://a", "bad", NSNull()], "maybeNamed": ["k": "bad"],
      "right": ["x": 1.0],
    ]
    let unmanaged = Refusing(value: values)
    #expect(unmanaged.other == nil && Array(unmanaged.maybe) == [Link("http://a"), nil, nil])
    #expect(unmanaged.maybeNamed["k"] == .some(nil) && unmanaged.right.x == 1)
    unmanaged["other"] = "http://b"
    unmanaged["other"] = "bad"
    #expect(unmanaged.other == nil)
    let realm = try makeRealm(Self.refusing)
    let object = try realm.write { realm.create(Refusing.self, value: values) }
    #expect(object.other == nil && Array(object.maybe) == [Link("http://a"), nil, nil])
    #expect(object.maybeNamed["k"] == .some(nil))
    let dynamic = try #require(realm.dynamicObjects("Refusing").first)
    #expect(dynamic["other"] as? String == "worse")
    #expect((dynamic["maybe"] as? List<String?>).map(Array.init) == ["http://a", "bad", nil])
    let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Refusing(value: ["id": 1, "home": "bad"] as [String: Any])
    }
    #expect(self.text(ended).contains("Refusing.home: Link has no value for it"))
    let created = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm([Page.self])
      try realm.write { _ = realm.create(Page.self, value: ["id": 1, "link": "bad"] as [String: Any]) }
    }
    #expect(self.text(created).contains("Page.link: Link has no value for it"))
  }

  class Stored: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var link: Link
    @Persisted var links: List<Link>
    override class func _realmObjectName() -> String? { "Kept" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
  class Plain: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var link: String
    @Persisted var links: List<String>
    override class func _realmObjectName() -> String? { "Kept" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  @Test("F-121: reading a refused value that another program stored names class, property, type and value")
  func refusedReading() throws {
    let folder = try TemporaryFolder()
    do {
      let realm = try Realm(configuration: folder.configuration([Plain.self]))
      try realm.write {
        _ = realm.create(Plain.self, value: ["id": 1, "link": "bad", "links": ["worse"]] as [String: Any])
      }
    }
    let realm = try Realm(configuration: folder.configuration([Stored.self]))
    let object = try #require(realm.objects(Stored.self).first)
    let error = #expect(throws: Realm.Error.self) { try object.throwing[\.link] }
    #expect(error?.message == "The stored value 'bad' of Kept.link is no Link.")
    let element = #expect(throws: Realm.Error.self) { try object.links.throwing[0] }
    #expect(element?.message == "The stored value 'worse' of Kept.links is no Link.")
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

  @Test("F-146: a raw value without a case is nil in an unmanaged object's optional places, and an error elsewhere")
  func unmanagedRawValues() throws {
    let object = Case(
      value: ["id": 1, "other": "new", "level": 5, "set": ["x", "plain"], "map": ["a": "new"]] as [String: Any])
    #expect(object.other == nil && object.level == nil && object.map["a"] == .some(nil))
    #expect(object.set.count == 2 && object.set.contains(nil) && object.set.contains(.plain))
    object.other = .special
    object["other"] = "newer"
    object["level"] = 78
    #expect(object.other == nil && object.level == nil)
    object.other = .special
    try object.throwing.setValue("newest", forKey: "other")
    #expect(object.other == nil)
    let error = #expect(throws: Realm.Error.self) { try Case(validating: ["id": 1, "kind": "new"]) }
    #expect(error?.propertyName == "kind")
    #expect(throws: Realm.Error.self) { try Case(validating: ["id": 1, "kinds": ["plain", "new"]] as [String: Any]) }
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
