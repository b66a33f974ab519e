import NIOCore
import NIOSSL

/// Watches the bytes of a connection, before anything looks at them: how many come, how fast, and whether any come at all. It is in the
/// pipeline after TLS. Belongs to its event loop.
final class ConnectionGuard: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// More bytes came before the first message was complete than may come.
  struct HandshakeTooLarge: Error {}

  /// Nothing has come for so long that the other side should be asked whether it is still there.
  struct Silence {}

  private enum Stage {
    /// TLS or HTTP; what goes wrong ends the connection.
    case handshake
    /// WebSocket, whose handler says goodbye.
    case upgraded
    /// Too much came; the rest is not read any further.
    case refused
  }

  private let limits: ConnectionLimits
  private let metrics: ConnectionMetrics
  private var allowance: InboundAllowance
  private var idle: IdleWatch
  private var stage = Stage.handshake
  private var deadline: Scheduled<Void>?
  private var clock: Scheduled<Void>?
  private var pause: Scheduled<Void>?
  private var isReading = false

  init(_ limits: ConnectionLimits, metrics: ConnectionMetrics) {
    self.limits = limits
    self.metrics = metrics
    allowance = InboundAllowance(limits, now: Self.now)
    idle = IdleWatch(limits, now: Self.now)
  }

  /// The connection speaks WebSocket from now on.
  func upgraded() { if stage == .handshake { stage = .upgraded } }

  /// The first message is complete.
  func handshakeEnded() {
    allowance.endHandshake()
    deadline?.cancel()
    deadline = nil
  }

  // MARK: - The pipeline

  func handlerAdded(context: ChannelHandlerContext) {
    deadline = context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(limits.handshakeMilliseconds)) {
      self.metrics.count(.handshakeTimeout)
      context.close(promise: nil)
    }
    watch(context)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    for task in [deadline, clock, pause] { task?.cancel() }
    (deadline, clock, pause) = (nil, nil, nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let count = unwrapInboundIn(data).readableBytes
    metrics.receivedBytes.increment(by: count)
    isReading = false
    idle.hear(Self.now)
    guard stage != .refused else { return }
    guard allowance.take(count, now: Self.now) else { return refuse(context) }
    context.fireChannelRead(data)
  }

  func read(context: ChannelHandlerContext) {
    guard pause == nil else { return }
    guard let milliseconds = allowance.pause(now: Self.now) else {
      isReading = true
      return context.read()
    }
    pause = context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(milliseconds)) {
      self.pause = nil
      self.read(context: context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    // Many devices just vanish.
    case NIOSSLError.uncleanShutdown: break
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: metrics.count(.tls)
    default: break
    }
    // Without TLS there is no way to say anything.
    context.close(promise: nil)
  }

  private func refuse(_ context: ChannelHandlerContext) {
    metrics.count(.handshakeSize)
    let isUpgraded = stage == .upgraded
    stage = .refused
    context.fireErrorCaught(HandshakeTooLarge())
    if !isUpgraded { context.close(promise: nil) }
  }

  private func watch(_ context: ChannelHandlerContext) {
    clock = context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(idle.interval)) {
      switch self.idle.tick(Self.now, isReading: self.isReading) {
      case .nothing: break
      case .ping: context.fireUserInboundEventTriggered(Silence())
      case .close:
        self.metrics.count(.idle)
        return context.close(promise: nil)
      }
      self.watch(context)
    }
  }

  private static var now: Int64 { Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000) }
}
