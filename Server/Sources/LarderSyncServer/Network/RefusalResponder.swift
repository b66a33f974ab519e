import NIOCore
import NIOHTTP1

/// Answers a request that begins no connection, and ends it.
final class RefusalResponder: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let metrics: ConnectionMetrics
  /// The refusal of the request that is read now; nil until its head is read.
  private var refusal: UpgradeRequest.Refusal?
  private var isAnswered = false

  /// - Parameter refusal: Why, for a request that asked for a WebSocket: its head is not handed on then.
  init(_ refusal: UpgradeRequest.Refusal?, metrics: ConnectionMetrics) {
    self.refusal = refusal
    self.metrics = metrics
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    var hasBody = true
    if case .head(let head) = part {
      refusal = UpgradeRequest.refusal(of: head)
      hasBody = head.method != .HEAD
    }
    guard !isAnswered else { return }
    isAnswered = true
    metrics.count(.request)
    let refusal =
      refusal ?? UpgradeRequest.otherVersion
    Self.answer(refusal, hasBody: hasBody, context)
  }

  /// Writes an answer, and closes the connection after it.
  static func answer(_ refusal: UpgradeRequest.Refusal, hasBody: Bool, _ context: ChannelHandlerContext) {
    let body = ByteBuffer(string: refusal.message + "\n")
    var headers = HTTPHeaders([
      ("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", "\(body.readableBytes)"),
      ("Connection", "close"),
    ])
    if refusal.status == .upgradeRequired {
      headers.replaceOrAdd(name: "Connection", value: "close, upgrade")
      headers.add(name: "Upgrade", value: "websocket")
      headers.add(name: "Sec-WebSocket-Version", value: "13")
    }
    if refusal.status == .methodNotAllowed { headers.add(name: "Allow", value: "GET") }
    let answer = HTTPResponseHead(version: .http1_1, status: refusal.status, headers: headers)
    context.write(wrapOutboundOut(.head(answer)), promise: nil)
    if hasBody { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
