import Foundation
import Logging
import Testing

@testable import LarderSyncServer

/// The databases that every test of the store runs on.
enum Backend: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case postgres, file, memory

  /// Those that several connections, or several processes, can have open.
  static let shared: [Backend] = [.postgres, .file]

  var testDescription: String { rawValue }

  /// An empty store with its tables.
  func make(policy: RetryPolicy = RetryPolicy()) async throws -> TestStore {
    guard self != .memory else { return TestStore(store: SQLSyncStore.inMemory(), location: nil) }
    let location = try emptyLocation()
    _ = try StoreAdministration.migrate(location)
    return TestStore(store: try await Backend.open(location, policy: policy), location: location)
  }

  /// A place for a store that has nothing yet.
  func emptyLocation() throws -> StoreLocation {
    guard self == .postgres else {
      return .file(
        path: FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID().uuidString).sqlite").path)
    }
    let postgres = try TestPostgres.shared.get()
    return .postgres(url: postgres.url(try postgres.makeDatabase()))
  }

  static func open(_ location: StoreLocation, policy: RetryPolicy = RetryPolicy()) async throws -> SQLSyncStore {
    switch location {
    case .postgres(let url):
      try await SQLSyncStore.postgres(url, connections: .init(writing: 8, reading: 2), policy: policy, logger: .quiet)
    case .file(let path): try await SQLSyncStore.file(path, policy: policy, logger: .quiet)
    }
  }
}

extension Logger {
  /// Says nothing: tests cause what it would warn of.
  static let quiet = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
}

/// A store for one test, closed and removed with it.
final class TestStore: Sendable {
  let store: SQLSyncStore
  let location: StoreLocation?

  init(store: SQLSyncStore, location: StoreLocation?) {
    self.store = store
    self.location = location
  }

  deinit {
    store.close()
    guard case .file(let path) = location else { return }
    for suffix in ["", "-wal", "-shm"] { _ = unlink(path + suffix) }
  }

  /// A tenant with sites in their first session.
  func makeTenant(_ name: String = "acme", parts: Int32 = 1, sites: [SiteKey] = []) async throws -> TenantID {
    let tenant = try TenantID(name)
    try await store.write(unknownCommit: .runAgain) { transaction in
      try transaction.createTenant(TenantRecord(id: tenant, parts: parts, created: 1))
      try transaction.putClients(tenant, sites.map { ClientRecord(site: $0, secretHash: [1, 2, 3]) })
    }
    return tenant
  }

  func part(_ tenant: TenantID, _ part: PartID = .first) async throws -> PartRecord? {
    try await store.read { try $0.heads([(tenant, part)]).first }
  }

  /// All changes of a part above a version.
  func log(_ tenant: TenantID, after version: Int64 = 0) async throws -> [ChangeRecord] {
    try await store.read { reading in
      var all: [ChangeRecord] = []
      while true {
        let next = try reading.changes(tenant, .first, after: all.last?.version ?? version, limit: 100)
        all += next
        if next.isEmpty { return all }
      }
    }
  }
}
