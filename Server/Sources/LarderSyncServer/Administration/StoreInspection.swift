import Foundation
import LarderSyncProtocol

/// Lists the content of a store for an operator, without changing it. May be used from any thread.
public struct StoreInspection: Sendable {
  let store: any SyncStore

  /// The inspection of a store.
  public init(store: any SyncStore) { self.store = store }

  /// All tenants, with the versions of their documents.
  public func tenants() async throws -> Listing {
    let tenants = try await TenantAdministration(store: store).tenants()
    return try await store.read { reading in
      var listing = Listing(columns: ["tenant", "parts", "retention", "created", "schema", "roles"])
      for tenant in tenants {
        let documents = try [DocumentKind.schema, .roles].map { kind in
          try reading.newestDocument(tenant.id, kind).map { Listing.Cell.number($0.version) } ?? .null
        }
        let cells: [Listing.Cell] = [
          .text(tenant.id.name), .number(Int64(tenant.parts)), .text(Self.span(tenant.retention)),
          Self.time(tenant.created),
        ]
        listing.rows.append(cells + documents)
      }
      return listing
    }
  }

  /// Lists the parts of tenants with the versions that their logs reach.
  ///
  /// - Parameter tenant: this one alone; nil for all.
  /// - Throws: `TenantAdministration.Failure.noTenant`.
  public func parts(of tenant: TenantID?) async throws -> Listing {
    let all = try await TenantAdministration(store: store).tenants().map(\.id)
    let tenants = tenant.map { [$0] } ?? all
    return try await store.read { reading in
      if let tenant { try Self.require(tenant, reading) }
      var listing = Listing(columns: ["tenant", "part", "first", "last", "epoch", "oldest"])
      for tenant in tenants {
        for part in try reading.parts(of: tenant) {
          let oldest = try reading.changes(tenant, part.part, after: part.floor, limit: 1).first
          listing.rows.append([
            .text(tenant.name), .number(Int64(part.part.number)), .number(part.floor + 1), .number(part.head),
            .number(part.epoch), oldest.map { Self.time($0.merged) } ?? .null,
          ])
        }
      }
      return listing
    }
  }

  /// The devices' copies of a tenant's data, by name.
  ///
  /// - Throws: `TenantAdministration.Failure.noTenant`.
  public func clients(of tenant: TenantID, limit: Int) async throws -> Listing {
    try await store.read { reading in
      try Self.require(tenant, reading)
      var listing = Listing(columns: ["site", "session", "lastCommit", "subscriptions", "seen"])
      for client in try reading.clients(tenant, after: nil, limit: limit) {
        let subscriptions = try reading.subscription(tenant, client.site)
        listing.rows.append([
          .text(client.site.description), .number(client.session), .number(client.lastSiteVersion),
          subscriptions.map { Listing.Cell.number($0.setVersion) } ?? .null, Self.time(client.seen),
        ])
      }
      return listing
    }
  }

  /// The commits of a tenant's first part after a version, with the objects that they touch.
  ///
  /// - Throws: `TenantAdministration.Failure.noTenant`, and `SyncStoreError` of kind `damaged`.
  public func log(of tenant: TenantID, after version: Int64, limit: Int) async throws -> Listing {
    try await store.read { reading in
      try Self.require(tenant, reading)
      var listing = Listing(columns: ["version", "merged", "site", "commit", "bytes", "refused", "objects"])
      for change in try reading.changes(tenant, .first, after: version, limit: limit) {
        let commit = try MergedCommit<ObjectSummary>(change)
        let refused = commit.results.count(where: \.isRefusal)
        listing.rows.append([
          .number(change.version), Self.time(change.merged), .text(change.site.description),
          .number(change.siteVersion), .number(Int64(change.delta.count)), .number(Int64(refused)),
          .text(commit.objects.map { Self.text($0) }.joined(separator: ", ")),
        ])
      }
      return listing
    }
  }

  static func require(_ tenant: TenantID, _ reading: any SyncReading) throws {
    guard try reading.tenant(tenant) != nil else { throw TenantAdministration.Failure.noTenant(tenant) }
  }

  /// A time that is kept, as `larder-sync tenant retention` takes it.
  private static func span(_ milliseconds: Int64) -> String {
    for (unit, length) in [("d", Int64(86_400_000)), ("h", 3_600_000), ("m", 60_000)]
    where milliseconds % length == 0 { return "\(milliseconds / length)\(unit)" }
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
  }

  static func time(_ milliseconds: Int64) -> Listing.Cell {
    .text(Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601))
  }

  private static func text(_ object: TouchedObject<ObjectSummary>) -> String {
    let verb =
      switch (object.before.isAlive, object.after.isAlive) {
      case (false, true): "+"
      case (true, false): "-"
      default: ""
      }
    return "\(verb)\(object.object.className) \(object.object.key.plainText)"
  }
}

extension OperationResult {
  fileprivate var isRefusal: Bool {
    if case .refused = self { true } else { false }
  }
}
