import FlyingFox
import FlyingSocks

/// A pool of sockets in which answers are sent at once: a short answer would wait 40 ms for the page to confirm the one before.
struct NoDelayPool: AsyncSocketPool {
  private let base: any AsyncSocketPool
  /// Connections over the network, not those over a socket in a folder.
  private let isNetwork: Bool

  init(isNetwork: Bool) {
    base = HTTPServer.defaultPool()
    self.isNetwork = isNetwork
  }

  func prepare() async throws { try await base.prepare() }

  func run() async throws { try await base.run() }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    // The listening socket comes here first, and those that it accepts have what it has.
    if isNetwork, events.contains(.read) { try? socket.setValue(true, for: BoolSocketOption(level: 6, name: 1)) }
    try await base.suspendSocket(socket, untilReadyFor: events)
  }
}
