import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

/// Devices that come back after much has happened.
@Suite(.timeLimit(.minutes(10))) struct HubBehindTests {
  /// A device that has some objects, and is away while another one changes the first of them so many times.
  private func away(
    _ fixture: HubFixture, objects: Int = 1, changes: Int
  ) async throws -> (ann: TestDevice, bob: TestDevice) {
    let (ann, bob) = (TestDevice("ann", seed: 1), TestDevice("bob", seed: 2))
    for device in [ann, bob] {
      try await device.connect(fixture.hubs[0])
      try await device.sync()
    }
    for key in 1...objects { try await bob.create(key, owner: String(repeating: "o", count: 200), x: 0) }
    try await bob.sync()
    try await ann.sync()
    await ann.disconnect()
    await ann.forget()
    for number in 1...changes { try await bob.set(1, "x", .int(Int64(number))) }
    try await bob.sync()
    return (ann, bob)
  }

  @Test("F-109: a device that is far behind gets state where that is shorter than the log", arguments: Backend.allCases)
  func state(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend) {
      $0.ringCommits = 4
      $0.historyBytes = 1_000
    }
    let (ann, bob) = try await away(fixture, changes: 300)
    try await ann.connect(fixture.hubs[0])
    try await ann.set(1, "q", .int(3))
    try await ann.sync()
    #expect(await ann.resumptions == [.incremental])
    #expect(await ann.begins.map(\.isFull) == [true])
    #expect(await ann.records.count < 10)
    try await bob.sync()
    #expect(await ann.shown == bob.shown)
    #expect(await ann.value(1, "x") == .int(300))
    #expect(await bob.value(1, "q") == .int(3))
    await fixture.end()
  }

  @Test("F-109: a device that is a little behind gets the log, as does one for which the state is longer")
  func history() async throws {
    for least in [1_000, 1 << 20] {
      let fixture = try await HubFixture(.memory) {
        $0.ringCommits = 4
        $0.historyBytes = least
      }
      let isStateLong = least == 1_000
      let (ann, bob) = try await away(fixture, objects: isStateLong ? 40 : 1, changes: isStateLong ? 40 : 300)
      try await ann.connect(fixture.hubs[0])
      try await ann.sync()
      #expect(await ann.begins.isEmpty)
      #expect(await ann.shown == bob.shown)
      await fixture.end()
    }
  }

  @Test("F-109: the log is read by bytes, and at least one commit at a time", arguments: Backend.allCases)
  func pieces(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    let bob = TestDevice("bob", seed: 2)
    try await bob.connect(fixture.hubs[0])
    try await bob.sync()
    for key in 1...20 { try await bob.create(key, owner: String(repeating: "o", count: 1_000)) }
    try await bob.sync()
    let log = LogReader(fixture.stores[0].store, fixture.tenant, .first)
    func versions(_ bytes: Int) async throws -> [UInt64] {
      try await log.piece(after: 2, limit: 200, bytes: bytes).commits.map(\.version)
    }
    #expect(try await versions(1) == [3])
    let some = try await versions(10_000)
    #expect(some.count > 2 && some.count < 10 && some == Array(3..<(3 + UInt64(some.count))))
    #expect(try await versions(1 << 20) == Array(3...20))
    let piece = try await log.piece(after: 2, limit: 200, bytes: 10_000)
    #expect(piece.commits.reduce(0) { $0 + $1.loggedBytes } <= 10_000 + 32 * piece.commits.count)
    await fixture.end()
  }
}
