import Foundation
import LarderSyncProtocol
import Logging
import Synchronization

@testable import LarderSyncServer

/// Objects with a property that queries ask for, one that rules ask for, a counter and a list.
enum HubSchema {
  static let schema = SyncSchema(
    version: 1,
    classes: [
      SchemaClass(
        "Item", primaryKey: "id",
        properties: [
          SchemaProperty("id", .int), SchemaProperty("owner", .string, isOptional: true, isQueryable: true),
          SchemaProperty("q", .int, isOptional: true, isQueryable: true), SchemaProperty("x", .int, isOptional: true),
          SchemaProperty("l", .int, collection: .list),
        ]),
      SchemaClass(
        "Other", primaryKey: "id",
        properties: [SchemaProperty("id", .string), SchemaProperty("q", .int, isOptional: true, isQueryable: true)]),
    ])

  static let item = schema.classes[0]

  static func name(_ key: Int) -> ObjectName { ObjectName(className: "Item", key: .int(Int64(key))) }

  static let all = Subscribe(version: 1, queries: [SubscribedQuery(className: "Item", predicate: "TRUEPREDICATE")])

  static func subscribe(_ version: UInt64, _ predicate: SyncText...) -> Subscribe {
    Subscribe(version: version, queries: predicate.map { SubscribedQuery(className: "Item", predicate: $0) })
  }

  /// Users see and write what they own.
  static func own(_ claims: UserClaims) -> UserAccess {
    do {
      let own = ReadRule.matching(
        try RuleQuery("owner == claims.sub", in: item, claims: ["sub": claims.values["sub"] ?? []]))
      return UserAccess(["Item": ClassAccess(read: own, write: own, insert: own, delete: own)], in: schema)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

/// The configuration of the one tenant `acme`, which tests change.
final class TestDirectory: TenantDirectory {
  private let configuration = Mutex(
    TenantConfiguration(schema: HubSchema.schema, policy: .everything(schema: HubSchema.schema)))

  func configuration(of tenant: TenantID) async throws -> TenantConfiguration? {
    tenant.name == "acme" ? configuration.withLock { $0 } : nil
  }

  func change(_ body: (inout sending TenantConfiguration) -> Void) { configuration.withLock { body(&$0) } }
}

/// Tokens are names of users, with the time when they expire after a comma, and one more for tokens that name no tenant.
struct TestVerifier: TokenVerifier {
  func claims(of token: String) async throws -> UserClaims {
    let parts = token.split(separator: ",")
    guard let user = parts.first, user != "nobody" else { throw TokenFailure.invalid("no such user") }
    let expires = parts.count > 1 ? Int64(parts[1]) ?? 0 : .max
    return UserClaims(
      subject: String(user), tenant: parts.count > 2 ? nil : "acme", expires: expires,
      values: ["sub": [.string(SyncText(String(user)))]])
  }
}

/// A hub over a store of its own, or several over one.
final class HubFixture: Sendable {
  let stores: [TestStore]
  let tenant: TenantID
  let directory = TestDirectory()
  let hubs: [SyncHub]
  private let tasks: [Task<Void, any Error>]
  private let clock = HubClock(HubFixture.start)

  /// The server's clock begins here, in milliseconds since 1970.
  static let start: Int64 = 1_800_000_000_000

  convenience init(
    _ backend: Backend, hubs count: Int = 1, change: (inout HubConfiguration) -> Void = { _ in }
  ) async throws {
    var stores = [try await backend.make()]
    if let location = stores[0].location {
      for _ in 1..<max(count, 1) { stores.append(TestStore(store: try await Backend.open(location), location: nil)) }
    }
    self.init(stores, tenant: try await stores[0].makeTenant("acme"), change)
  }

  /// Another hub over the store of a fixture, as a server that is started again.
  convenience init(over store: TestStore) async throws {
    self.init([store], tenant: try TenantID("acme")) { _ in }
  }

  private init(_ stores: [TestStore], tenant: TenantID, _ change: (inout HubConfiguration) -> Void) {
    self.stores = stores
    self.tenant = tenant
    var configuration = HubConfiguration(tenants: directory)
    configuration.logger = .quiet
    configuration.configurationMilliseconds = 50
    change(&configuration)
    configuration.clock = { [clock] in clock.now }
    hubs = stores.map {
      SyncHub(store: $0.store, hints: InProcessHintBus(), verifier: TestVerifier(), configuration: configuration)
    }
    tasks = hubs.map { hub in Task { try await hub.run() } }
  }

  func advance(by milliseconds: Int64) { clock.advance(by: milliseconds) }

  /// Ends the hubs.
  func end() async {
    for hub in hubs { await hub.shutDown() }
    for task in tasks { task.cancel() }
  }

  /// The objects that the server has, as devices show them.
  func content() async throws -> [ObjectName: [SyncText: [SyncValue]]] {
    let rows = try await stores[0].store.read { [tenant] reading in
      try reading.objectPage(tenant, .first, ObjectPageRequest(className: "Item", limit: 10_000))
    }
    var content = DeviceContent()
    for row in rows { content.replace(try ObjectName(row.key), with: try ObjectState(row).properties()) }
    return content.shown
  }
}

/// The server's clock.
final class HubClock: Sendable {
  private let time: Mutex<Int64>

  init(_ start: Int64) { time = Mutex(start) }

  var now: Int64 { time.withLock { $0 } }

  func advance(by milliseconds: Int64) { time.withLock { $0 += milliseconds } }
}
