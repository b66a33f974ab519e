import LarderSyncProtocol
import NIOCore
import NIOWebSocket

/// The end of a connection's pipeline: frames become messages for the session, pings are answered, and nothing is read while too many bytes of messages
/// wait. Belongs to its event loop.
final class WebSocketHandler: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// The memory that a message takes besides its bytes, so that empty ones are counted too.
  private static let messageCost = 64

  private let limits: ConnectionLimits
  private let metrics: ConnectionMetrics
  private let watch: ConnectionGuard
  private let messages: AsyncStream<[UInt8]>.Continuation
  private var assembly: MessageAssembly
  private var waitingBytes = 0
  private var holdsRead = false
  private var hasMessage = false
  private var isClosing = false
  private var isPongWaiting = false
  private var closeDeadline: Scheduled<Void>?
  private var context: ChannelHandlerContext?

  /// - Parameter messages: Where messages go; it is finished with the connection. `done` is to be called for each of them.
  init(
    _ limits: ConnectionLimits, watch: ConnectionGuard, messages: AsyncStream<[UInt8]>.Continuation,
    metrics: ConnectionMetrics
  ) {
    self.limits = limits
    self.watch = watch
    self.messages = messages
    self.metrics = metrics
    assembly = MessageAssembly(limit: limits.messageBytes)
  }

  /// The session is done with a message of so many bytes.
  func done(_ count: Int) {
    waitingBytes -= count + Self.messageCost
    if holdsRead, isOpenToMore {
      holdsRead = false
      context?.read()
    }
  }

  private var isOpenToMore: Bool { isClosing || waitingBytes < limits.waitingBytes }

  // MARK: - The pipeline

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    messages.finish()
    closeDeadline?.cancel()
    self.context = nil
  }

  func read(context: ChannelHandlerContext) {
    guard isOpenToMore else {
      holdsRead = true
      return
    }
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    guard !isClosing else {
      if frame.opcode == .connectionClose { context.close(promise: nil) }
      return
    }
    guard frame.maskKey != nil, frame.reservedBits.isEmpty else { return sendClose(context, .protocolError) }
    switch frame.opcode {
    case .ping: answer(frame, context)
    case .pong: break
    case .connectionClose:
      sendClose(context, .normalClosure)
      context.close(promise: nil)
    case .binary: take(.binary(bytes(frame), isLast: frame.fin), context)
    case .continuation: take(.continuation(bytes(frame), isLast: frame.fin), context)
    case .text: take(.text, context)
    default: sendClose(context, .protocolError)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    messages.finish()
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ConnectionGuard.Silence, !isClosing {
      write(context, .ping, ByteBuffer())
    }
    context.fireUserInboundEventTriggered(event)
  }

  func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
    guard let request = event as? CloseRequest else {
      return context.triggerUserOutboundEvent(event, promise: promise)
    }
    sendClose(context, request.code)
    promise?.succeed()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case NIOWebSocketError.invalidFrameLength, is ConnectionGuard.HandshakeTooLarge:
      sendClose(context, .messageTooLarge)
    case is NIOWebSocketError: sendClose(context, .protocolError)
    // What comes after the decoder has given up is expected.
    case is ByteToMessageDecoderError where isClosing: break
    default: context.close(promise: nil)
    }
  }

  // MARK: - Messages

  private func take(_ frame: MessageAssembly.Frame, _ context: ChannelHandlerContext) {
    do throws(MessageAssembly.Failure) {
      guard let message = try assembly.take(frame) else { return }
      if !hasMessage {
        hasMessage = true
        watch.handshakeEnded()
      }
      waitingBytes += message.count + Self.messageCost
      messages.yield(message)
    } catch {
      switch error {
      case .text: sendClose(context, .unacceptableData)
      case .order: sendClose(context, .protocolError)
      case .tooLarge: sendClose(context, .messageTooLarge)
      }
    }
  }

  private func bytes(_ frame: WebSocketFrame) -> [UInt8] { Array(frame.unmaskedData.readableBytesView) }

  /// Answers a ping, unless the answer to one before it has not left yet: a side that does not read cannot make answers pile up.
  private func answer(_ ping: WebSocketFrame, _ context: ChannelHandlerContext) {
    guard !isPongWaiting else { return }
    isPongWaiting = true
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenComplete { _ in self.isPongWaiting = false }
    write(context, .pong, ping.unmaskedData, promise: written)
  }

  /// Says that nothing more comes, and ends the session. The other side should close then; it is not waited for any longer than the limit.
  private func sendClose(_ context: ChannelHandlerContext, _ code: WebSocketErrorCode) {
    guard !isClosing else { return }
    isClosing = true
    if code != .normalClosure, code != .goingAway { metrics.count(.protocolError) }
    messages.finish()
    var data = context.channel.allocator.buffer(capacity: 2)
    data.write(webSocketErrorCode: code)
    write(context, .connectionClose, data)
    closeDeadline = context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(limits.closeMilliseconds)) {
      context.close(promise: nil)
    }
    if holdsRead {
      holdsRead = false
      context.read()
    }
  }

  private func write(
    _ context: ChannelHandlerContext, _ opcode: WebSocketOpcode, _ data: ByteBuffer,
    promise: EventLoopPromise<Void>? = nil
  ) {
    context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: promise)
  }
}
