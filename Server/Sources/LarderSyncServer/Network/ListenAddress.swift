/// The address on which a listener waits for connections: a host by name or number, and a port.
public struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
  /// The host.
  public let host: String
  /// The port; 0 for any that is free.
  public let port: Int

  /// An address.
  public init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// `host:port`, `[v6]:port` or a port of this computer alone; nil for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let last = parts.last, let port = Int(last), (0...65_535).contains(port) else { return nil }
    var host = parts.dropLast().joined(separator: ":")
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
    } else if host.contains(":") {
      return nil
    }
    self.init(host: host.isEmpty ? "127.0.0.1" : host, port: port)
  }

  /// True if only programs of this computer reach it.
  public var isLoopback: Bool {
    if host.lowercased() == "localhost" || host == "::1" { return true }
    // A name may begin with digits too, and lead elsewhere.
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
  }

  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
