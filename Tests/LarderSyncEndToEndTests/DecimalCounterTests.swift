import LarderSync
import SyncModel
import Testing

/// A city that counts in decimals.
final class DecimalCity: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var budget: Decimal128

  override class func _realmObjectName() -> String? { "City" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Decimals that several devices add to.
@MainActor
@Suite("Devices that count in decimals", .timeLimit(.minutes(30)))
struct DecimalCounterTests {
  private func device(_ name: String, _ server: ServerProcess) async throws -> TestDevice {
    let options = DeviceOptions(types: [DecimalCity.self])
    let device = try await TestDevice(name, server, token: try server.token(name, "role=editor"), options)
    _ = try await device.realm.objects(DecimalCity.self).subscribe(name: "cities", waitForSync: .always)
    return device
  }

  private func city(_ device: TestDevice) throws -> DecimalCity {
    try #require(device.realm.object(ofType: DecimalCity.self, forPrimaryKey: 1))
  }

  @Test("Y-29: What two devices add to a decimal offline comes together")
  func offline() async throws {
    let server = try ServerProcess()
    let anna = try await device("anna", server)
    let ben = try await device("ben", server)
    try anna.realm.write {
      anna.realm.create(DecimalCity.self, value: ["_id": 1, "budget": Decimal128("100.00")] as [String: Any])
    }
    for device in [anna, ben] { try await device.settle() }

    for device in [anna, ben] { device.session.suspend() }
    try anna.realm.write {
      for _ in 0..<3 { try city(anna).increment(\.budget, by: "0.10") }
    }
    try ben.realm.write { try city(ben).increment(\.budget, by: "-12.5") }
    #expect(try city(anna).budget == "100.30" && city(ben).budget == "87.5")
    for device in [anna, ben] { device.session.resume() }
    for _ in 0..<2 { for device in [anna, ben] { try await device.settle() } }
    for device in [anna, ben] {
      #expect(try city(device).budget == "87.80")
      #expect(device.errors.all.isEmpty)
    }
  }
}
