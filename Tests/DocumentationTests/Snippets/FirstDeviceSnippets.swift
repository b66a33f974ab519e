// begin: first-device
import Foundation
import LarderSync
// end: first-device

/// The first device of a server; `.ci/check-first-sync` runs it with one. Compiled and not run here: it waits for the server.
enum FirstDeviceSnippets {
  // begin: first-device
  class City: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var name: String
    @Persisted var country: String
  }
  // end: first-device

  @MainActor static func run() async throws {
    // begin: first-device-session
    let app = App(id: "cities", configuration: AppConfiguration(baseURL: "ws://127.0.0.1:8440"))
    let token = try String(contentsOfFile: "token.txt", encoding: .utf8)
    let user = try await app.login(credentials: .jwt(token: token))
    var configuration = user.flexibleSyncConfiguration()
    configuration.objectTypes = [City.self]
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let cities = try await realm.objects(City.self).subscribe(name: "cities")
    // end: first-device-session

    // begin: first-device-writing
    try realm.write {
      let lisbon: [String: Any] = ["_id": 1, "name": "Lisboa", "country": "PT"]
      realm.create(City.self, value: lisbon, update: .modified)
    }
    try await realm.syncSession?.wait(for: .upload)
    print(cities.count, cities.first?.name ?? "none")
    // end: first-device-writing
  }
}
