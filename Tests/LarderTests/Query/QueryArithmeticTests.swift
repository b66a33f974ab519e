import Foundation
import Testing

@testable import Larder

class Leg: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var distance: Int
  @Persisted var minutes: Int?
  @Persisted var load: Int16
  @Persisted var fuel: Double
  @Persisted var drag: Float?
  @Persisted var price: Decimal128
  @Persisted var code: String
  @Persisted var nick: String?
  @Persisted var mark: Data
  @Persisted var leaves: Date
  @Persisted var lands: Date?
  @Persisted var before: Leg?
  @Persisted var parts: List<Leg>
  @Persisted var marks: List<Int>
}

extension Results where Element == Leg {
  fileprivate var ids: [Int] { map { $0.id } }
}

/// Two flights of a day in summer, one with nothing in it, and one of the year 1969.
@Suite struct QueryArithmeticTests {
  let realm: Realm
  var legs: Results<Leg> { realm.objects(Leg.self) }

  init() throws {
    realm = try makeRealm([Leg.self])
    try realm.write {
      realm.create(
        Leg.self,
        value: [
          "id": 1, "distance": 900, "minutes": 100, "load": 7, "fuel": 1.5, "drag": 0.5, "price": 10, "code": "Äb",
          "nick": "One", "mark": Data([1, 2]), "leaves": Date(timeIntervalSince1970: 1_688_167_800),
          "lands": Date(timeIntervalSince1970: 1_688_174_000), "marks": [1, 2, 6],
        ])
      realm.create(
        Leg.self,
        value: [
          "id": 2, "distance": 70, "minutes": 10, "load": -7, "fuel": 70.0, "price": "2.5", "code": "longer",
          "leaves": Date(timeIntervalSince1970: 1_688_190_000),
        ])
      realm.create(Leg.self, value: ["id": 3, "minutes": 0, "leaves": Date(timeIntervalSince1970: 0)])
      realm.create(
        Leg.self,
        value: ["id": 4, "distance": Int.max, "code": "e\u{301}", "leaves": Date(timeIntervalSince1970: -1)])
      legs[1].before = legs[0]
      legs[3].parts.append(objectsIn: [legs[0], legs[1]])
    }
  }

  private func ids(_ condition: (Query<Leg>) -> Query<Bool>) -> [Int] { legs.where(condition).ids }

