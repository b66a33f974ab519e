import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite struct SiteAdmissionTests {
  private let site = SiteCredential(site: SiteID(high: 1, low: 2), secret: [7])
  private let fresh = SiteCredential(site: SiteID(high: 3, low: 4), secret: [8])
  private let part: PartRecord

  init() throws {
    part = PartRecord(tenant: try TenantID("acme"), part: .first, head: 10, floor: 3, epoch: 2)
  }

  private func admission(
    _ credential: SiteCredential?, cursor: UInt64? = 5, epoch: UInt64 = 2, view: ViewTag? = nil,
    retained: RetainedCommits = RetainedCommits(first: 1, nonces: [11, 12])
  ) -> SiteAdmission {
    let position = SyncPosition(
      epoch: epoch, cursor: cursor.map { StreamCursor(version: $0).bytes }, view: view, retained: retained)
    let hello = Hello(
      tenant: "acme", token: "", agent: "", credential: credential, incarnation: 0, schemaFingerprint: 0,
      position: position, expands: false)
    return SiteAdmission(hello: hello, newSite: fresh, schema: HubSchema.schema, now: 9)
  }

  private func rows(last: Int64 = 2, nonces: [UInt64] = [11, 12], views: [DeviceView] = []) -> SiteAdmission.Rows {
    let client = ClientRecord(
      site: SiteKey(site.site), secretHash: SiteSecret.hash(site.secret), session: 4, lastSiteVersion: last)
    let known = nonces.enumerated().map { CommitNonce(siteVersion: Int64($0 + 1), nonce: $1) }
    return SiteAdmission.Rows(client: client, part: part, nonces: known, views: DeviceView.bytes(views))
  }

  private func view() throws -> DeviceView {
    let access = AccessPolicy.everything(schema: HubSchema.schema).access(for: UserClaims(subject: "ann", expires: 0))
    return try DeviceView(HubSchema.all, rules: ReadRules(access, in: HubSchema.schema), in: HubSchema.schema)
  }

  @Test("a device without a site becomes one, with a secret of which the store has the hash")
  func new() throws {
    let outcome = try admission(nil, cursor: nil, epoch: 0).decide(rows())
    #expect(outcome.resumption == .rebuild(.new))
    #expect(outcome.site == fresh.site && outcome.secret == [8] && outcome.lastSiteVersion == 0)
    #expect(outcome.clients.map(\.secretHash) == [SiteSecret.hash([8])])
    #expect(outcome.clients[0].secretHash != [8])
  }

  @Test("MR-15: a known device draws the next session, and goes on from its cursor with its view")
  func incremental() throws {
    let view = try view()
    let outcome = try admission(site, view: view.tag).decide(rows(views: [view]))
    #expect(outcome.resumption == .incremental)
    #expect(outcome.session == 5 && outcome.clients.map(\.session) == [5])
    #expect(outcome.position?.version == 5)
    #expect(outcome.position?.view.view == view.view)
    #expect(outcome.secret == nil && outcome.lastSiteVersion == 2)
  }

  @Test("a wrong secret is refused")
  func secret() {
    #expect(throws: SessionFailure.self) {
      try admission(SiteCredential(site: site.site, secret: [1])).decide(rows())
    }
  }

  @Test("MR-18: a device that the log cannot go on with needs everything")
  func rebuild() throws {
    let view = try view()
    func resumption(_ admission: SiteAdmission, _ rows: SiteAdmission.Rows) throws -> Resumption {
      try admission.decide(rows).resumption
    }
    let known = rows(views: [view])
    #expect(try resumption(admission(site, cursor: 2, view: view.tag), known) == .rebuild(.expired))
    #expect(try resumption(admission(site, cursor: 11, view: view.tag), known) == .rebuild(.unknownCursor))
    #expect(try resumption(admission(site, cursor: nil), known) == .rebuild(.new))
    #expect(try resumption(admission(site, epoch: 1, view: view.tag), known) == .rebuild(.epoch))
    #expect(try resumption(admission(site, view: view.tag), rows()) == .rebuild(.unknownCursor))
    #expect(try resumption(admission(site), known) == .rebuild(.unknownCursor))
  }

  @Test("MR-16: other numbers of commits than the log's are another history; the old site's sessions are fenced too")
  func fork() throws {
    let outcome = try admission(site).decide(rows(nonces: [11, 99]))
    #expect(outcome.resumption == .fork(common: 1))
    #expect(outcome.site == fresh.site && outcome.session == 1)
    #expect(outcome.clients.map(\.session) == [1, 5])
    let ahead = try admission(site).decide(rows(last: 3, nonces: [11, 12, 13]))
    #expect(ahead.resumption == .fork(common: 2))
  }

  @Test("MR-16: a new site of a copy keeps how many of its commits are older than it")
  func copies() throws {
    func copiesThrough(_ retained: RetainedCommits, _ rows: SiteAdmission.Rows) throws -> [Int64] {
      try admission(site, retained: retained).decide(rows).clients.map(\.copiesThrough)
    }
    // The old site is none.
    #expect(try copiesThrough(RetainedCommits(first: 1, nonces: [11, 12, 13]), rows(nonces: [11, 99])) == [2, 0])
    #expect(try copiesThrough(RetainedCommits(first: 2, nonces: [12]), rows(last: 3, nonces: [11, 12, 13])) == [0, 0])
    #expect(try admission(nil, cursor: nil, epoch: 0).decide(rows()).clients.map(\.copiesThrough) == [0])
    var many = [UInt64](repeating: 5, count: RetainedCommits.most)
    many[0] = 11
    #expect(try copiesThrough(RetainedCommits(first: 1, nonces: many), rows(nonces: [11, 99])) == [.max, 0])
  }

  @Test("a site that a restored server does not know is taken up with what its log has")
  func forgotten() throws {
    var rows = rows(nonces: [11])
    rows.client = nil
    let outcome = try admission(site, epoch: 1).decide(rows)
    #expect(outcome.resumption == .rebuild(.epoch))
    #expect(outcome.site == site.site && outcome.lastSiteVersion == 1)
    #expect(outcome.clients.map(\.secretHash) == [SiteSecret.hash([7])])
  }

  @Test("a site goes on with the commits that it keeps, when a restored server lacks others before them")
  func released() throws {
    let kept = RetainedCommits(first: 6, nonces: [66])
    let outcome = try admission(site, epoch: 1, retained: kept).decide(rows())
    #expect(outcome.resumption == .rebuild(.epoch))
    #expect(outcome.lastSiteVersion == 5 && outcome.clients.map(\.lastSiteVersion) == [5])
  }

  @Test("a view that is kept comes back with its queries and rules; other bytes give none")
  func views() throws {
    let view = try view()
    let own = ReadRules(
      HubSchema.own(UserClaims(subject: "ann", expires: 0, values: ["sub": [.string("ann")]])), in: HubSchema.schema)
    let other = try DeviceView(HubSchema.subscribe(2, "q == 1", "id > 3"), rules: own, in: HubSchema.schema)
    let bytes = DeviceView.bytes([view, other])
    let found = try #require(DeviceView.view(other.tag, in: bytes, schema: HubSchema.schema))
    #expect(found.view == other.view && found.queries == other.queries)
    #expect(DeviceView.view(view.tag, in: bytes, schema: HubSchema.schema)?.view == view.view)
    #expect(DeviceView.view(ViewTag(subscriptions: 9, rules: 9), in: bytes, schema: HubSchema.schema) == nil)
    #expect(DeviceView.view(other.tag, in: [1, 2, 3], schema: HubSchema.schema) == nil)
  }
}
