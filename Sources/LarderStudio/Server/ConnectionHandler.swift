import LarderLocks
import NIOCore
import NIOHTTP1

/// Answers the requests of a connection, one after the other, on the event loop of the connection.
///
/// Reads on while it answers: only so it hears that the client has left.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart

  /// The end of an answer, told from its task.
  private struct Answered: Sendable {
    let keepsConnection: Bool
  }

  private let answering: Answering
  private let limit: HeadLimit
  private let connections: OpenConnections
  private var incoming: IncomingRequest?
  /// Parts that came while an earlier request was answered.
  private var early: [HTTPServerRequestPart] = []
  private var work: Task<Void, Never>?
  private var isRefusing = false
  private var patience: Scheduled<Void>?

  /// Time for a request to arrive.
  private static let patience = TimeAmount.seconds(60)
  /// Time for a client to take the word that it is refused.
  private static let farewell = TimeAmount.seconds(10)
  private static let mostEarly = 64
  /// Bytes of a body that is too long that are still read: a browser takes no answer before it has sent all. Then the connection ends.
  private static let longestDrain = 64_000_000

  init(_ answering: Answering, _ limit: HeadLimit, _ connections: OpenConnections) {
    (self.answering, self.limit, self.connections) = (answering, limit, connections)
  }

  func channelActive(context: ChannelHandlerContext) {
    wait(Self.patience, context.channel)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    patience?.cancel()
    work?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    limit.notePart()
    let part = unwrapInboundIn(data)
    guard !isRefusing else { return }
    guard work == nil else {
      early.append(part)
      // No client that is honest sends so much before it has an answer.
      if early.count > Self.mostEarly { context.close(promise: nil) }
      return
    }
    take(part, context.channel)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case let event as HeadLimit.HeadTooLong: refuse(event.isLine ? .line : .headers, context.channel)
    case let event as Answered: next(event, context.channel)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case HTTPParserError.headerOverflow: refuse(.headers, context.channel)
    case is HTTPParserError: refuse(.malformed, context.channel)
    // What comes after a fault is none of its own.
    default: if !isRefusing { context.close(promise: nil) }
    }
  }

  // MARK: - Requests

  private func take(_ part: HTTPServerRequestPart, _ channel: any Channel) {
    switch part {
    case .head(let head):
      let request = IncomingRequest(head)
      incoming = request
      if request.expectsContinue {
        channel.writeAndFlush(
          HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: .continue)), promise: nil)
      }
    case .body(let piece):
      incoming?.add(piece)
      if let count = incoming?.count, count > Self.longestDrain { refuse(.body, channel) }
    case .end:
      guard let request = incoming else { return }
      incoming = nil
      patience?.cancel()
      begin(request, channel)
    }
  }

  private func begin(_ incoming: IncomingRequest, _ channel: any Channel) {
    let (answering, connections) = (answering, connections)
    let (request, keepsConnection) = (incoming.request, incoming.keepsConnection)
    connections.mark(channel, isBusy: true)
    work = Task {
      let response = await answering.answer(request)
      let output = ResponseOutput(channel: channel, isHead: request.method == "HEAD", keepsConnection: keepsConnection)
      switch response {
      case .whole(let answer):
        // Who does not take an answer may be closed for others.
        connections.mark(channel, isBusy: false)
        try? await output.write(answer)
      case .events(let stream): try? await output.write(stream)
      }
      channel.pipeline.fireUserInboundEventTriggered(Answered(keepsConnection: keepsConnection))
    }
  }

  private func next(_ event: Answered, _ channel: any Channel) {
    work = nil
    guard event.keepsConnection, !isRefusing else {
      if !isRefusing { channel.close(promise: nil) }
      return
    }
    connections.mark(channel, isBusy: false)
    wait(Self.patience, channel)
    let parts = early
    early = []
    for (at, part) in parts.enumerated() {
      guard work == nil else {
        early = Array(parts[at...])
        return
      }
      take(part, channel)
    }
  }

  // MARK: - Refusals

  private func refuse(_ refusal: Refusal, _ channel: any Channel) {
    guard !isRefusing else { return }
    isRefusing = true
    limit.drain()
    (incoming, early) = (nil, [])
    connections.mark(channel, isBusy: false)
    wait(Self.farewell, channel)
    let output = ResponseOutput(channel: channel, isHead: false, keepsConnection: false)
    let before = work
    Task {
      // What was asked before is answered before.
      await before?.value
      if case .whole(let answer) = ErrorAnswer.response(refusal.fault) { try? await output.write(answer) }
      // The client may still be sending: the word arrives only if what it sends is read.
      try? await channel.close(mode: .output)
    }
  }

  private func wait(_ time: TimeAmount, _ channel: any Channel) {
    patience?.cancel()
    patience = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }
}
