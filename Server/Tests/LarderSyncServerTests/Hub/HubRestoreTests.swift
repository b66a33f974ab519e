import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

/// A log that was replaced by an older one and goes on, whatever a bare version says of it.
@Suite(.timeLimit(.minutes(10))) struct HubRestoreTests {
  /// Puts the store back to a version, as a restored backup or a standby that lacks the newest commits does. No object that is older may have
  /// changed since.
  private func restore(_ fixture: HubFixture, to version: Int64) async throws {
    try await fixture.stores[0].store.write(unknownCommit: .fail) { transaction in
      guard let running = transaction as? SQLTransaction else { return }
      running.later([
        SQLStatement("DELETE FROM larder_change WHERE version > \(version)")(),
        SQLStatement("DELETE FROM larder_object WHERE version > \(version)")(),
        SQLStatement("UPDATE larder_part SET head = \(version)")(),
        SQLStatement(
          "UPDATE larder_client SET last_site_version = COALESCE((SELECT MAX(c.site_version) FROM larder_change c "
            + "WHERE c.tenant = larder_client.tenant AND c.site = larder_client.site), 0)")(),
      ])
    }
  }

  private func head(_ fixture: HubFixture) async throws -> Int64 {
    try await fixture.stores[0].part(fixture.tenant)?.head ?? 0
  }

  private func epoch(_ fixture: HubFixture) async throws -> Int64 {
    try await fixture.stores[0].part(fixture.tenant)?.epoch ?? 0
  }

  /// Two devices that have all of a log, and the version before its last three commits.
  private func makeLog(_ fixture: HubFixture) async throws -> (ann: TestDevice, ben: TestDevice, backup: Int64) {
    let (ann, ben) = (TestDevice(), TestDevice(seed: 2))
    for device in [ann, ben] {
      try await device.connect(fixture.hubs[0])
      try await device.sync()
    }
    for key in 1...4 { try await ann.create(key, q: key) }
    try await ann.sync()
    let backup = try await head(fixture)
    for key in 5...7 { try await ann.create(key, q: key) }
    try await ann.sync()
    try await ben.sync()
    #expect(await ben.keys == Array(1...7))
    return (ann, ben, backup)
  }

  @Test(
    "F-102: After a restored backup in which another device wrote past the cursor of two, both are as a fresh one",
    arguments: Backend.allCases)
  func restored(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    let (ann, ben, backup) = try await makeLog(fixture)
    await ann.disconnect()
    await ben.disconnect()
    let end = try await head(fixture)
    try await restore(fixture, to: backup)
    // The server was started again, so that nothing of it knows the lost commits.
    let carl = TestDevice(seed: 3)
    let other = try await HubFixture(over: fixture.stores[0])
    try await carl.connect(other.hubs[0])
    for key in 11...20 { try await carl.create(key) }
    try await carl.sync()
    #expect(try await head(fixture) > end)
    #expect(try await epoch(fixture) == 1)
    for device in [ann, ben] {
      await device.forget()
      try await device.connect(other.hubs[0])
      try await device.sync()
      #expect(await device.resumptions == [.rebuild(.epoch)])
    }
    for device in [ann, ben, carl] { try await device.sync() }
    let fresh = TestDevice(seed: 4)
    try await fresh.connect(other.hubs[0])
    try await fresh.sync()
    // What its author still has is offered again.
    #expect(await fresh.keys == Array(1...7) + Array(11...20))
    for device in [ann, ben, carl] { #expect(await device.shown == fresh.shown) }
    await other.end()
    await fixture.end()
  }

  @Test(
    "F-102: A server that runs while its database loses commits raises the epoch, and no session goes on",
    arguments: Backend.allCases)
  func promoted(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    let (ann, ben, backup) = try await makeLog(fixture)
    try await restore(fixture, to: backup)
    let carl = TestDevice(seed: 3)
    try await carl.connect(fixture.hubs[0])
    for key in 11...20 { try? await carl.create(key) }
    try? await carl.sync()
    try await ben.waitForEnd()
    try await ann.waitForEnd()
    #expect(try await epoch(fixture) == 2)
    // The newest device may have been refused before it was welcomed.
    for device in [carl, ann, ben] {
      await device.forget()
      try await device.connect(fixture.hubs[0])
      try await device.sync()
    }
    for device in [ann, ben] { #expect(await device.resumptions == [.rebuild(.epoch)]) }
    for device in [ann, ben, carl] { try await device.sync() }
    let fresh = TestDevice(seed: 4)
    try await fresh.connect(fixture.hubs[0])
    try await fresh.sync()
    for device in [ann, ben, carl] { #expect(await device.shown == fresh.shown) }
    #expect(try await epoch(fixture) == 2)
    await fixture.end()
  }

  @Test(
    "F-102: A device goes on where the log is the same, also at the end of what was trimmed",
    arguments: Backend.allCases)
  func same(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    let (ann, ben, _) = try await makeLog(fixture)
    await ben.disconnect()
    let end = try await head(fixture)
    try await fixture.stores[0].store.write(unknownCommit: .runAgain) { [tenant = fixture.tenant] in
      _ = try $0.trim(tenant, .first, upTo: end, limit: 100)
    }
    await ben.forget()
    try await ben.connect(fixture.hubs[0])
    try await ben.sync()
    #expect(await ben.resumptions == [.incremental])
    try await ann.create(30)
    try await ann.sync()
    try await ben.sync()
    #expect(await ben.shown == ann.shown)
    await fixture.end()
  }

  @Test("F-110: A server removes what its tenants keep no longer, and a raised epoch ends the sessions that there are")
  func retention() async throws {
    let fixture = try await HubFixture(.memory)
    let (ann, ben, _) = try await makeLog(fixture)
    let administration = TenantAdministration(store: fixture.stores[0].store)
    try await administration.setRetention(60_000, of: fixture.tenant)
    await fixture.hubs[0].trim()
    #expect(try await fixture.stores[0].part(fixture.tenant)?.floor == 0)
    fixture.advance(by: 120_000)
    await fixture.hubs[0].trim()
    #expect(try await fixture.stores[0].part(fixture.tenant)?.floor == head(fixture))
    #expect(try await fixture.stores[0].log(fixture.tenant).count == 1)
    #expect(try await administration.raiseEpoch(of: fixture.tenant) == 2)
    for device in [ann, ben] {
      try await device.waitForEnd()
      await device.forget()
      try await device.connect(fixture.hubs[0])
      try await device.sync()
      #expect(await device.resumptions == [.rebuild(.epoch)])
      #expect(await device.keys == Array(1...7))
    }
    await fixture.end()
  }

  @Test("F-112: A greeting that comes twice fences its device for as long as that needs to greet again")
  func doubled() async throws {
    let fixture = try await HubFixture(.memory)
    let ann = TestDevice()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    await ann.disconnect()
    // The network keeps a greeting and delivers it over a connection of its own, after the device has a session.
    let late = DeviceOutput()
    let greeting = await ann.greeting()
    try await ann.connect(fixture.hubs[0])
    await fixture.hubs[0].connect(late, peer: "late").receive(greeting)
    try await ann.create(1)
    try? await ann.sync()
    try await ann.waitForEnd()
    let failure = try #require(await ann.failures.last)
    #expect(failure.code == .fenced && failure.action == .reconnect && failure.retryAfter == 30_000)
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    #expect(try await fixture.content().count == 1)
    await fixture.end()
  }

  @Test("F-114: A token that names no tenant is refused, unless the server takes such tokens for every tenant")
  func tokens() async throws {
    for acceptsAny in [false, true] {
      let fixture = try await HubFixture(.memory) { $0.acceptsTokensWithoutTenant = acceptsAny }
      let ann = TestDevice()
      try await ann.connect(fixture.hubs[0], token: "ann,\(Int64.max),any")
      let failure = await ann.failures.first
      #expect(await ann.isConnected == acceptsAny)
      #expect(failure?.code == (acceptsAny ? nil : .tenant) && failure?.action == (acceptsAny ? nil : .stop))
      if !acceptsAny { #expect(failure?.message.string.contains("needs the claim 'tenant'") == true) }
      // Neither does a session change over to such a token.
      let ben = TestDevice()
      try await ben.connect(fixture.hubs[0])
      await ben.send(.authenticate(token: SyncText("ann,\(Int64.max),any")))
      if acceptsAny { try await ben.sync() } else { try await ben.waitForEnd() }
      #expect(await ben.failures.map(\.code) == (acceptsAny ? [] : [.token]))
      await fixture.end()
    }
  }
}
