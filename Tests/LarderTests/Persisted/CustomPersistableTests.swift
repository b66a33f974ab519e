import Foundation
import LarderStorage
import Testing

@testable import Larder

struct Celsius: CustomPersistable, Equatable {
  typealias PersistedType = Double
  var degrees: Double
  init(_ degrees: Double) { self.degrees = degrees }
  init(persistedValue: Double) { degrees = persistedValue }
  var persistableValue: Double { degrees }
}

/// Only upper-case letters.
struct Code: FailableCustomPersistable, Equatable {
  typealias PersistedType = String
  var text: String
  init?(persistedValue: String) {
    guard !persistedValue.isEmpty, persistedValue.allSatisfy(\.isUppercase) else { return nil }
    text = persistedValue
  }
  var persistableValue: String { text }
}

/// Stored through an enum.
struct Wrapped: CustomPersistable, Equatable {
  typealias PersistedType = Kind
  var kind: Kind
  init(persistedValue: Kind) { kind = persistedValue }
  var persistableValue: Kind { kind }
}

class PointRow: EmbeddedObject {
  @Persisted var x: Double
  @Persisted var y: Double
}

struct Point: CustomPersistable, Equatable {
  typealias PersistedType = PointRow
  var x: Double
  var y: Double
  init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
  init(persistedValue: PointRow) { self.init(x: persistedValue.x, y: persistedValue.y) }
  var persistableValue: PointRow { PointRow(value: ["x": x, "y": y]) }
}

class Place: Object {
  @Persisted(primaryKey: true) var code = Code(persistedValue: "A")
  @Persisted var warmth: Celsius
  @Persisted var limit: Celsius? = Celsius(40)
  @Persisted var wrapped: Wrapped
  @Persisted var position: Point
  @Persisted var corner: Point?
  @Persisted var history: List<Celsius>
  @Persisted var gaps: List<Celsius?>
  @Persisted var other: Code?
  @Persisted var codes: List<Code>
}

/// The same class as a program that knows nothing of the custom types sees it.
private enum Plain {
  class Place: Object {
    @Persisted(primaryKey: true) var code: String?
    @Persisted var warmth: Double
    @Persisted var limit: Double?
    @Persisted var wrapped: String
    @Persisted var position: PointRow?
    @Persisted var corner: PointRow?
    @Persisted var history: List<Double>
    @Persisted var gaps: List<Double?>
    @Persisted var other: String?
    @Persisted var codes: List<String>
  }
}

@Suite("Custom types") struct CustomPersistableTests {
  private let types: [ObjectBase.Type] = [Place.self, PointRow.self]

  @Test("O-20: custom types over simple types, enums and embedded classes, also unmanaged") func values() throws {
    let realm = try makeRealm(types)
    let place = Place()
    place.code = Code(persistedValue: "BER")
    place.warmth = Celsius(21.5)
    place.position = Point(x: 1, y: 2)
    place.history.append(objectsIn: [Celsius(1), Celsius(2)])
    #expect(place.warmth == Celsius(21.5) && place.limit == Celsius(40) && place.corner == nil)
    try realm.write { realm.add(place) }
    let read = try #require(realm.objects(Place.self).first)
    #expect(read.code == Code(persistedValue: "BER"))
    #expect(read.warmth == Celsius(21.5) && read.limit == Celsius(40))
    #expect(read.wrapped.kind == .plain)
    #expect(read.position == Point(x: 1, y: 2) && read.corner == nil)
    #expect(Array(read.history) == [Celsius(1), Celsius(2)])
    try realm.write {
      read.limit = nil
      read.warmth = Celsius(-1)
      read.wrapped = Wrapped(persistedValue: .special)
      read.position = Point(x: 3, y: 4)
      read.corner = Point(x: 5, y: 6)
      read.gaps.append(objectsIn: [nil, Celsius(3)])
    }
    #expect(read.limit == nil && read.warmth == Celsius(-1) && read.wrapped.kind == .special)
    #expect(read.position == Point(x: 3, y: 4) && read.corner == Point(x: 5, y: 6))
    #expect(Array(read.gaps) == [nil, Celsius(3)])
    try realm.write { read.corner = nil }
    #expect(read.corner == nil)
    #expect(realm.dynamicObjects("PointRow").count == 1)
  }

