#if Sync
  import LarderLocks
  import NIOCore
  import NIOPosix
  import TestSupport

  /// Connects a device with a server over TCP, and gives each connection faults of its own, drawn by a generator in the order of connections.
  final class FaultyProxy: Sendable {
    private struct State {
      var random: SeededRandom
      var isHealed = false
      var connections: [any Channel] = []
      var count = 0
    }

    /// The generator of the faults of connections.
    private final class Faults: Sendable {
      let state: Lock<State>

      init(_ random: SeededRandom) { state = Lock(State(random: random)) }

      /// Returns the faults of the two directions of a new connection.
      func next(_ device: any Channel) -> [LinkFault] {
        state.withLock { state in
          state.connections.append(device)
          state.count += 1
          guard !state.isHealed else { return [.none, .none] }
          return [LinkFault(&state.random), LinkFault(&state.random)]
        }
      }
    }

    private let faults: Faults
    private let listener: any Channel

    /// A proxy of the server at a port of this computer.
    init(to port: Int, _ random: SeededRandom) async throws {
      let faults = Faults(random)
      self.faults = faults
      listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelOption(.autoRead, value: false)
        .childChannelInitializer { device in Self.join(device, to: port, faults.next(device)) }
        .bind(host: "127.0.0.1", port: 0).get()
    }

    deinit { listener.close(promise: nil) }

    /// The address that the device connects to.
    var url: String { "ws://127.0.0.1:\(listener.localAddress?.port ?? 0)" }

    /// The number of connections that were made.
    var connections: Int { faults.state.withLock { $0.count } }

    /// Ends the connections that there are; later ones have no faults.
    func heal() {
      let connections = faults.state.withLock { state in
        state.isHealed = true
        return state.connections
      }
      for channel in connections { channel.close(promise: nil) }
    }

    private static func join(_ device: any Channel, to port: Int, _ faults: [LinkFault]) -> EventLoopFuture<Void> {
      let connected = ClientBootstrap(group: device.eventLoop).channelOption(.autoRead, value: false)
        .connect(host: "127.0.0.1", port: port)
      return connected.flatMap { server in
        device.eventLoop.makeCompletedFuture {
          try device.pipeline.syncOperations.addHandler(Relay(to: server, faults[0]))
          try server.pipeline.syncOperations.addHandler(Relay(to: device, faults[1]))
        }.flatMap {
          device.setOption(.autoRead, value: true).and(server.setOption(.autoRead, value: true)).map { _ in }
        }
      }
    }
  }

  /// Passes on what comes from one side.
  private final class Relay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let other: any Channel
    private let fault: LinkFault
    private var passed = 0
    /// The time at which the last part that waits is sent.
    private var last = NIODeadline.uptimeNanoseconds(0)

    init(to other: any Channel, _ fault: LinkFault) {
      self.other = other
      self.fault = fault
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      var buffer = unwrapInboundIn(data)
      let before = passed
      passed += buffer.readableBytes
      switch fault {
      case .none: other.writeAndFlush(buffer, promise: nil)
      case .delay(let milliseconds): send(buffer, context, after: milliseconds)
      case .hold(let limit, let milliseconds): send(buffer, context, after: passed > limit ? milliseconds : 0)
      case .lose(let limit), .cut(let limit):
        if let part = buffer.readSlice(length: min(buffer.readableBytes, max(0, limit - before))) {
          other.writeAndFlush(part, promise: nil)
        }
        guard case .cut = fault, passed > limit else { return }
        other.close(promise: nil)
        context.close(promise: nil)
      }
    }

    /// Sends later, and after what was to be sent before.
    private func send(_ buffer: ByteBuffer, _ context: ChannelHandlerContext, after milliseconds: Int) {
      last = max(last + .nanoseconds(1), .now() + .milliseconds(Int64(milliseconds)))
      let other = other
      context.eventLoop.scheduleTask(deadline: last) { other.writeAndFlush(buffer, promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
      other.close(promise: nil)
      context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
#endif
