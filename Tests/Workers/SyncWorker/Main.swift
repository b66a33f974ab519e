import Foundation
import LarderSync
import SyncModel

/// A device as a process of its own, for tests that kill it: address of the server, folder, token, and what to do.
///
/// `settle` subscribes to all cities, waits for both directions, and prints what it has. `write NAME FIRST` makes one transaction after the
/// other until it is killed: each counts a visit of city 1 and appends `NAME-NUMBER` to its list, and its number is printed once it is committed.
/// `blocked NAME` works on a thread of its own while the main thread waits (`BlockedMain`), until city 1 has the name.
@main
@MainActor
enum SyncWorker {
  static func main() async throws {
    let arguments = CommandLine.arguments
    if arguments[4] == "blocked" { BlockedMain.run(arguments) }
    let app = App(id: "worker", configuration: AppConfiguration(baseURL: arguments[1]), folder: arguments[2])
    let user = try await app.login(credentials: .jwt(token: arguments[3]))
    var configuration = user.flexibleSyncConfiguration()
    configuration.objectTypes = [City.self]
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    if arguments[4] == "settle" {
      try await settle(realm)
    } else {
      try await write(realm, arguments[5], Int(arguments[6]) ?? 0)
    }
  }

  private static func settle(_ realm: Realm) async throws {
    _ = try await realm.objects(City.self).subscribe(name: "cities", waitForSync: .always)
    guard let session = realm.syncSession else { return }
    try await session.wait(for: .upload)
    try await session.wait(for: .download)
    realm.refresh()
    for city in realm.objects(City.self).sorted(byKeyPath: "_id") { line(city.content) }
  }

  private static func write(_ realm: Realm, _ name: String, _ first: Int) async throws {
    for number in first... {
      try realm.write {
        guard let city = realm.object(ofType: City.self, forPrimaryKey: 1) else { return }
        city.increment(\.visits, by: 1)
        city.alternateNames.append("\(name)-\(number)")
      }
      line("\(number)")
      // What arrives is applied by others in between.
      await Task.yield()
    }
  }

  nonisolated static func line(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }
}
