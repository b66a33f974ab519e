import NIOCore
import NIOHTTP1

/// Answers a request that begins no connection, and ends it.
final class RefusalResponder: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let metrics: ConnectionMetrics

  init(metrics: ConnectionMetrics) { self.metrics = metrics }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let head) = unwrapInboundIn(data) else { return }
    metrics.count(.request)
    let refusal =
      UpgradeRequest.refusal(of: head)
      ?? UpgradeRequest.Refusal(status: .badRequest, message: "The request cannot be answered.")
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
    if head.method != .HEAD { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
