import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite(.timeLimit(.minutes(10))) struct HubLimitTests {
  @Test("a set with more queries than a server takes is refused, and the one before stays in force")
  func queries() async throws {
    let fixture = try await HubFixture(.memory) { $0.devices.queriesPerSet = 2 }
    let ann = TestDevice(subscribe: HubSchema.subscribe(1, "q == 1", "q == 2"))
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    #expect(await ann.failures.isEmpty)
    await ann.subscribe(HubSchema.subscribe(2, "q == 1", "q == 2", "q == 3"))
    try await ann.create(1, q: 1)
    try await ann.sync()
    let failure = try #require(await ann.failures.first)
    #expect(failure.code == .query && failure.action == .carryOn && failure.subject == "q == 3")
    #expect(failure.message.string.contains("3 queries") && failure.message.string.contains("at most 2"))
    #expect(await ann.keys == [1])
    #expect(await ann.view?.subscriptions == 1)
    await fixture.end()
  }

  @Test("a device that sends more bytes in a second than it may is asked to send them later")
  func bytes() async throws {
    let fixture = try await HubFixture(.memory) { $0.devices.uploadBytesPerSecond = 10_000 }
    let ann = TestDevice()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    let text = SyncValue.string(SyncText(String(repeating: "y", count: 8_000)))
    try await ann.create(1)
    try await ann.set(1, "owner", text)
    try await ann.sync()
    try await ann.create(2)
    try await ann.set(2, "owner", text)
    try await ann.upload()
    try await ann.wait("for the failure") { !$0.failures.isEmpty }
    let failure = try #require(await ann.failures.first)
    #expect(failure.code == .rate && failure.action == .resend)
    #expect(failure.message.string.contains("10000"))
    #expect(try #require(failure.retryAfter) <= 1_000)
    fixture.advance(by: 1_000)
    await ann.sendAgain()
    try await ann.sync()
    #expect(try await fixture.content() == ann.shown)
    await fixture.end()
  }
}
