import LarderLocks

/// Sends over a connection, one message at a time and in order, without waiting.
final class EngineLink: Sendable {
  private struct State {
    var waiting: [[UInt8]] = []
    var isSending = false
    var isClosed = false
  }

  private let connection: any SyncConnection
  private let state = Lock(State())
  private let lost: @Sendable (TransportError) async -> Void

  /// - Parameter lost: Called when a message cannot be sent.
  init(_ connection: any SyncConnection, lost: @escaping @Sendable (TransportError) async -> Void) {
    self.connection = connection
    self.lost = lost
  }

  /// Sends a message after those before it; nothing after `close`.
  func send(_ bytes: [UInt8]) {
    let begins = state.withLock { state in
      guard !state.isClosed else { return false }
      state.waiting.append(bytes)
      defer { state.isSending = true }
      return !state.isSending
    }
    if begins { Task { await self.sendAll() } }
  }

  private func sendAll() async {
    while let bytes = take() {
      do { try await connection.send(bytes) } catch {
        return await lost(error as? TransportError ?? .unreachable("\(error)"))
      }
    }
  }

  private func take() -> [UInt8]? {
    state.withLock { state in
      guard let first = state.waiting.first else {
        state.isSending = false
        return nil
      }
      state.waiting.removeFirst()
      return first
    }
  }

  /// Ends the connection. What waits is not sent.
  func close() {
    state.withLock { state in
      state.waiting = []
      state.isClosed = true
    }
    Task { await connection.close() }
  }
}
