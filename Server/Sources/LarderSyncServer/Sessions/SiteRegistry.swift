import LarderSyncProtocol

/// Admits devices, and keeps which views they may have. Each call is one transaction.
struct SiteRegistry: Sendable {
  let store: any SyncStore
  let tenant: TenantID
  let part: PartID

  /// Admits a device: from then on uploads of its site's earlier sessions are fenced. Nil when the tenant has no such part.
  ///
  /// - Throws: `SessionFailure`, and as `SyncStore.write`.
  func admit(_ admission: SiteAdmission) async throws -> (outcome: SiteAdmission.Outcome, part: PartRecord)? {
    // Running it again after a commit that may have happened draws one session more, which fences no one.
    try await store.write(unknownCommit: .runAgain) { [tenant, part] transaction in
      guard let head = try transaction.heads([(tenant, part)]).first else { return nil }
      var rows = SiteAdmission.Rows(client: nil, part: head, nonces: [], views: [])
      if let site = admission.hello.credential.map({ SiteKey($0.site) }) {
        rows.client = try transaction.lockClients(tenant, [site])[site]
        let retained = admission.hello.position.retained
        let first = Int64(clamping: retained.first)
        rows.nonces = try transaction.nonces(
          tenant, site, after: max(0, first - 1), limit: RetainedCommits.most)
        rows.views = try transaction.subscription(tenant, site)?.queries ?? []
      }
      let outcome = try admission.decide(rows)
      try transaction.putClients(tenant, outcome.clients)
      return (outcome, head)
    }
  }

  /// Keeps the views that a device may have from now on.
  func keep(_ views: [DeviceView], of site: SiteID) async throws {
    guard let newest = views.last else { return }
    let record = SubscriptionRecord(
      site: SiteKey(site), setVersion: Int64(clamping: newest.tag.subscriptions), queries: DeviceView.bytes(views),
      state: 1)
    try await store.write(unknownCommit: .runAgain) { [tenant] in try $0.putSubscription(tenant, record) }
  }
}
