import Foundation
import LarderSync
import TestSupport
import Testing

/// The examples of synchronisation, without a server: nothing in them waits for one.
@Suite("Synchronisation, by its examples") struct SyncSnippets {
  class City: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var name: String
    @Persisted var country: String
    @Persisted var population: Int
    @Persisted var visits: Int
    @Persisted var alternateNames: List<String>
  }

  // begin: sync.measurements
  final class Measurement: AsymmetricObject {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var celsius: Double
  }
  // end: sync.measurements

  @MainActor @Test func measuring() async throws {
    let directory = try TemporaryDirectory()
    let app = App(id: "measuring", configuration: AppConfiguration(baseURL: "wss://sync.example.org"))
    let user = try await app.login(credentials: .jwt(token: Self.token))
    var configuration = user.flexibleSyncConfiguration()
    configuration.objectTypes = [Measurement.self]
    configuration.fileURL = directory.url.appendingPathComponent("measurements.larder")
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    realm.syncSession?.suspend()
    // begin: sync.measurements
    try realm.write { realm.create(Measurement.self, value: ["celsius": 21.5]) }
    // end: sync.measurements
    // begin: sync.measuring
    try realm.write { realm.create(Measurement.self, value: ["celsius": 21.5]) }
    // end: sync.measuring
    #expect(realm.syncSession != nil)
    try await user.logOut()
  }

  /// A token of a user, which only a server would check.
  private static let token = ["{\"alg\":\"none\"}", "{\"sub\":\"anna\"}", ""]
    .map { Data($0.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "") }.joined(separator: ".")

  @MainActor @Test func writing() async throws {
    let directory = try TemporaryDirectory()
    let token = Self.token
    // begin: sync.opening
    let app = App(id: "cities", configuration: AppConfiguration(baseURL: "wss://sync.example.org"))
    let user = try await app.login(credentials: .jwt(token: token))
    var configuration = user.flexibleSyncConfiguration()
    configuration.objectTypes = [City.self]
    // end: sync.opening
    configuration.fileURL = directory.url.appendingPathComponent("cities.larder")
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    realm.syncSession?.suspend()
    // begin: sync.subscribing
    let japan = try await realm.objects(City.self).where { $0.country == "JP" }
      .subscribe(name: "japan", waitForSync: .never)
    // end: sync.subscribing
    let city = City(value: ["_id": 1, "name": "Tokyo", "country": "JP"])
    try realm.write { realm.add(city) }
    // begin: sync.writing
    try realm.write {
      city.population = 14_094_034
      city.increment(\.visits, by: 1)
      city.alternateNames.append("東京")
    }
    // end: sync.writing
    #expect(japan.first?.visits == 1)
    // begin: sync.errors
    app.syncManager.errorHandler = { error, session in
      for write in (error as? SyncError)?.compensatingWriteInfo ?? [] {
        print("\(write.objectType) \(write.primaryKey): \(write.reason); it was \(write.rejected)")
      }
    }
    // end: sync.errors
    try await user.logOut()
  }

  /// Compiled and not run: it waits for a server.
  @MainActor func waiting(_ realm: Realm) async throws {
    // begin: sync.sets
    try await realm.subscriptions.update {
      realm.subscriptions.remove(named: "japan")
      realm.subscriptions.append(QuerySubscription<City>(name: "large") { $0.population > 1_000_000 })
    }
    // end: sync.sets
    // begin: sync.session
    if let session = realm.syncSession {
      session.suspend()
      session.resume()
      for await progress in session.progress(for: .download) {
        print("\(progress.objects.done) of \(progress.objects.expected ?? 0)")
        if progress.isTransferComplete { break }
      }
      try await session.wait(for: .upload)
    }
    // end: sync.session
  }
}