  @Test("O-21: without a value, a property has that of its stored type's default") func defaults() throws {
    let place = Place()
    #expect(place.warmth == Celsius(0) && place.position == Point(x: 0, y: 0) && place.wrapped.kind == .plain)
    let realm = try makeRealm(types)
    try realm.write { realm.add(place) }
    #expect(place.warmth == Celsius(0) && place.position == Point(x: 0, y: 0) && place.wrapped.kind == .plain)
    #expect(Celsius._rlmDefaultValue() == Celsius(0))
  }

  @Test("Creating takes the value and its stored form; dynamic access gives the stored form") func dynamic() throws {
    let realm = try makeRealm(types)
    let place = try realm.write {
      realm.create(
        Place.self,
        value: [
          "code": "X", "warmth": 3, "limit": Celsius(4), "history": [1.5, Celsius(2)] as [Any], "wrapped": "special",
        ]
          as [String: Any])
    }
    #expect(place.code?.text == "X" && place.warmth == Celsius(3) && place.limit == Celsius(4))
    #expect(Array(place.history) == [Celsius(1.5), Celsius(2)] && place.wrapped.kind == .special)
    #expect(place["warmth"] as? Double == 3 && place["code"] as? String == "X")
    #expect(realm.object(ofType: Place.self, forPrimaryKey: "X")?.warmth == Celsius(3))
    #expect(realm.object(ofType: Place.self, forPrimaryKey: Code(persistedValue: "X"))?.warmth == Celsius(3))
    #expect(realm.objects(Place.self).filter("warmth == 3 AND limit > 3").count == 1)
    try realm.write {
      place["warmth"] = Celsius(7)
      place["limit"] = 8
    }
    #expect(place.warmth == Celsius(7) && place.limit == Celsius(8))
    try realm.write {
      realm.create(Place.self, value: ["code": "X", "warmth": Celsius(9)] as [String: Any], update: .modified)
    }
    #expect(place.warmth == Celsius(9) && place.limit == Celsius(8))
  }

  @Test("The schema is that of the stored types") func schema() throws {
    let custom = try #require(Place.sharedSchema())
    #expect(custom["warmth"]?.type == .double && custom["limit"]?.isOptional == true)
    #expect(custom["position"]?.type == .object && custom["position"]?.objectClassName == "PointRow")
    #expect(custom["code"]?.type == .string && custom.primaryKeyProperty?.name == "code")
  }

  @Test("O-23 and E-68: a stored value without a case or custom value is nil where that fits, else it throws")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    do {
      let realm = try Realm(configuration: folder.configuration([Plain.Place.self, PointRow.self]))
      try realm.write {
        realm.create(
          Plain.Place.self,
          value: ["code": "A", "wrapped": "no kind", "other": "lower", "codes": ["B", "low"]] as [String: Any])
      }
    }
    let realm = try Realm(configuration: folder.configuration(types))
    let place = try #require(realm.objects(Place.self).first)
    #expect(place.other == nil)
    #expect(try place.throwing[\.other] == nil)
    #expect(try place.throwing[\.warmth] == Celsius(0))
    let error = #expect(throws: Realm.Error.self) { try place.throwing[\.wrapped] }
    #expect(error?.code == .invalidInput && error?.className == "Place" && error?.propertyName == "wrapped")
    #expect(error?.message == "The stored value 'no kind' of Place.wrapped is no Wrapped.")
    #expect(throws: Realm.Error.self) { try place.throwing.value(forKey: "wrapped") }
    let element = #expect(throws: Realm.Error.self) { try place.codes.throwing[1] }
    #expect(element?.message == "The stored value 'low' of Place.codes is no Code." && element?.propertyName == "codes")
    #expect(try place.codes.throwing[0].text == "B" && place.codes.count == 2)
    #expect(throws: Realm.Error.self) { try place.throwing.detached() }
    #expect(place.position == Point(x: 0, y: 0))
  }

  @Test("Bridging casts convert as create does, and give the stored form") func bridging() {
    let value: Celsius = dynamicBridgeCast(fromObjectiveC: 4)
    #expect(value == Celsius(4))
    #expect(dynamicBridgeCast(fromSwift: Celsius(5)) as? Double == 5)
    #expect(dynamicBridgeCast(fromSwift: Kind.special) as? String == "special")
    #expect(dynamicBridgeCast(fromSwift: Int?.none) is NSNull)
    let text: Int? = dynamicBridgeCast(fromObjectiveC: NSNull())
    #expect(text == nil)
  }
}
