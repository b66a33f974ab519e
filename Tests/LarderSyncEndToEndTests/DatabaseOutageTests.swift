import LarderSync
import SyncModel
import TestSupport
import Testing

/// A server whose database is away for a time.
@MainActor
@Suite("A server without its database", .timeLimit(.minutes(30)))
struct DatabaseOutageTests {
  @Test(
    "Y-24, Y-36: While the database is away devices write, and afterwards everything is there once",
    .enabled(if: PrivatePostgres.isInstalled, "the programs of PostgreSQL are not installed"))
  func away() async throws {
    var random = SeededRandom.forTest()
    let database = try PrivatePostgres()
    let server = try ServerProcess(database: database.url)
    var devices: [TestDevice] = []
    for name in ["anna", "ben"] {
      devices.append(try await TestDevice(name, server, token: try server.token(name, "role=editor")))
    }
    try await devices[0].subscribe()
    try devices[0].realm.write { devices[0].realm.add(City(1, "Tokyo", "JP")) }
    try await devices[0].settle()
    try await devices[1].subscribe()

    var (visits, names) = (0, 0)
    func write(_ count: Int) async throws {
      for _ in 0..<count {
        let device = random.pick(devices)
        try device.realm.write {
          device.city(1)?.increment(\.visits, by: 1)
          device.city(1)?.alternateNames.append("\(names)")
        }
        (visits, names) = (visits + 1, names + 1)
        try await Task.sleep(for: .milliseconds(random.int(0...5)))
        device.realm.refresh()
      }
    }
    for _ in 0..<2 {
      try await write(random.int(10...40))
      try database.stop()
      try await write(random.int(10...40))
      // Long enough for the server to have noticed, and for devices to have heard of it.
      try await Task.sleep(for: .seconds(random.int(1...3)))
      try await write(5)
      #expect(server.isRunning)
      try database.start()
    }
    for _ in 0..<2 { for device in devices { try await device.settle() } }
    let city = try #require(devices[0].city(1))
    #expect(city.visits == visits)
    #expect(Array(city.alternateNames).sorted() == (0..<names).map(String.init).sorted())
    #expect(devices[0].content == devices[1].content)
    // What the database has: a device that knows nothing gets it as it is.
    let other = try await TestDevice("other", server, token: try server.token("other", "role=editor"))
    try await other.subscribe()
    #expect(other.content == devices[0].content)
    #expect(devices.allSatisfy { $0.errors.all.isEmpty })
    #expect(server.isRunning)
  }
}
