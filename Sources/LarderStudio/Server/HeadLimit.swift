import NIOCore

/// The limit of the bytes that a request may have before its body. Stands before the parser, so that nothing longer is parsed.
///
/// The parser is given pieces, and `notePart` says that one of them ended a part of a request. Where none did after `most` bytes, the rest of
/// the connection is read to nothing, and `HeadTooLong` says so to the handlers after it.
final class HeadLimit: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// A request whose line or headers are too long.
  struct HeadTooLong: Sendable {
    /// True if its first line alone is.
    let isLine: Bool
  }

  /// Bytes of the line and the headers of a request at most.
  static let most = 16_384
  /// Bytes after a refusal that are read to nothing.
  private static let longestDrain = 64_000_000

  /// Bytes since the last part.
  private var count = 0
  private var hasLine = false
  private var drained: Int?

  /// Says that the parser has made a part of what it was given.
  func notePart() { (count, hasLine) = (0, false) }

  /// Lets nothing more come to the parser: a client takes the word that it is refused only when it has sent all.
  func drain() { drained = drained ?? 0 }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var buffer = unwrapInboundIn(data)
    while drained == nil, let piece = buffer.readSlice(length: min(buffer.readableBytes, Self.most - count)),
      piece.readableBytes > 0
    {
      count += piece.readableBytes
      hasLine = hasLine || piece.readableBytesView.contains(UInt8(ascii: "\n"))
      context.fireChannelRead(wrapInboundOut(piece))
      guard count >= Self.most else { continue }
      drain()
      context.fireUserInboundEventTriggered(HeadTooLong(isLine: !hasLine))
    }
    guard let before = drained else { return }
    drained = before + buffer.readableBytes
    if before + buffer.readableBytes > Self.longestDrain { context.close(promise: nil) }
  }
}