  @Test("Q-75: properties are computed with each other and with constants, on either side of a comparison")
  func arithmetic() {
    #expect(ids { $0.distance / $0.minutes > 8 } == [1] && ids { $0.distance / $0.minutes >= 7 } == [1, 2])
    #expect(ids { $0.distance + 1 == 71 } == [2] && ids { 1 + $0.distance == 71 } == [2])
    #expect(ids { $0.distance - 100 > 0 } == [1, 4] && ids { 100 - $0.distance == 30 } == [2])
    #expect(ids { $0.fuel * 2 == 3 } == [1] && ids { 3 / $0.fuel == 2 } == [1])
    #expect(ids { $0.minutes * 2 == 20 } == [2] && ids { $0.minutes + $0.minutes == 200 } == [1])
    #expect(ids { $0.minutes - $0.distance / 9 == 0 } == [1, 3])
    #expect(ids { -$0.distance == -70 } == [2] && ids { -$0.distance < -100 } == [1, 4])
    #expect(ids { ($0.distance + 20) * 2 - 1 == 179 } == [2] && ids { $0.distance + 20 * 2 == 110 } == [2])
    #expect(
      ids { ($0.distance / 10).contains(7..<8) } == [2] && ids { leg in (leg.distance / 10).in([90, 7]) } == [1, 2])
    #expect(ids { !($0.distance + 1 == 71) } == [1, 3, 4] && ids { $0.distance + 1 != 71 && $0.id * 2 < 4 } == [1])
    #expect(ids { $0.before.distance + $0.distance == 970 } == [2])
    #expect(legs.where { $0.distance + 1 == 71 }.ids == legs.filter("distance + 1 == 71").ids)
  }

  @Test("Q-75: quotients of whole numbers are cut, nil and division by zero give nil, and large numbers wrap")
  func edges() {
    #expect(ids { $0.load / 2 == -3 } == [2] && ids { $0.load % 4 == -3 } == [2] && ids { $0.load % 4 == 3 } == [1])
    #expect(ids { $0.distance / $0.load == 0 } == [] && ids { $0.minutes / $0.minutes == nil } == [3, 4])
    #expect(ids { $0.minutes + 1 == nil } == [4] && ids { $0.minutes + 1 != 1 } == [1, 2, 4])
    #expect(ids { $0.distance + 1 < 0 } == [4] && ids { $0.distance % $0.minutes == 0 } == [1, 2])
    #expect(ids { $0.fuel / 0 == .infinity } == [1, 2] && ids { $0.fuel % 1 == 0.5 } == [1])
  }

  @Test("Q-75: numbers of different types give the wider type")
  func mixed() {
    #expect(ids { $0.distance * 1.5 == 105 } == [2] && ids { 0.5 * $0.distance == 35 } == [2])
    #expect(ids { $0.distance / $0.fuel == 600 } == [1] && ids { $0.fuel + $0.minutes == 101.5 } == [1])
    #expect(ids { $0.load + $0.distance == 63 } == [2] && ids { $0.drag + $0.fuel == 2 } == [1])
    #expect(ids { $0.drag * $0.load == 3.5 } == [1] && ids { $0.drag * 3 == 1.5 } == [1])
    #expect(ids { $0.price * $0.load == Decimal128(value: 70) } == [1])
    #expect(ids { $0.distance * $0.price == Decimal128(value: 175) } == [2])
    #expect(
      ids { $0.price + $0.price == Decimal128(value: 5) } == [2]
        && ids { $0.fuel * $0.price == Decimal128(value: 15) } == [1])
  }

  @Test("Q-75: aggregates and counts are computed with, conditions on elements compute, collections do not")
  func collections() throws {
    #expect(ids { $0.marks.sum / $0.marks.count == 3 } == [1] && ids { $0.marks.count * 2 == 6 } == [1])
    #expect(ids { $0.parts.distance.sum - 1 == 969 } == [4])
    #expect(ids { ($0.parts.distance / 10 > 7).count == 1 } == [4])
    #expect(ids { ($0.parts.distance > 7).count + 1 == 3 } == [4])
    let error = #expect(throws: Realm.Error.self) { try legs.throwing.where { $0.parts.distance + 1 == 71 } }
    #expect(error?.message.contains("leads through a collection") == true)
    #expect(throws: Realm.Error.self) { try legs.throwing.where { ($0.distance + 1).sum == 2 } }
    #expect(throws: Realm.Error.self) {
      try legs.throwing.where { (0..<1000).reduce($0.distance) { sum, _ in sum + 1 } == 2 }
    }
  }

  @Test("Q-76: parts of dates, in UTC and in a time zone")
  func dates() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    #expect(ids { $0.leaves.year == 2023 } == [1, 2] && ids { $0.leaves.year == 1969 } == [4])
    #expect(ids { $0.leaves.month == 6 } == [1] && ids { $0.leaves.month(in: berlin) == 7 } == [1, 2])
    #expect(ids { $0.leaves.hour == 23 } == [1, 4] && ids { $0.leaves.hour(in: berlin) == 1 } == [1, 3])
    #expect(ids { $0.leaves.day == 30 && $0.leaves.minute == 30 } == [1] && ids { $0.leaves.second == 59 } == [4])
    // The first of January 1970 was a Thursday, the first of July 2023 a Saturday.
    #expect(ids { $0.leaves.weekday == 5 } == [3] && ids { $0.leaves.weekday == 7 } == [2])
    #expect(ids { $0.lands.hour - $0.leaves.hour == -22 } == [1] && ids { $0.lands.year < 3000 } == [1])
    let fixed = try #require(TimeZone(secondsFromGMT: -5400))
    #expect(ids { $0.leaves.hour(in: fixed) == 22 } == [1, 3, 4])
    for (name, zone) in [("Europe/Berlin", berlin), (fixed.identifier, fixed)] {
      #expect(legs.where { $0.leaves.hour(in: zone) == 22 }.ids == legs.filter("hour(leaves, %@) == 22", name).ids)
    }
  }

  @Test("Q-76: lengths count Unicode scalars and bytes, and texts are compared in one case")
  func texts() {
    #expect(ids { $0.code.length == 2 } == [1, 4] && ids { $0.code.length > 3 } == [2])
    #expect(ids { $0.mark.length == 2 } == [1] && ids { $0.nick.length == 3 } == [1])
    #expect(ids { $0.code.lowercased() == "äb" } == [1] && ids { $0.nick.uppercased() == "ONE" } == [1])
    #expect(ids { $0.code.uppercased().starts(with: "ÄB") } == [1] && ids { $0.code.length + $0.id == 8 } == [2])
    #expect(ids { $0.code.uppercased().contains("NGE") } == [2] && ids { $0.nick.lowercased().in(["one"]) } == [1])
  }

  @Test("Q-75, Q-76: Foundation's predicates compute")
  func foundation() throws {
    #expect(legs.filter(#Predicate<Leg> { $0.distance + 1 == 71 }).ids == [2])
    #expect(legs.filter(#Predicate<Leg> { $0.distance / 10 - $0.id * 2 == 3 }).ids == [2])
    #expect(legs.filter(#Predicate<Leg> { $0.fuel / 3 == 0.5 }).ids == [1])
    #expect(legs.filter(#Predicate<Leg> { $0.distance % 100 == 70 && -$0.distance < 0 }).ids == [2])
    #expect(legs.filter(#Predicate<Leg> { $0.minutes.flatMap { $0 * 2 > 100 } == true }).ids == [1])
    #expect(legs.filter(#Predicate<Leg> { $0.parts.contains { $0.distance * 2 == 140 } }).ids == [4])
    #expect(legs.filter(#Predicate<Leg> { (7...90).contains($0.distance / 10) }).ids == [1, 2])
    #expect(legs.filter(#Predicate<Leg> { $0.code.unicodeScalars.count == 2 }).ids == [1, 4])
    #expect(legs.filter(#Predicate<Leg> { $0.mark.count + $0.marks.count == 5 }).ids == [1])
    let error = #expect(throws: Realm.Error.self) {
      try legs.throwing.filter(#Predicate<Leg> { $0.code.count == 1 })
    }
    #expect(error?.message.contains("unicodeScalars.count") == true)
  }
}
