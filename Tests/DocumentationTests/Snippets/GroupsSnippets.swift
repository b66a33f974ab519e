import Foundation
import Larder
import TestSupport
import Testing

@Suite("Groups and joins, by its examples") struct GroupsSnippets {
  // begin: flights
  class Airline: Object {
    @Persisted(primaryKey: true) var code: String
    @Persisted var name: String
  }

  class Flight: Object {
    @Persisted var origin: String
    @Persisted var hour: Date
    @Persisted var airline: Airline?
    @Persisted var delay: Int?
    @Persisted var distance: Double
    @Persisted var airTime: Double?
  }

  class Weather: Object {
    @Persisted(indexed: true) var origin: String
    @Persisted var hour: Date
    @Persisted var visibility: Double?
  }
  // end: flights

  private let directory: TemporaryDirectory
  private let realm: Realm

  init() throws {
    directory = try TemporaryDirectory()
    realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: directory.url.appendingPathComponent("fly.larder"),
        objectTypes: [Airline.self, Flight.self, Weather.self]))
    let realm = realm
    try realm.write {
      let airline = realm.create(Airline.self, value: ["code": "UA", "name": "United"])
      for number in 0..<12 {
        let hour = Date(timeIntervalSince1970: Double(number % 3) * 3600)
        realm.create(
          Flight.self,
          value: [
            "origin": number % 2 == 0 ? "EWR" : "JFK", "hour": hour, "airline": number % 4 == 0 ? nil : airline,
            "delay": number == 7 ? nil : number, "distance": Double(number * 100),
            "airTime": number == 5 ? nil : 60.0,
          ] as [String: Any?])
      }
      for number in 0..<3 {
        let hour = Date(timeIntervalSince1970: Double(number) * 3600)
        realm.create(
          Weather.self, value: ["origin": "EWR", "hour": hour, "visibility": Double(number)] as [String: Any])
      }
    }
  }

  @Test func groups() throws {
    // begin: described
    let late = try realm.objects(Flight.self)
      .group(by: \.origin, \.airline?.name)
      .aggregate(.average(\Flight.delay), .median(\Flight.delay), .percentile(\Flight.delay, 90))
      .having("count > 2 AND max(delay) > %@", 5)
      .sorted(by: .average(\Flight.delay), ascending: false)
      .limit(10)
      .rows()
    for group in late {
      print(group.keys, group.count, group[.median(\Flight.delay)].doubleValue ?? 0)
    }
    // end: described
    #expect(late.map(\.count) == [3, 6, 3] || late.map(\.count).reduce(0, +) == 12)

    // begin: aggregated
    let all = try realm.objects(Flight.self)
      .aggregated(.average(\Flight.delay), .distinct(\Flight.origin))
    print(all.count, all[.distinct(\Flight.origin)].intValue ?? 0)
    // end: aggregated
    #expect(all.count == 12 && all[.distinct("origin")] == .int(2))
  }

  @Test func computed() throws {
    // begin: computed
    let busy = try realm.objects(Flight.self)
      .group(by: ["hour(hour, 'America/New_York')", "distance / 500"])
      .aggregate(.average("distance * 60 / airTime"))
      .having("hour(hour, 'America/New_York') < 12 AND count > 1")
      .rows()
    // end: computed
    #expect(busy.isEmpty)

    // begin: computed-keys
    let byHour = try realm.objects(Flight.self)
      .group(by: { $0.hour.hour }, { $0.origin })
      .aggregate(.median(\Flight.delay))
      .rows()
    // end: computed-keys
    #expect(byHour.map(\.count) == [2, 2, 2, 2, 2, 2])

    // begin: computed-aggregate
    let speed = GroupAggregate.average { (flight: Query<Flight>) in flight.distance * 60 / flight.airTime }
    let fastest = try realm.objects(Flight.self)
      .group { $0.hour.weekday }
      .aggregate(speed)
      .sorted(by: speed, ascending: false)
      .rows()
    // end: computed-aggregate
    #expect(fastest.map(\.count) == [12] && fastest[0].key == .int(5))
  }

  @Test func joins() throws {
    // begin: joined
    let flights = realm.objects(Flight.self)
    let weather = realm.objects(Weather.self)
    let pairs = try flights.joined(with: weather, on: (\.origin, \.origin), (\.hour, \.hour))
    for (flight, weather) in pairs.prefix(3) {
      print(flight.delay ?? 0, weather?.visibility ?? 0)
    }
    let bySight = try pairs.group(by: .right(\.visibility))
      .aggregate(.average(\Flight.delay), .max(\Weather.hour).ofRight)
      .rows()
    // end: joined
    #expect(pairs.count == 6 && bySight.map(\.count) == [2, 2, 2])

    // begin: left-joined
    let everything = try flights.joined(
      with: weather.filter("visibility > 1"), on: (\.origin, \.origin), (\.hour, \.hour), kind: .left)
    let clear = everything.filter { $0.right != nil }
    print(try everything.explain())
    // end: left-joined
    #expect(everything.count == 12 && clear.count == 2)
  }
}
