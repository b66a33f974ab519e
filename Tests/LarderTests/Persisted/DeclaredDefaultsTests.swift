import Foundation
import Testing

@testable import Larder

/// Counts how often what a property is declared with is evaluated.
private enum Evaluations {
  /// On the thread that asks, and on no other: whatever opens all classes of the program makes objects of these, too.
  private static let key = "evaluations"
  private static var counts: [String: Int]? {
    get { Thread.current.threadDictionary[key] as? [String: Int] }
    set { Thread.current.threadDictionary[key] = newValue }
  }

  static func note<Value>(_ name: String, _ value: Value) -> Value {
    counts?[name, default: 0] += 1
    return value
  }

  /// The evaluations during a block, by name.
  static func during(_ body: () throws -> Void) rethrows -> [String: Int] {
    counts = [:]
    defer { counts = nil }
    try body()
    return counts ?? [:]
  }
}

private final class Stamped: Object {
  @Persisted(primaryKey: true) var id: UUID = Evaluations.note("id", UUID())
  @Persisted(indexed: true) var at: Date = Evaluations.note("at", Date(timeIntervalSince1970: 77))
  @Persisted var token: ObjectId = Evaluations.note("token", ObjectId.generate())
  @Persisted var text = ""
  @Persisted var part: StampedPart?
}

private final class StampedPart: EmbeddedObject {
  @Persisted var at: Date = Evaluations.note("part", Date(timeIntervalSince1970: 5))
  @Persisted var number = 0
}

/// Reads in its initialiser what it is declared with, and makes other objects there.
private final class Curious: Object {
  @Persisted(primaryKey: true) var id: Int = 0
  @Persisted var at: Date = Evaluations.note("curious", Date(timeIntervalSince1970: 3))
  @Persisted var seen: Double = 0
  @Persisted var part: StampedPart?

  required init() {
    super.init()
    seen = at.timeIntervalSince1970
    part = StampedPart()
  }
}

/// A class with a stored property that is none of the store's, so that reading runs its initialiser.
private final class Noted: Object {
  @Persisted(primaryKey: true) var id: UUID = Evaluations.note("noted", UUID())
  @Persisted var number = 0
  var note: [Int] = []
}

@Suite("Declared values", .serialized) struct DeclaredDefaultsTests {
  private let key = UUID()

  @Test("F-65: an identifier or time that is given is not made as well") func given() throws {
    let realm = try makeRealm([Stamped.self, StampedPart.self])
    let token = ObjectId.generate()
    let all: [String: Any] = ["id": key, "at": Date(), "token": token, "part": ["at": Date(), "number": 1]]
    #expect(
      try Evaluations.during { try realm.write { _ = realm.create(Stamped.self, value: all) } } == [:])
    #expect(Evaluations.during { _ = Stamped(value: all) } == [:])
    #expect(try Evaluations.during { _ = try Stamped(validating: all) } == [:])
    #expect(
      try Evaluations.during { try realm.write { _ = realm.create(Stamped.self, value: all, update: .modified) } }
        == [:])
    let object = try #require(realm.object(ofType: Stamped.self, forPrimaryKey: key))
    #expect(object.token == token && object.part?.number == 1)
    #expect(Evaluations.during { _ = object.detached() } == [:])
  }

  @Test("F-65: what is not given is evaluated once for each object, as O-21 says") func notGiven() throws {
    let realm = try makeRealm([Stamped.self, StampedPart.self])
    #expect(
      try Evaluations.during { try realm.write { _ = realm.create(Stamped.self, value: ["id": key, "part": [:]]) } }
        == ["at": 1, "token": 1, "part": 1])
    let object = try #require(realm.objects(Stamped.self).first)
    #expect(object.at == Date(timeIntervalSince1970: 77) && object.part?.at == Date(timeIntervalSince1970: 5))
    #expect(
      try Evaluations.during { try realm.write { _ = realm.create(Stamped.self, update: .modified) } }
        == ["id": 1, "at": 1, "token": 1])
    var made: Stamped?
    #expect(Evaluations.during { made = Stamped(value: ["text": "x"]) } == ["id": 1, "at": 1, "token": 1])
    let (id, token) = (made?.id, made?.token)
    #expect(try Evaluations.during { try realm.write { if let made { realm.add(made) } } } == [:])
    #expect(made?.id == id && made?.token == token && made?.at == Date(timeIntervalSince1970: 77))
    #expect(Evaluations.during { _ = Stamped() } == ["id": 1, "at": 1, "token": 1])
    #expect(realm.objects(Stamped.self).where { $0.at == Date(timeIntervalSince1970: 77) }.count == 3)
  }

  @Test("F-65: an initialiser that reads a declared value, or makes other objects, finds what is declared")
  func readByInitialiser() throws {
    let realm = try makeRealm([Curious.self, StampedPart.self])
    try realm.write {
      let object = realm.create(Curious.self, value: ["id": 1, "at": Date(timeIntervalSince1970: 9)])
      #expect(object.seen == 3 && object.at == Date(timeIntervalSince1970: 9))
      #expect(object.part?.at == Date(timeIntervalSince1970: 5))
    }
    #expect(Curious(value: ["id": 2]).at == Date(timeIntervalSince1970: 3))
  }

  @Test("F-65: reading an object evaluates nothing, also where its initialiser runs for that") func reading() throws {
    let realm = try makeRealm([Noted.self])
    try realm.write { for number in 0..<3 { realm.create(Noted.self, value: ["number": number]) } }
    var numbers: [Int] = []
    #expect(Evaluations.during { numbers = realm.objects(Noted.self).map(\.number) } == [:])
    #expect(numbers == [0, 1, 2])
    #expect(Set(realm.objects(Noted.self).map(\.id)).count == 3)
  }

  @Test("F-65, O-21: a default identifier is another for each object, stays, and is a random UUID by its version")
  func identifiers() throws {
    let realm = try makeRealm([Everything.self])
    let object = Everything()
    let uuid = object.uuid
    #expect(object.uuid == uuid && Everything().uuid != uuid)
    for _ in 0..<100 {
      let bytes = Everything().uuid.uuid
      #expect(bytes.6 >> 4 == 4 && bytes.8 >> 6 == 2)
    }
    #expect(Everything(value: ["uuid": uuid]).uuid == uuid && Everything(value: [:]).uuid != uuid)
    try realm.write { realm.add(object) }
    #expect(object.uuid == uuid)
    try realm.write { realm.add([Everything(), Everything()]) }
    #expect(Set(realm.objects(Everything.self).map(\.uuid)).count == 3)
  }
}
