import FlyingFox
import FlyingSocks
import Foundation
import LarderLocks

/// Requests as the handler knows them, and its responses as the server does.
struct HandlerAdapter: HTTPHandler {
  let handler: any Handler

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    response(await answer(try await translated(request)))
  }

  /// Answers read the store and may take long: not on the threads that serve sockets.
  private func answer(_ request: StudioRequest) async -> StudioResponse {
    await withCheckedContinuation { continuation in
      let waiting = Lock<CheckedContinuation<StudioResponse, Never>?>(continuation)
      @Sendable func give(_ response: StudioResponse) {
        waiting.withLock { waiting in
          defer { waiting = nil }
          return waiting
        }?.resume(returning: response)
      }
      Self.queue.async { give(handler.respond(to: request)) }
      Self.queue.asyncAfter(deadline: .now() + Self.patience) { give(Self.late) }
    }
  }

  private static let queue = DispatchQueue(label: "larder.studio", attributes: .concurrent)
  /// Seconds after which a page gets no answer.
  private static let patience = 10.0
  private static let late = ErrorAnswer.response(
    RequestFault("The question takes more than 10 seconds; ask for less.", status: 503, kind: "timeout"))

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
    for try await piece in request.bodySequence {
      result.body += piece
      guard result.body.count <= StudioRequest.longestBody else {
        result.isTooLong = true
        result.body = []
        break
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
