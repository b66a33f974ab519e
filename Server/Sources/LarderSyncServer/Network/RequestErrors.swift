import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Closes a connection whose bytes are no request of HTTP, which was answered before, and answers requests for a WebSocket that cannot be one.
/// Removed when the connection has become a WebSocket.
final class RequestErrors: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  typealias InboundIn = HTTPServerRequestPart

  typealias Reason = NIOLoopBoundBox<UpgradeRequest.Refusal?>

  static let name = "request errors"
  private let refusal: Reason

  /// - Parameter refusal: Why the request is refused that is read; nil when it is not, or not by this server.
  init(_ refusal: Reason) { self.refusal = refusal }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case is NIOWebSocketUpgradeError:
      RefusalResponder.answer(refusal.value ?? UpgradeRequest.otherVersion, hasBody: true, context)
    default: context.close(promise: nil)
    }
  }
}
