import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite(.timeLimit(.minutes(10))) struct HubSessionTests {
  private func refused(
    _ fixture: HubFixture, _ device: TestDevice, token: String? = nil, change: @Sendable (Hello) -> Hello = { $0 }
  ) async throws -> SyncFailure? {
    await device.forget()
    try await device.connect(fixture.hubs[0], token: token, change: change)
    #expect(await !device.isConnected)
    return await device.failures.first
  }

  @Test("greetings with a wrong version, token, tenant, schema or secret are refused")
  func refusals() async throws {
    let fixture = try await HubFixture(.memory)
    let ann = TestDevice()
    let version = try await refused(fixture, ann) { hello in
      let later = ProtocolVersion(major: 2, minor: 0)
      return hello.with(oldest: later, newest: later)
    }
    #expect(version?.code == .version && version?.action == .stop)
    let token = try await refused(fixture, ann, token: "nobody")
    #expect(token?.code == .token && token?.action == .refreshToken)
    let old = try await refused(fixture, ann, token: "ann,\(HubFixture.start)")
    #expect(old?.code == .tokenExpired && old?.action == .refreshToken)
    let tenant = try await refused(fixture, TestDevice(tenant: "other"))
    #expect(tenant?.code == .tenant && tenant?.action == .stop)
    fixture.directory.change { $0.retiredSchemas = [1] }
    let schema = try await refused(fixture, ann)
    #expect(schema?.code == .schemaTooOld && schema?.action == .stop)
    fixture.directory.change { $0.retiredSchemas = [] }
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    await ann.disconnect()
    let secret = try await refused(fixture, ann) { hello in
      hello.with(credential: hello.credential.map { SiteCredential(site: $0.site, secret: [1, 2, 3]) })
    }
    #expect(secret?.code == .siteSecret && secret?.action == .reset)
    await fixture.end()
  }

  @Test("bytes that are no message, and messages at the wrong time, end the connection")
  func malformed() async throws {
    let fixture = try await HubFixture(.memory)
    let early = DeviceOutput()
    await fixture.hubs[0].connect(early, peer: "test").receive(SyncFrame(.ping(1)).encoded())
    #expect(early.isClosed)
    let empty = DeviceOutput()
    await fixture.hubs[0].connect(empty, peer: "test").receive([])
    #expect(empty.isClosed)
    let ann = TestDevice()
    try await ann.connect(fixture.hubs[0])
    await ann.send(.acknowledge(Acknowledgement(siteVersion: 1)))
    try await ann.waitForEnd()
    #expect(await ann.failures.map(\.code) == [.unexpected])
    #expect(fixture.hubs[0].metrics.failures == 0)
    await fixture.end()
  }

  @Test("MR-15: a newer session of a site fences the older one", arguments: Backend.allCases)
  func fence(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    let ann = TestDevice()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    try await ann.create(1)
    try await ann.sync()
    // The device connects again, and its first connection is not closed yet.
    let first = await ann.letGo()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    try await ann.create(2)
    await ann.upload(over: first)
    while first?.output.isClosed == false { try await Task.sleep(for: .milliseconds(1)) }
    let failures = try (first?.output.take() ?? []).compactMap { frame -> SyncFailure? in
      if case .failure(let failure) = try SyncFrame(decoding: frame).message { failure } else { nil }
    }
    #expect(failures.map(\.code) == [.fenced])
    #expect(failures.map(\.action) == [.reconnect])
    #expect(try await fixture.content().count == 1)
    await fixture.end()
  }

  @Test("MR-16: a device restored from a backup becomes a new site, and loses nothing", arguments: Backend.allCases)
  func fork(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    let ann = TestDevice()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    try await ann.create(1)
    try await ann.sync()
    await ann.backUp()
    try await ann.create(2)
    try await ann.sync()
    let site = await ann.site
    await ann.restore()
    try await ann.create(3)
    await ann.forget()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    #expect(await ann.resumptions == [.fork(common: 1)])
    #expect(await ann.site != site)
    #expect(await ann.keys == [1, 2, 3])
    #expect(try await fixture.content() == ann.shown)
    #expect(try await fixture.stores[0].log(fixture.tenant).count == 3)
    await fixture.end()
  }

  @Test(
    "MR-15: after a raised epoch a device gets everything, and offers again what the server lacks",
    arguments: Backend.allCases)
  func epoch(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    let ann = TestDevice()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    try await ann.create(1)
    try await ann.create(2)
    try await ann.sync()
    await ann.disconnect()
    // A server that was restored to before the device's second commit.
    try await fixture.stores[0].store.write(unknownCommit: .runAgain) {
      [tenant = fixture.tenant, site = await ann.site] transaction in
      let site = SiteKey(try #require(site))
      var client = try #require(try transaction.lockClients(tenant, [site])[site])
      client.lastSiteVersion = 0
      try transaction.putClients(tenant, [client])
      try transaction.raiseEpoch(of: tenant)
    }
    await ann.forget()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    #expect(await ann.resumptions == [.rebuild(.epoch)])
    #expect(await ann.keys == [1, 2])
    #expect(try await fixture.stores[0].log(fixture.tenant).count == 4)
    #expect(try await fixture.content() == ann.shown)
    await fixture.end()
  }

  @Test("MR-6: a device whose clock is wrong is notified of the time that its commit got")
  func clamped() async throws {
    let fixture = try await HubFixture(.memory)
    let ann = TestDevice()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    await ann.setSkew(3_600_000)
    try await ann.create(1)
    try await ann.sync()
    let time = try #require(await ann.clamped.first)
    #expect(time < SyncTime(milliseconds: UInt64(HubFixture.start + 1_000)))
    await fixture.end()
  }

  @Test("a hub that is shut down merges what it has, and asks devices to come again")
  func shutDown() async throws {
    let fixture = try await HubFixture(.memory)
    let ann = TestDevice()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    try await ann.create(1)
    try await ann.upload()
    await fixture.end()
    try await ann.waitForEnd()
    #expect(await ann.failures.map(\.code) == [.stopping])
    #expect(try await fixture.content().count == 1)
    #expect(fixture.hubs[0].metrics.sessions == 0)
    #expect(fixture.hubs[0].metrics.connections == 0)
    let late = TestDevice()
    try await late.connect(fixture.hubs[0])
    #expect(await late.failures.first?.code == .stopping)
  }
}

extension Hello {
  /// The greeting with other fields.
  func with(
    oldest: ProtocolVersion? = nil, newest: ProtocolVersion? = nil, credential: SiteCredential? = nil
  ) -> Hello {
    Hello(
      oldest: oldest ?? self.oldest, newest: newest ?? self.newest, tenant: tenant, token: token, agent: agent,
      credential: credential ?? self.credential, incarnation: incarnation, schemaFingerprint: schemaFingerprint,
      position: position, expands: expands)
  }
}
