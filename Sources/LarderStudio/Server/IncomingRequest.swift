import Foundation
import NIOCore
import NIOHTTP1

/// A request that is arriving, and what it becomes for the handler.
struct IncomingRequest {
  let head: HTTPRequestHead
  private var body: [UInt8] = []
  /// Bytes of the body, with those that are not kept.
  private(set) var count = 0

  init(_ head: HTTPRequestHead) { self.head = head }

  /// True if the connection may be used for another request after this one.
  var keepsConnection: Bool { head.isKeepAlive && head.method != .CONNECT && !head.headers.contains(name: "upgrade") }

  /// True if the client waits for a word before it sends the body.
  var expectsContinue: Bool { head.headers["expect"].contains { $0.lowercased() == "100-continue" } }

  /// Adds a piece of the body. Of one that is too long nothing is kept.
  mutating func add(_ piece: ByteBuffer) {
    count += piece.readableBytes
    if count > StudioRequest.longestBody { body = [] } else { body += piece.readableBytesView }
  }

  /// The whole of it.
  var request: StudioRequest {
    let target = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = target[0].split(separator: "/").map { $0.removingPercentEncoding }
    let query = target.count > 1 ? StudioRequest.parameters(String(target[1])) : []
    var headers: [String: String] = [:]
    // One that is repeated is one with all values: a second host does not hide the first.
    for (name, value) in head.headers {
      let name = name.lowercased()
      headers[name] = headers[name].map { "\($0), \(value)" } ?? value
    }
    var result = StudioRequest(
      method: head.method.rawValue, path: path.map { $0 ?? "" }, query: query ?? [], headers: headers, body: body)
    result.isUndecodable = path.contains(nil) || query == nil
    result.isTooLong = count > StudioRequest.longestBody
    return result
  }
}
