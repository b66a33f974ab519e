import LarderLocks

/// Asks a provider for tokens, for one request at a time: sessions that ask meanwhile get the same answer (Y-56).
final class TokenRenewal: Sendable {
  private let running = Lock<Task<String, any Error>?>(nil)

  func token(_ ask: @escaping @Sendable () async throws -> String) async throws -> String {
    let task = running.withLock { running in
      if let running { return running }
      let made = Task {
        defer { self.running.withLock { $0 = nil } }
        return try await ask()
      }
      running = made
      return made
    }
    return try await task.value
  }
}
