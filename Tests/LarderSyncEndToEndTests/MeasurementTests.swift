import LarderSync
import SyncModel
import Testing

@testable import LarderSync

/// Objects that devices only send.
@MainActor
@Suite("Objects that are only sent to a server", .timeLimit(.minutes(30)))
struct MeasurementTests {
  private static let roles = """
    {
      "City": [{ "name": "editor", "read": true, "write": true, "insert": true, "delete": true }],
      "Measurement": [{ "name": "device", "applyWhen": { "role": ["editor"] }, "insert": true }]
    }
    """

  private func device(_ name: String, _ server: ServerProcess, _ claims: String) async throws -> TestDevice {
    try await TestDevice(
      name, server, token: try server.token(name, claims), DeviceOptions(types: [City.self, Measurement.self]))
  }

  private func waiting(_ device: TestDevice) throws -> Int {
    let snapshot = try SyncAccess(device.realm).store.snapshot()
    return try snapshot.schema["Measurement"].map { try snapshot.count(of: $0.id) } ?? 0
  }

  @Test("Y-46: They are uploaded in order with the rest, also what was made offline, and are on the server alone then")
  func sent() async throws {
    let server = try ServerProcess(isDevelopment: false)
    try server.pushSchema(Measurement.declaration)
    try server.pushRoles(Self.roles)
    let anna = try await device("anna", server, "role=editor")
    let ben = try await device("ben", server, "role=editor")
    for device in [anna, ben] { try await device.subscribe() }
    anna.session.suspend()
    try anna.realm.write {
      let city = City(1, "Tokyo", "JP")
      anna.realm.add(city)
      anna.realm.create(
        Measurement.self,
        value: ["_id": 1, "celsius": 21.5, "remarks": ["dry", "calm"], "city": city] as [String: Any])
    }
    try anna.realm.write { anna.realm.create(Measurement.self, value: ["_id": 2, "celsius": 22.5] as [String: Any]) }
    #expect(try waiting(anna) == 2)
    anna.session.resume()
    try await anna.settle()
    #expect(try waiting(anna) == 0)
    try await ben.settle()
    #expect(ben.content == ["1 Tokyo JP 0  0 []"] && anna.content == ben.content)
    #expect(try waiting(ben) == 0)
    let stored = try server.inspect("object", "Measurement", "1")
    for part in ["21.5", "dry", "calm"] { #expect(stored.contains(part), "\(part) in \(stored)") }
    #expect(try server.inspect("object", "Measurement", "2").contains("22.5"))
    #expect([anna, ben].allSatisfy { $0.errors.all.isEmpty })
  }

  @Test("Y-28, Y-46: Those that the server does not accept end in an error with what was in them")
  func refused() async throws {
    let server = try ServerProcess(isDevelopment: false)
    try server.pushSchema(Measurement.declaration)
    try server.pushRoles(Self.roles)
    let anna = try await device("anna", server, "role=editor")
    let carl = try await device("carl", server, "role=guest")
    try carl.realm.write {
      carl.realm.create(Measurement.self, value: ["_id": 1, "celsius": 21.5, "remarks": ["dry"]] as [String: Any])
    }
    try await carl.error(.writeRejected)
    try await carl.settle()
    #expect(try waiting(carl) == 0)
    let info = try #require(carl.errors.refusals.first)
    #expect(info.objectType == "Measurement" && info.rejected["celsius"] == .double(21.5))
    // A key is taken once, and what has it does not change.
    for celsius in [1.5, 2.5] {
      try anna.realm.write {
        anna.realm.create(Measurement.self, value: ["_id": 1, "celsius": celsius] as [String: Any])
      }
      try await anna.settle()
    }
    #expect(anna.errors.refusals.map { $0.rejected["celsius"] } == [.double(2.5)])
    #expect(try server.inspect("object", "Measurement", "1").contains("1.5"))
  }
}
