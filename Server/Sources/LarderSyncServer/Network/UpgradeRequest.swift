import Foundation
import NIOHTTP1

/// The check of a request that begins a connection of synchronisation. A value without sockets.
enum UpgradeRequest {
  /// The answer to a request that does not.
  struct Refusal: Sendable {
    let status: HTTPResponseStatus
    let message: String
  }

  /// The answer to a request for another version of WebSocket than there is.
  static let otherVersion = Refusal(status: .upgradeRequired, message: "The version of WebSocket has to be 13.")

  /// The path that devices connect to.
  static let path = "/larder/sync/1"
  /// The subprotocol that devices have to speak.
  static let subprotocol = "larder-sync.1"

  /// Returns the refusal of a request; nil for one that is accepted.
  static func refusal(of head: HTTPRequestHead) -> Refusal? {
    guard head.uri.prefix(while: { $0 != "?" }) == path else {
      return Refusal(status: .notFound, message: "There is nothing here. Devices connect to \(path).")
    }
    guard head.method == .GET else {
      return Refusal(status: .methodNotAllowed, message: "Devices connect with GET.")
    }
    guard head.version == .http1_1, list("Upgrade", head).contains("websocket"),
      list("Connection", head).contains("upgrade")
    else {
      return Refusal(status: .upgradeRequired, message: "Devices connect by WebSocket.")
    }
    guard list("Sec-WebSocket-Version", head) == ["13"] else {
      return otherVersion
    }
    let keys = head.headers["Sec-WebSocket-Key"]
    guard keys.count == 1, Data(base64Encoded: keys[0])?.count == 16 else {
      return Refusal(status: .badRequest, message: "The key of WebSocket is not 16 bytes in Base64.")
    }
    guard head.headers[canonicalForm: "Sec-WebSocket-Protocol"].contains(where: { $0 == subprotocol }) else {
      return Refusal(status: .badRequest, message: "The subprotocol has to be \(subprotocol).")
    }
    return nil
  }

  private static func list(_ name: String, _ head: HTTPRequestHead) -> [String] {
    head.headers[canonicalForm: name].map { $0.lowercased() }
  }
}
