import LarderLocks
import LarderSyncProtocol

@testable import LarderSync

/// Connections to a model server in this process, which answer at once.
final class ModelTransport: SyncTransport {
  private struct State {
    var server = ModelServer()
    var queues: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
    var isReachable = true
    var attempts = 0
  }

  private let state = Lock(State())

  /// The number of times that a connection was wanted.
  var attempts: Int { state.withLock { $0.attempts } }

  /// Works on the server; what it has to say then is sent.
  @discardableResult
  func withServer<Value: Sendable>(_ body: @Sendable (inout ModelServer) -> Value) -> Value {
    state.withLock { state in
      let value = body(&state.server)
      Self.speak(&state)
      return value
    }
  }

  /// Makes connections possible, or impossible: those that there are end then.
  func setReachable(_ isReachable: Bool) {
    state.withLock { state in
      state.isReachable = isReachable
      if !isReachable { for id in Array(state.queues.keys) { Self.end(id, &state) } }
    }
  }

  private static func speak(_ state: inout State) {
    var isSpeaking = true
    while isSpeaking {
      isSpeaking = false
      for (id, queue) in state.queues {
        guard let message = state.server.take(id) else { continue }
        queue.yield(message)
        isSpeaking = true
      }
    }
    for id in Array(state.queues.keys) where state.server.sessions[id]?.isClosed != false { end(id, &state) }
  }

  private static func end(_ id: Int, _ state: inout State) {
    state.queues.removeValue(forKey: id)?.finish()
    state.server.disconnect(id)
  }

  func connect(_ endpoint: SyncEndpoint) async throws -> any SyncConnection {
    let (stream, queue) = AsyncStream.makeStream(of: [UInt8].self)
    let id = state.withLock { state -> Int? in
      state.attempts += 1
      guard state.isReachable else { return nil }
      let id = state.server.connect()
      state.queues[id] = queue
      return id
    }
    guard let id else { throw TransportError.unreachable("no network") }
    return ModelConnection(stream) { [self] bytes in
      try state.withLock { state in
        guard state.queues[id] != nil else { throw TransportError.closed }
        state.server.receive(bytes, id)
        Self.speak(&state)
      }
    } close: { [self] in
      state.withLock { Self.end(id, &$0) }
    }
  }
}

private struct ModelConnection: SyncConnection {
  private let messages: AsyncStream<[UInt8]>
  private let take: @Sendable ([UInt8]) throws -> Void
  private let end: @Sendable () -> Void

  init(
    _ messages: AsyncStream<[UInt8]>, _ take: @escaping @Sendable ([UInt8]) throws -> Void,
    close: @escaping @Sendable () -> Void
  ) {
    self.messages = messages
    self.take = take
    end = close
  }

  func send(_ bytes: [UInt8]) async throws { try take(bytes) }

  func receive() async throws -> [UInt8]? {
    for await message in messages { return message }
    return nil
  }

  func close() async { end() }
}
