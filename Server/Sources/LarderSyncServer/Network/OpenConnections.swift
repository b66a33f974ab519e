import NIOCore
import Synchronization

/// The connections of a listener. A connection counts until its socket is closed and its session is through. May be used from any thread.
final class OpenConnections: Sendable {
  private struct State {
    var counts: ConnectionCounts
    var channels: [ObjectIdentifier: any Channel] = [:]
    var parts = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ limits: ConnectionLimits) { state = Mutex(State(counts: ConnectionCounts(limits))) }

  /// The number of open connections.
  var count: Int { state.withLock { $0.counts.total } }

  /// Takes a connection that was accepted, unless it is one too many.
  func admit(_ channel: any Channel) -> ConnectionCounts.Refusal? {
    let address = NetworkAddress(channel.remoteAddress)
    let refusal = state.withLock { state -> ConnectionCounts.Refusal? in
      if let refusal = state.counts.admit(address) { return refusal }
      state.channels[ObjectIdentifier(channel)] = channel
      state.parts += 1
      return nil
    }
    if refusal == nil { channel.closeFuture.whenComplete { _ in self.closed(channel, address) } }
    return refusal
  }

  /// A session has begun; `sessionEnded` is to be called for it.
  func sessionBegan() { state.withLock { $0.parts += 1 } }

  func sessionEnded() { end { _ in } }

  /// Closes all sockets, whatever is to be written to them.
  func closeAll() {
    for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
  }

  /// Returns when there are none.
  func waitUntilNone() async {
    await withCheckedContinuation { continuation in
      let isNone = state.withLock { state in
        if state.parts > 0 { state.waiters.append(continuation) }
        return state.parts == 0
      }
      if isNone { continuation.resume() }
    }
  }

  private func closed(_ channel: any Channel, _ address: NetworkAddress) {
    end { state in
      state.counts.release(address)
      state.channels[ObjectIdentifier(channel)] = nil
    }
  }

  private func end(_ change: (inout State) -> Void) {
    let waiters = state.withLock { state in
      change(&state)
      state.parts -= 1
      guard state.parts == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}
