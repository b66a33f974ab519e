import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite struct SessionStreamTests {
  private let view: DeviceView

  init() throws {
    let claims = UserClaims(subject: "ann", expires: 0)
    let access = AccessPolicy.everything(schema: HubSchema.schema).access(for: claims)
    view = try DeviceView(HubSchema.all, rules: ReadRules(access, in: HubSchema.schema), in: HubSchema.schema)
  }

  /// The stream after a bootstrap that began at a version and had a page of another one.
  private func bootstrapped(from start: UInt64, page: UInt64) throws -> SessionStream {
    var stream = SessionStream(nil, head: start)
    let scope = BootstrapScope(
      tenant: try TenantID("acme"), part: .first, site: SiteID(high: 1, low: 1), schema: HubSchema.schema, epoch: 1)
    var bootstrap = Bootstrap(
      scope, from: nil, to: view.view, start: start, ownAtStart: 0, time: SyncTime(rawValue: 0),
      estimate: ObjectTotals(), touched: nil)
    bootstrap.advance(through: nil, version: page, time: SyncTime(rawValue: 0))
    stream.want(view)
    stream.prepare(view)
    stream.begin(bootstrap)
    stream.finish()
    return stream
  }

  @Test("a device is told of the newest page's version when the last record is older")
  func recordBeforeNewestPage() throws {
    var stream = try bootstrapped(from: 5, page: 9)
    stream.advance(through: 8, lastRecord: 6)
    #expect(!stream.needsRecord)
    stream.advance(through: 10, lastRecord: nil)
    #expect(stream.needsRecord && stream.sent == 10)
    stream.announce()
    #expect(!stream.needsRecord)
  }

  @Test("a device is told of the newest page's version when one batch passes it")
  func batchPastNewestPage() throws {
    var stream = try bootstrapped(from: 5, page: 9)
    stream.advance(through: 10, lastRecord: 6)
    #expect(stream.needsRecord)
    stream.announce()
    #expect(!stream.needsRecord)
  }

  @Test("a record at the newest page's version needs no other one")
  func recordAtNewestPage() throws {
    var stream = try bootstrapped(from: 5, page: 9)
    stream.advance(through: 12, lastRecord: 9)
    #expect(!stream.needsRecord)
  }

  @Test("a device that comes back is told of the version that the log had then")
  func pagesOfAnEarlierConnection() {
    var stream = SessionStream((version: 5, view: view), head: 7)
    #expect(!stream.needsRecord)
    stream.advance(through: 6, lastRecord: nil)
    #expect(!stream.needsRecord)
    stream.advance(through: 7, lastRecord: nil)
    #expect(stream.needsRecord)
    stream.announce()
    stream.advance(through: 8, lastRecord: nil)
    #expect(!stream.needsRecord)
  }

  @Test("a batch's cursor is the version of its last record")
  func cursor() throws {
    var commit = LoggedCommit(
      MergedCommit(
        version: 3, site: SiteID(high: 1, low: 1), siteVersion: 1, nonce: 0, time: SyncTime(rawValue: 1)),
      images: [:], bytes: 10)
    var builder = BatchBuilder(view.view, site: SiteID(high: 1, low: 1))
    builder.add(&commit)
    let batch = builder.batch(through: 8, compression: nil)
    #expect(batch.through == 8 && batch.lastRecord == 3)
    let frame = try #require(batch.frame)
    guard case .download(let download) = try SyncFrame(decoding: frame, site: SiteID(high: 1, low: 1)).message else {
      return #expect(Bool(false), "a download")
    }
    #expect(StreamCursor(download.cursor)?.version == 3)
  }
}
