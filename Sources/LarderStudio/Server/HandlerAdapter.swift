import FlyingFox
import FlyingSocks
import Foundation
import LarderLocks

/// Requests as the handler knows them, and its responses as the server does.
struct HandlerAdapter: HTTPHandler {
  let handler: any Handler
  /// Seconds after which a question is stopped.
  var patience = ErrorAnswer.patience

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    response(await answer(try await translated(request), for: WaitingClient(request.remoteAddress)))
  }

  /// Answers read the store and may take long: not on the threads that serve sockets.
  ///
  /// - Parameter client: Who waits; a question is stopped when it has left.
  func answer(_ request: StudioRequest, for client: WaitingClient? = nil) async -> StudioResponse {
    // It must not wait for the threads of those that it ends.
    guard !request.endsOthers else { return handler.respond(to: request) }
    return await withCheckedContinuation { continuation in
      let waiting = Lock<CheckedContinuation<StudioResponse, Never>?>(continuation)
      @Sendable func give(_ response: StudioResponse) {
        waiting.withLock { waiting in
          defer { waiting = nil }
          return waiting
        }?.resume(returning: response)
      }
      let interruption = Interruption()
      Self.queue.async { give(Interruption.$current.withValue(interruption) { handler.respond(to: request) }) }
      // What is being committed is answered with what it comes to.
      Self.clock.asyncAfter(deadline: .now() + patience) { [weak interruption] in
        if interruption?.stop() ?? false { give(ErrorAnswer.response(ErrorAnswer.late)) }
      }
      // What changes the store is done, whether its answer is waited for or not.
      guard let client, request.isQuestion else { return }
      Self.look(after: client, interruption) { give(ErrorAnswer.response(RunningQuestions.unwanted)) }
    }
  }

  /// Looks from time to time whether a client is still there, and stops the question when it is not.
  private static func look(
    after client: WaitingClient, _ interruption: Interruption, whenLeft: @escaping @Sendable () -> Void
  ) {
    clock.asyncAfter(deadline: .now() + pace) { [weak interruption] in
      guard let interruption else { return }
      guard client.hasLeft else { return look(after: client, interruption, whenLeft: whenLeft) }
      interruption.stop()
      whenLeft()
    }
  }

  private static let queue = DispatchQueue(label: "larder.studio", attributes: .concurrent)
  /// Of another quality: questions may take all threads of theirs.
  private static let clock = DispatchQueue(label: "larder.studio.clock", qos: .userInteractive)
  /// Seconds between two looks.
  private static let pace = 0.25
  /// Bytes of a body that is too long that are still read: a browser takes no answer before it has sent all. Then the connection ends.
  private static let longestDrain = 64_000_000

  private func translated(_ request: HTTPRequest) async throws -> StudioRequest {
    let target = request.target
    let parts = target.path(percentEncoded: true).split(separator: "/").map {
      $0.removingPercentEncoding ?? String($0)
    }
    let pairs = target.query(percentEncoded: true).split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.replacing("+", with: "%20").removingPercentEncoding ?? ""
      }
      return (name: sides[0], value: sides.count > 1 ? sides[1] : "")
    }
    var headers: [String: String] = [:]
    for (name, value) in request.headers { headers[name.rawValue.lowercased()] = value }
    var result = StudioRequest(method: request.method.rawValue, path: parts, query: pairs, headers: headers)
    var count = 0
    for try await piece in request.bodySequence {
      count += piece.count
      if count > StudioRequest.longestBody {
        result.isTooLong = true
        result.body = []
        guard count <= Self.longestDrain else { break }
      } else {
        result.body += piece
      }
    }
    return result
  }

  private func response(_ response: StudioResponse) -> HTTPResponse {
    var headers = HTTPHeaders()
    for (name, value) in RequestGuard.headers { headers[HTTPHeader(name)] = value }
    switch response {
    case .whole(let answer):
      headers[.contentType] = answer.type
      for (name, value) in answer.headers { headers[HTTPHeader(name)] = value }
      return HTTPResponse(
        statusCode: HTTPStatusCode(answer.status, phrase: "\(answer.status)"), headers: headers, body: Data(answer.body)
      )
    case .events(let stream):
      headers[.contentType] = "text/event-stream"
      return HTTPResponse(statusCode: .ok, headers: headers, body: HTTPBodySequence(from: EventBytes(stream: stream)))
    }
  }
}
