import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

/// Bootstraps that end halfway and go on in another session.
@Suite(.timeLimit(.minutes(10))) struct HubBootstrapTests {
  private func fixture(_ backend: Backend, _ bob: TestDevice, objects: Int) async throws -> HubFixture {
    let fixture = try await HubFixture(backend) { $0.pageObjects = 2 }
    try await bob.connect(fixture.hubs[0])
    try await bob.sync()
    for key in 1...objects { try await bob.create(key, q: key % 2, x: key) }
    try await bob.sync()
    return fixture
  }

  @Test("Y-19: everything comes in two sessions, with what changed in between", arguments: Backend.allCases)
  func full(_ backend: Backend) async throws {
    let (ann, bob) = (TestDevice("ann", seed: 1), TestDevice("bob", seed: 2))
    let fixture = try await fixture(backend, bob, objects: 40)
    await ann.takePages(atMost: 12)
    try await ann.connect(fixture.hubs[0])
    try await ann.wait("for pages") { $0.pages.count == 12 }
    await ann.disconnect()
    await ann.takePages(atMost: .max)
    for key in [3, 39] { try await bob.set(key, "x", .int(1_000)) }
    try await bob.delete(5)
    try await bob.delete(38)
    try await bob.create(41, q: 1)
    try await bob.sync()
    await ann.forget()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    let (begins, pages) = (await ann.begins, await ann.pages)
    #expect(begins.map(\.continues) == [true] && begins.allSatisfy(\.isFull))
    #expect(pages.count <= 12, "pages that were here came again")
    let content = try await fixture.content()
    #expect(await ann.shown == content && content.count == 39)
    try await bob.set(4, "x", .int(7))
    try await bob.sync()
    try await ann.sync()
    #expect(await ann.value(4, "x") == .int(7))
    await fixture.end()
  }

  @Test("Y-19: what another set of subscriptions brings comes in two sessions", arguments: Backend.allCases)
  func difference(_ backend: Backend) async throws {
    let bob = TestDevice("bob", seed: 2)
    let ann = TestDevice("ann", subscribe: HubSchema.subscribe(1, "q == 0"), seed: 1)
    let fixture = try await fixture(backend, bob, objects: 40)
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    #expect(await ann.shown.count == 20)
    await ann.forget()
    await ann.takePages(atMost: 8)
    await ann.subscribe(HubSchema.subscribe(2, "q == 1"))
    try await ann.wait("for pages") { $0.pages.count == 8 }
    await ann.disconnect()
    await ann.takePages(atMost: .max)
    try await bob.set(1, "q", .int(0))
    try await bob.set(2, "q", .int(1))
    try await bob.set(40, "q", .int(1))
    try await bob.sync()
    await ann.forget()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    #expect(await ann.begins.map(\.continues) == [true])
    let content = try await fixture.content()
    #expect(await ann.shown == content.filter { $0.value["q"] == [.int(1)] })
    await fixture.end()
  }

  @Test(
    "Y-19: other subscriptions, another schema and bytes that no server made begin again", arguments: Backend.allCases)
  func again(_ backend: Backend) async throws {
    let (ann, bob) = (TestDevice("ann", seed: 1), TestDevice("bob", seed: 2))
    let fixture = try await fixture(backend, bob, objects: 20)
    let changes: [@Sendable (BootstrapPosition) -> BootstrapPosition] = [
      { BootstrapPosition(resumption: [9], view: $0.view, className: $0.className, through: $0.through) },
      { BootstrapPosition(resumption: $0.resumption, view: $0.view, className: "Nothing", through: $0.through) },
      {
        BootstrapPosition(
          resumption: $0.resumption, view: ViewTag(subscriptions: 9, rules: 9), className: $0.className,
          through: $0.through)
      },
    ]
    for change in changes {
      await ann.forget()
      await ann.takePages(atMost: 3)
      try await ann.connect(fixture.hubs[0])
      try await ann.wait("for pages") { $0.pages.count == 3 }
      await ann.disconnect()
      await ann.forget()
      try await ann.connect(fixture.hubs[0]) { hello in
        let position = hello.position
        return Hello(
          tenant: hello.tenant, token: hello.token, agent: hello.agent, credential: hello.credential,
          incarnation: hello.incarnation, schemaFingerprint: hello.schemaFingerprint,
          position: SyncPosition(
            epoch: position.epoch, cursor: position.cursor, view: position.view, retained: position.retained,
            bootstrap: position.bootstrap.map(change)), expands: hello.expands)
      }
      try await ann.wait("for the beginning") { !$0.begins.isEmpty }
      #expect(await ann.begins.map(\.continues) == [false])
      await ann.disconnect()
    }
    await ann.takePages(atMost: .max)
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    #expect(try await ann.shown == fixture.content())
    await fixture.end()
  }
}
