import LarderSyncProtocol

/// Admits devices, and keeps which views they may have. Each call is one transaction.
struct SiteRegistry: Sendable {
  let store: any SyncStore
  let tenant: TenantID
  let part: PartID

  /// An admitted device, and the log that it was admitted to.
  struct Admitted: Sendable {
    let outcome: SiteAdmission.Outcome
    let part: PartRecord
    let anchors: LogAnchors
  }

  /// Admits a device: from then on uploads of its site's earlier sessions are fenced. Nil when the tenant has no such part.
  ///
  /// - Throws: `SessionFailure`, and as `SyncStore.write`.
  func admit(_ admission: SiteAdmission) async throws -> Admitted? {
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
        rows.anchors = try LogAnchors(transaction, head, at: admission.versions)
        rows.views = try transaction.subscription(tenant, site)?.queries ?? []
      }
      let outcome = try admission.decide(rows)
      try transaction.putClients(tenant, outcome.clients)
      return Admitted(outcome: outcome, part: head, anchors: rows.anchors)
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
