import Foundation
import LarderSync

/// One device in this process: an app, a user and a store of its own.
@MainActor
final class Device {
  let realm: Realm
  let session: SyncSession

  init(_ name: String, _ server: String, token: String, folder: String) async throws {
    let app = App(id: "bench-\(name)", configuration: AppConfiguration(baseURL: server))
    app.syncManager.errorHandler = { error, _ in
      FileHandle.standardError.write(Data("sync-bench: \(name): \(error)\n".utf8))
    }
    let user = try await app.login(credentials: .jwt(token: token))
    var configuration = user.flexibleSyncConfiguration()
    configuration.fileURL = URL(fileURLWithPath: "\(folder)/\(name).larder")
    configuration.objectTypes = [Item.self]
    realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    guard let session = realm.syncSession else { throw BenchError("the store of \(name) is not synchronised") }
    self.session = session
  }

  /// Subscribes to all items and waits for them.
  func subscribe() async throws {
    _ = try await realm.objects(Item.self).subscribe(name: "items", waitForSync: .always)
  }
}

/// The reason that the benchmark cannot go on.
struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
