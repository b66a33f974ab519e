import LarderSync
import SyncModel
import TestSupport
import Testing

/// The tests of the changes that observers hear of when subscriptions, roles and other devices change what a device has.
@MainActor
@Suite("What comes and goes", .timeLimit(.minutes(30)))
struct SubscriptionChangeTests {
  /// The changes of all cities of a device, after the first call.
  @MainActor private final class Changes {
    private(set) var all: [(deletions: Int, insertions: Int, modifications: Int)] = []
    private var token: NotificationToken?

    init(_ device: TestDevice) {
      token = device.realm.objects(City.self).observe { [weak self] change in
        guard case .update(_, let deletions, let insertions, let modifications) = change else { return }
        self?.all.append((deletions.count, insertions.count, modifications.count))
      }
    }

    func forget() { all = [] }

    func sum(_ count: ((deletions: Int, insertions: Int, modifications: Int)) -> Int) -> Int {
      all.reduce(0) { $0 + count($1) }
    }
  }

  private func devices(_ server: ServerProcess) async throws -> (TestDevice, TestDevice) {
    let anna = try await TestDevice("anna", server, token: try server.token("anna", "role=editor"))
    let ben = try await TestDevice("ben", server, token: try server.token("ben", "role=editor"))
    try await anna.subscribe()
    try anna.realm.write {
      for id in 0..<30 { anna.realm.add(City(id, "city \(id)", ["JP", "IN", "FR"][id % 3])) }
    }
    try await anna.settle()
    return (anna, ben)
  }

  @Test("Y-20: What another device did in one transaction is one commit here, and one call of observers")
  func transactions() async throws {
    let (anna, ben) = try await devices(try ServerProcess())
    try await ben.subscribe()
    let changes = Changes(ben)
    ben.realm.refresh()
    changes.forget()
    ben.session.suspend()
    try anna.realm.write {
      for id in 0..<10 { anna.city(id)?.population = 7 }
      for id in 20..<25 { if let city = anna.city(id) { anna.realm.delete(city) } }
      anna.realm.add(City(100, "new", "JP"))
    }
    try await anna.settle()
    ben.session.resume()
    try await ben.settle()
    try await eventually("the changes") { changes.all.isEmpty ? nil : true }
    #expect(changes.all.count == 1)
    #expect(changes.sum(\.deletions) == 5 && changes.sum(\.insertions) == 1 && changes.sum(\.modifications) == 10)
  }

  @Test("Y-22: Objects that the old and the new query have stay, with their accessors, and no observer hears of them")
  func replacedQueries() async throws {
    let (_, ben) = try await devices(try ServerProcess())
    try await ben.subscribe("JP")
    let city = try #require(ben.city(0))
    let changes = Changes(ben)
    ben.realm.refresh()
    changes.forget()
    func change(_ predicate: String) async throws {
      let set = ben.realm.subscriptions
      try await set.update { set.first(named: "cities")?.updateQuery(to: predicate) }
      try await ben.settle()
    }
    try await change("country IN {'JP', 'IN'}")
    #expect(changes.sum(\.deletions) == 0 && changes.sum(\.modifications) == 0 && changes.sum(\.insertions) == 10)
    changes.forget()
    try await change("country IN {'JP', 'FR'}")
    #expect(changes.sum(\.deletions) == 10 && changes.sum(\.modifications) == 0 && changes.sum(\.insertions) == 10)
    #expect(!city.isInvalidated && city.name == "city 0")
    #expect(ben.realm.objects(City.self).count == 20)
  }

  @Test("Y-23: A change of roles brings and removes objects while the session goes on")
  func roles() async throws {
    let server = try ServerProcess()
    let (anna, _) = try await devices(server)
    let carl = try await TestDevice("carl", server, token: try server.token("carl", "countries=JP", "countries=FR"))
    try await carl.subscribe()
    #expect(carl.realm.objects(City.self).count == 20)
    let city = try #require(carl.city(0))
    try server.pushRoles(
      """
      { "City": [ { "name": "editor", "applyWhen": { "role": ["editor"] }, "read": true, "write": true, "insert": true, "delete": true },
                  { "name": "reader", "read": "country IN {'JP', 'IN'}" } ] }
      """)
    try await eventually("the other countries") {
      carl.realm.refresh()
      return carl.realm.objects(City.self).where { $0.country == "IN" }.count == 10 ? true : nil
    }
    #expect(carl.realm.objects(City.self).count == 20 && carl.city(2) == nil)
    #expect(!city.isInvalidated && carl.session.state == .active && carl.errors.all.isEmpty)
    #expect(anna.realm.objects(City.self).count == 30 && anna.errors.all.isEmpty)
  }

  @Test("Y-30: deleteAll deletes what is here, for everybody; what no subscription brought stays")
  func deleteAll() async throws {
    let (anna, ben) = try await devices(try ServerProcess())
    try await ben.subscribe("JP")
    try ben.realm.write { ben.realm.deleteAll() }
    try await ben.settle()
    try await anna.settle()
    #expect(anna.realm.objects(City.self).count == 20)
    #expect(anna.realm.objects(City.self).where { $0.country == "JP" }.isEmpty)
  }
}
