import NIOCore
import NIOHTTP1

/// Writes the answer to a request. Each write waits until the kernel has taken it.
struct ResponseOutput: Sendable {
  let channel: any Channel
  /// True if only the head was asked for.
  let isHead: Bool
  let keepsConnection: Bool

  /// Writes a whole answer.
  ///
  /// - Throws: The error of a connection that has ended.
  func write(_ answer: StudioResponse.Answer) async throws {
    var headers = headers(answer.type)
    headers.add(name: "Content-Length", value: "\(answer.body.count)")
    write(.head(head(HTTPResponseStatus(statusCode: answer.status), headers)))
    if !isHead { write(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))) }
    try await channel.writeAndFlush(HTTPServerResponsePart.end(nil))
  }

  /// Writes events until there are no more, or the client has left.
  ///
  /// - Throws: The error of a connection that has ended.
  func write(_ stream: EventStream) async throws {
    try await channel.writeAndFlush(HTTPServerResponsePart.head(head(.ok, headers("text/event-stream"))))
    for await piece in stream.pieces {
      try await channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: piece))))
    }
    try await channel.writeAndFlush(HTTPServerResponsePart.end(nil))
  }

  private func write(_ part: HTTPServerResponsePart) { channel.write(part, promise: nil) }

  private func head(_ status: HTTPResponseStatus, _ headers: HTTPHeaders) -> HTTPResponseHead {
    HTTPResponseHead(version: .http1_1, status: status, headers: headers)
  }

  private func headers(_ type: String) -> HTTPHeaders {
    var headers = HTTPHeaders(RequestGuard.headers.map { ($0.name, $0.value) })
    headers.add(name: "Content-Type", value: type)
    if !keepsConnection { headers.add(name: "Connection", value: "close") }
    return headers
  }
}
