import Foundation
import LarderLocks
import LarderStorage
import TestSupport

@testable import LarderSync

final class SyncedPet: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
}

final class SyncedPerson: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var born: Date?
  @Persisted var tags: List<String>
  @Persisted var pet: SyncedPet?
  @Persisted(localOnly: true) var draft: String
}

final class LocalNote: Object {
  @Persisted(primaryKey: true) var id: Int
  override class func syncMode() -> SyncMode { .local }
}

/// An app with a user in folders of their own, whose stores have scripted engines.
final class SyncedFixture: Sendable {
  let directory: TemporaryDirectory
  let app: App
  let user: User
  private let made = Shared<[String: ScriptedEngine]>([:])

  init(_ name: String = "fixture", token: String? = nil, provider: TokenProvider? = nil) async throws {
    directory = try TemporaryDirectory("sync")
    let configuration = AppConfiguration(baseURL: "https://sync.example.org")
    configuration.tokenProvider = provider
    app = App(id: name, configuration: configuration, folder: directory.file("apps"))
    user = try await app.login(credentials: .jwt(token: token ?? Self.token("ada")))
  }

  /// A token that only says what it says.
  static func token(_ subject: String, _ more: [String: Any] = [:]) throws -> String {
    func part(_ object: [String: Any]) throws -> String {
      try JSONSerialization.data(withJSONObject: object).base64EncodedString().replacingOccurrences(of: "+", with: "-")
        .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
    return try "\(part(["alg": "none"])).\(part(more.merging(["sub": subject]) { $1 })).signature"
  }

  /// The configuration of the user's store, or of one with a name, for the classes of these tests.
  func configuration(
    _ name: String? = nil, initial: InitialSubscriptionsConfiguration? = nil,
    _ change: (inout SyncConfiguration) -> Void = { _ in }
  ) -> Realm.Configuration {
    synced(user.flexibleSyncConfiguration(name: name ?? "store", initialSubscriptions: initial), change)
  }

  /// A configuration for the classes of these tests with a scripted engine.
  func synced(
    _ configuration: Realm.Configuration, _ change: (inout SyncConfiguration) -> Void = { _ in }
  ) -> Realm.Configuration {
    var result = configuration
    result.objectTypes = [SyncedPerson.self, SyncedPet.self, LocalNote.self]
    if var sync = result.syncConfiguration {
      sync.settings.makeEngine = { [made] store, configuration in
        let engine = ScriptedEngine(store, configuration)
        made.value.withLock { $0[store.path] = engine }
        return engine
      }
      change(&sync)
      result.syncConfiguration = sync
    }
    return result
  }

  /// Returns true if a store is open in this process.
  static func isOpen(_ path: String) -> Bool { Store.isOpen(path) }

  /// Lets go of the engines, and so of their stores.
  func releaseEngines() { made.value.withLock { $0 = [:] } }

  /// The engine that was made last for a Realm's store.
  func engine(of realm: Realm) throws -> ScriptedEngine {
    guard let engine = made.value.withLock({ $0[SyncAccess(realm).store.path] }) else {
      throw Realm.Error.make(.fail, "no engine")
    }
    return engine
  }
}

/// Waits for something that another thread brings about; throws when it takes far too long.
func eventually(_ condition: @Sendable () async throws -> Bool) async throws {
  for _ in 0..<6_000 {
    if try await condition() { return }
    try await Task.sleep(for: .milliseconds(5))
  }
  throw Realm.Error.make(.fail, "it did not come about")
}

/// Opens without the asynchronous form, which asynchronous functions prefer.
func opened(_ configuration: Realm.Configuration) throws -> Realm { try Realm(configuration: configuration) }

extension SyncSubscriptionSet {
  /// Changes the set without the asynchronous form, which asynchronous functions prefer.
  func changed(_ block: () -> Void, onComplete: (@Sendable ((any Error)?) -> Void)? = nil) {
    update(block, onComplete: onComplete)
  }
}
