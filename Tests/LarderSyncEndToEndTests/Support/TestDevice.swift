import Foundation
import LarderLocks
import TestSupport

@testable import LarderSync

/// The class of Fixtures/sync/schema.json.
final class City: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var name: String
  @Persisted var country: String
  @Persisted var population: Int
  @Persisted var timezone: String
  @Persisted var latitude: Double
  @Persisted var longitude: Double
  @Persisted var alternateNames: List<String>
  @Persisted var visits: Int

  convenience init(_ id: Int, _ name: String, _ country: String) {
    self.init()
    _id = id
    self.name = name
    self.country = country
  }
}

/// A device: a store of its own that is connected to a server.
@MainActor
final class TestDevice {
  let realm: Realm
  let session: SyncSession
  /// What the server did not accept.
  nonisolated let refusals: Lock<[CompensatingWriteInfo]>
  private let folder: TemporaryDirectory

  init(_ name: String, _ server: ServerProcess, token: String) async throws {
    folder = try TemporaryDirectory("device")
    let refusals = Lock<[CompensatingWriteInfo]>([])
    self.refusals = refusals
    let app = App(
      id: name, configuration: AppConfiguration(baseURL: server.url), folder: folder.file("apps"))
    app.syncManager.errorHandler = { error, _ in
      let writes = (error as? SyncError)?.compensatingWriteInfo ?? []
      refusals.withLock { $0 += writes }
    }
    let user = try await app.login(credentials: .jwt(token: token))
    var configuration = user.flexibleSyncConfiguration()
    configuration.objectTypes = [City.self]
    realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    guard let session = realm.syncSession else { throw ServerProcess.Failure(description: "no session") }
    self.session = session
  }

  /// Subscribes to cities and waits for them.
  func subscribe(_ country: String? = nil) async throws {
    let cities = realm.objects(City.self)
    let wanted = country.map { name in cities.where { $0.country == name } } ?? cities
    _ = try await wanted.subscribe(name: "cities", waitForSync: .always)
  }

  /// Waits until both directions are through.
  func settle() async throws {
    try await session.wait(for: .upload)
    try await session.wait(for: .download)
    realm.refresh()
  }

  func city(_ id: Int) -> City? { realm.object(ofType: City.self, forPrimaryKey: id) }

  /// All that the device has, as text.
  var content: [String] {
    realm.objects(City.self).sorted(byKeyPath: "_id").map { city in
      "\(city._id) \(city.name) \(city.country) \(city.population) \(city.timezone) \(city.visits) \(Array(city.alternateNames))"
    }
  }
}
