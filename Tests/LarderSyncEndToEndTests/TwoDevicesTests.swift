import Foundation
import LarderSync
import SyncModel
import Testing

/// Real stores, real sockets, and the real server.
@MainActor
@Suite("Devices and a server", .timeLimit(.minutes(30)))
struct TwoDevicesTests {
  @Test("Y-29: What two devices change offline is merged, and both have the same afterwards")
  func offline() async throws {
    let server = try ServerProcess()
    let anna = try await TestDevice("anna", server, token: try server.token("anna", "role=editor"))
    let ben = try await TestDevice("ben", server, token: try server.token("ben", "role=editor"))
    try await anna.subscribe()
    try anna.realm.write {
      for id in 0..<50 { anna.realm.add(City(id, "city \(id)", id % 2 == 0 ? "JP" : "IN")) }
      anna.city(2)?.alternateNames.append(objectsIn: ["a", "b"])
    }
    try await anna.settle()
    try await ben.subscribe("JP")
    #expect(ben.realm.objects(City.self).count == 25)

    for device in [anna, ben] { device.session.suspend() }
    try anna.realm.write {
      anna.city(2)?.population = 7
      anna.city(2)?.alternateNames.append("anna")
      anna.city(2)?.increment(\.visits, by: 2)
      anna.city(4)?.country = "FR"
    }
    try ben.realm.write {
      ben.city(2)?.timezone = "ben"
      ben.city(2)?.alternateNames.insert("ben", at: 0)
      ben.city(2)?.increment(\.visits, by: 3)
      ben.realm.add(City(100, "new", "JP"))
      if let city = ben.city(6) { ben.realm.delete(city) }
    }
    for device in [anna, ben] { device.session.resume() }
    for _ in 0..<2 { for device in [anna, ben] { try await device.settle() } }

    let city = try #require(anna.city(2))
    #expect(city.population == 7 && city.timezone == "ben" && city.visits == 5)
    #expect(Array(city.alternateNames) == ["ben", "a", "b", "anna"])
    #expect(ben.city(4) == nil)
    #expect(anna.city(6) == nil && anna.city(100)?.name == "new")
    try await anna.subscribe("JP")
    #expect(anna.content == ben.content)
  }

  @Test("Y-27, Y-28: A write that the server refuses is undone, and the program is given what was in it and why")
  func refused() async throws {
    let server = try ServerProcess()
    let anna = try await TestDevice("anna", server, token: try server.token("anna", "role=editor"))
    try await anna.subscribe()
    try anna.realm.write { anna.realm.add(City(1, "Tokyo", "JP")) }
    try await anna.settle()
    let carl = try await TestDevice(
      "carl", server, token: try server.token("carl", "countries=JP", "countries=FR"))
    try await carl.subscribe()
    try carl.realm.write {
      carl.city(1)?.name = "Edo"
      carl.realm.add(City(2, "Paris", "FR"))
    }
    try await eventually("two refusals") { carl.errors.refusals.count < 2 ? nil : true }
    try await carl.settle()
    #expect(carl.city(1)?.name == "Tokyo")
    #expect(carl.city(2) == nil)
    let refusals = carl.errors.refusals
    #expect(Set(refusals.map(\.objectType)) == ["City"])
    #expect(refusals.contains { $0.rejected["name"] == .string("Edo") })
    #expect(refusals.allSatisfy { !$0.reason.isEmpty })
    try await anna.settle()
    #expect(anna.content == ["1 Tokyo JP 0  0 []"])
  }

  @Test("A server that is killed again and again loses and doubles nothing of what devices write meanwhile")
  func killedServer() async throws {
    let server = try ServerProcess()
    let anna = try await TestDevice("anna", server, token: try server.token("anna", "role=editor"))
    let ben = try await TestDevice("ben", server, token: try server.token("ben", "role=editor"))
    try await anna.subscribe()
    try anna.realm.write { anna.realm.add(City(1, "Tokyo", "JP")) }
    try await anna.settle()
    try await ben.subscribe()
    for round in 1...5 {
      for device in [anna, ben] {
        for _ in 0..<10 { try device.realm.write { device.city(1)?.increment(\.visits, by: 1) } }
        try device.realm.write { device.city(1)?.alternateNames.append("\(round)") }
      }
      server.kill()
      try server.start()
      for device in [anna, ben] { device.session.reconnect() }
    }
    for _ in 0..<2 { for device in [anna, ben] { try await device.settle() } }
    #expect(anna.city(1)?.visits == 100)
    #expect(anna.city(1)?.alternateNames.count == 10)
    #expect(anna.content == ben.content)
  }
}
