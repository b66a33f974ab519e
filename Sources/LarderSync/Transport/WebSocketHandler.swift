#if Sync
  import LarderSyncProtocol
  import NIOCore
  import NIOWebSocket

  /// The end of a connection's pipeline: frames become messages, pings are answered, and reading stops while messages wait.
  ///
  /// Belongs to its event loop.
  final class WebSocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// More than any frame that a server sends, so that its own limits are what counts.
    static let messageLimit = 32 << 20

    private var assembly = MessageAssembly(limit: messageLimit)
    private var queue = MessageQueue<EventLoopPromise<[UInt8]?>>(capacity: 1 << 20)
    private var failure: TransportError?
    private var hasSentClose = false

    /// The next message; nil when the connection has ended.
    func next(_ context: ChannelHandlerContext) -> EventLoopFuture<[UInt8]?> {
      let promise = context.eventLoop.makePromise(of: [UInt8]?.self)
      switch queue.next(promise) {
      case .message(let message): promise.succeed(message)
      case .ended: answerEnd(promise)
      case .busy: promise.fail(TransportError.unreachable("two tasks receive from one connection"))
      case .waits: break
      }
      if queue.wantsMore { context.read() }
      return promise.futureResult
    }

    /// Says that nothing more will be sent. The other side answers, and the connection ends.
    func sendClose(_ context: ChannelHandlerContext, _ code: WebSocketErrorCode) {
      guard !hasSentClose else { return }
      hasSentClose = true
      var data = context.channel.allocator.buffer(capacity: 2)
      data.write(webSocketErrorCode: code)
      write(context, .connectionClose, data)
    }

    func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { context.read() } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let frame = unwrapInboundIn(data)
      switch frame.opcode {
      case .ping: write(context, .pong, frame.unmaskedData)
      case .pong: break
      case .connectionClose:
        sendClose(context, .normalClosure)
        context.close(promise: nil)
      case .binary: take(.binary(bytes(frame), isLast: frame.fin), context)
      case .continuation: take(.continuation(bytes(frame), isLast: frame.fin), context)
      default: take(.text, context)
      }
    }

    func channelReadComplete(context: ChannelHandlerContext) { if queue.wantsMore { context.read() } }

    func channelInactive(context: ChannelHandlerContext) {
      if let waiter = queue.end() { answerEnd(waiter) }
      context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      end(context, NIOTransport.translated(error))
    }

    private func take(_ frame: MessageAssembly.Frame, _ context: ChannelHandlerContext) {
      do throws(MessageAssembly.Failure) {
        guard let message = try assembly.take(frame) else { return }
        queue.append(message)?.succeed(message)
      } catch {
        switch error {
        case .text: sendClose(context, .unacceptableData)
        case .order: sendClose(context, .protocolError)
        case .tooLarge: sendClose(context, .messageTooLarge)
        }
        end(context, .unreachable("the server sent what is no message of synchronisation (\(error))"))
      }
    }

    private func end(_ context: ChannelHandlerContext, _ error: TransportError) {
      if failure == nil { failure = error }
      context.close(promise: nil)
    }

    private func answerEnd(_ promise: EventLoopPromise<[UInt8]?>) {
      if let failure { promise.fail(failure) } else { promise.succeed(nil) }
    }

    private func bytes(_ frame: WebSocketFrame) -> [UInt8] { Array(frame.unmaskedData.readableBytesView) }

    private func write(_ context: ChannelHandlerContext, _ opcode: WebSocketOpcode, _ data: ByteBuffer) {
      let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
      context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }
  }
#endif
