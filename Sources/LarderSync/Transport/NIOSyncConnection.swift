#if Sync
  import NIOCore
  import NIOWebSocket

  /// A connection by SwiftNIO.
  struct NIOSyncConnection: SyncConnection {
    let channel: any Channel
    private let handler: NIOLoopBound<(WebSocketHandler, ChannelHandlerContext)>

    /// To be made on the channel's event loop, with the handler in its pipeline.
    init(channel: any Channel, handler: WebSocketHandler) throws {
      self.channel = channel
      let context = try channel.pipeline.syncOperations.context(handler: handler)
      self.handler = NIOLoopBound((handler, context), eventLoop: channel.eventLoop)
    }

    func send(_ bytes: [UInt8]) async throws {
      let frame = WebSocketFrame(fin: true, opcode: .binary, maskKey: .random(), data: ByteBuffer(bytes: bytes))
      do {
        try await channel.writeAndFlush(frame)
      } catch {
        throw NIOTransport.translated(error)
      }
    }

    func receive() async throws -> [UInt8]? {
      try await withTaskCancellationHandler {
        try await channel.eventLoop.flatSubmit { [handler] in
          let (handler, context) = handler.value
          return handler.next(context)
        }.get()
      } onCancel: {
        channel.close(promise: nil)
      }
    }

    func close() async {
      let channel = channel
      channel.eventLoop.execute { [handler] in
        let (handler, context) = handler.value
        if channel.isActive { handler.sendClose(context, .normalClosure) }
      }
      // A server that does not answer does not keep the connection.
      let end = channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
      try? await channel.closeFuture.get()
      end.cancel()
    }
  }
#endif
