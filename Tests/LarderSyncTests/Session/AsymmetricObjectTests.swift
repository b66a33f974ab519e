import LarderStorage
import Testing

@testable import LarderSync

final class SyncedReading: AsymmetricObject {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var celsius: Double
  @Persisted var notes: List<String>
  @Persisted var pet: SyncedPet?
}

final class KeptReading: Object {
  @Persisted(primaryKey: true) var id: Int

  override class func _realmObjectName() -> String? { "SyncedReading" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class KeylessReading: AsymmetricObject {
  @Persisted var celsius: Double

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite("Session: objects that are only sent")
struct AsymmetricObjectTests {
  private func configuration(_ fixture: SyncedFixture, _ types: [ObjectBase.Type]) -> Realm.Configuration {
    var configuration = fixture.configuration()
    configuration.objectTypes = types
    return configuration
  }

  private func waiting(_ realm: Realm) throws -> Int {
    let snapshot = try SyncAccess(realm).store.snapshot()
    return try snapshot.schema["SyncedReading"].map { try snapshot.count(of: $0.id) } ?? 0
  }

  @Test("Y-25, Y-46: They are made in write transactions without a subscription, and wait where nothing reads them")
  @MainActor func made() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(configuration(fixture, [SyncedReading.self, SyncedPet.self]))
    try realm.write {
      realm.create(SyncedReading.self, value: ["id": 1, "celsius": 21.5, "notes": ["a"]] as [String: Any])
      realm.create(SyncedReading.self, value: SyncedReading(value: ["id": 2]))
    }
    #expect(try waiting(realm) == 2)
    #expect(realm.isEmpty)
    #expect(realm.schema["SyncedReading"]?.isAsymmetric == true && realm.schema["SyncedPet"]?.isAsymmetric == false)
    try realm.write { realm.deleteAll() }
    #expect(try waiting(realm) == 2)

    // A new object that it links to needs a subscription as every other one.
    let error = #expect(throws: Realm.Error.self) {
      try realm.write {
        realm.create(SyncedReading.self, value: ["id": 3, "pet": ["id": 1]] as [String: Any])
      }
    }
    #expect(error?.code == .noSubscriptionForWrite && error?.className == "SyncedPet")
    #expect(try waiting(realm) == 2)
  }

  @Test("Y-46: There is no reading and no making by name, and making a second one with a key that waits is refused")
  @MainActor func refusals() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(configuration(fixture, [SyncedReading.self, SyncedPet.self]))
    try realm.write { realm.create(SyncedReading.self, value: ["id": 1]) }
    #expect(throws: Realm.Error.self) { try realm.throwing.dynamicObjects("SyncedReading") }
    realm.beginWrite()
    #expect(throws: Realm.Error.self) { try realm.throwing.dynamicCreate("SyncedReading", value: ["id": 2]) }
    #expect(throws: Realm.Error.self) { try realm.throwing.create(SyncedReading.self, value: ["id": 1]) }
    #expect(throws: Realm.Error.self) { try realm.throwing.create(SyncedReading.self, value: ["celsius": "warm"]) }
    realm.cancelWrite()
    #expect(throws: Realm.Error.self) { try realm.throwing.create(SyncedReading.self, value: ["id": 2]) }
    #expect(try waiting(realm) == 1)
  }

  @Test(
    "Y-44, Y-46, Y-48: Their classes need a primary key, and do not become classes of objects that are kept, or back")
  @MainActor func classes() async throws {
    let fixture = try await SyncedFixture()
    let keyless = #expect(throws: Realm.Error.self) { try opened(configuration(fixture, [KeylessReading.self])) }
    #expect(keyless?.code == .schemaMismatch && keyless?.message.contains("KeylessReading") == true)
    _ = try opened(configuration(fixture, [SyncedReading.self, SyncedPet.self]))
    let kept = #expect(throws: Realm.Error.self) { try opened(configuration(fixture, [KeptReading.self])) }
    #expect(kept?.message.contains("only sent") == true)
    _ = try opened(configuration(fixture, [SyncedReading.self, SyncedPet.self]))
  }

  @Test("Y-46: A local Realm refuses their classes when it is opened, and has none in its default schema")
  @MainActor func local() async throws {
    let fixture = try await SyncedFixture()
    var configuration = Realm.Configuration(fileURL: fixture.directory.url.appendingPathComponent("local.realm"))
    configuration.objectTypes = [SyncedReading.self, SyncedPet.self]
    let error = #expect(throws: Realm.Error.self) { try opened(configuration) }
    #expect(error?.message.contains("SyncedReading") == true && error?.message.contains("asymmetric") == true)
    configuration.objectTypes = [SyncedPet.self]
    let realm = try opened(configuration)
    try realm.write {
      #expect(throws: Realm.Error.self) { try realm.throwing.create(SyncedReading.self, value: ["id": 1]) }
    }
  }
}
