#if Sync
  import Foundation
  import LarderLocks
  import LarderSync
  import SyncModel
  import TestSupport
  import Testing

  /// Tokens that a real server accepts for some seconds.
  @MainActor
  @Suite("Devices whose tokens grow old", .timeLimit(.minutes(30)))
  struct TokenRenewalTests {
    /// A request for a token and when it came, in seconds since 1970.
    private typealias Asked = (reason: TokenRequest.Reason, time: Double)

    @Test(
      "Y-56: A token is replaced at four fifths of its life over the open connection, and the session goes on past its end"
    )
    func renewed() async throws {
      // A machine that holds the process up for a tenth of the token's life proves nothing: then with a longer life.
      for life in [40.0, 80, 160] where try await isSettled(life, isLast: life == 160) { break }
    }

    /// Follows the life of a token; false, with nothing expected, when the process was held up meanwhile.
    private func isSettled(_ life: Double, isLast: Bool) async throws -> Bool {
      let server = try ServerProcess()
      let proxy = try await FaultyProxy(to: server.portNumber, SeededRandom(seed: 1))
      proxy.heal()
      let later = try server.token("anna", "role=editor")
      let asked = Lock<[Asked]>([])
      let options = DeviceOptions(
        url: proxy.url,
        tokens: { request in
          asked.withLock { $0.append((request.reason, Date().timeIntervalSince1970)) }
          return later
        })
      let first = try server.token("anna", "role=editor", expires: "\(Int(life))s")
      let anna = try await TestDevice("anna", server, token: first, options)
      guard case .int(let seconds) = anna.user.claims["exp"] else { throw ServerProcess.Failure(description: "no exp") }
      let end = Double(seconds)
      let states = Lock<[SyncSession.ConnectionState]>([])
      let observation = anna.session.observeConnectionState { state in states.withLock { $0.append(state) } }
      try await anna.subscribe()
      var id = 0
      var longest = 0.0
      while Date().timeIntervalSince1970 < end + 2 {
        id += 1
        let begin = Date().timeIntervalSince1970
        try anna.realm.write { anna.realm.add(City(id, "city", "JP")) }
        try await anna.settle()
        try await Task.sleep(for: .milliseconds(100))
        longest = max(longest, Date().timeIntervalSince1970 - begin)
      }
      observation.invalidate()
      guard isLast || longest < life / 10 else { return false }

      let requests = asked.withLock { $0 }
      #expect(requests.map(\.reason) == [.expiring])
      // Not before: of what was left at the welcome, at most all of the life, a fifth is left.
      #expect(requests.allSatisfy { $0.time > end - life / 5 - 0.5 && $0.time < end })
      #expect(anna.user.accessToken == later)
      #expect(proxy.connections == 1)
      #expect(states.withLock { states in !states.drop { $0 != .connected }.contains { $0 != .connected } })
      #expect(anna.errors.codes == [])

      let ben = try await TestDevice("ben", server, token: try server.token("ben", "role=editor"))
      try await ben.subscribe()
      #expect(ben.content.count == id)
      #expect(ben.content == anna.content)
      return true
    }
  }
#endif
