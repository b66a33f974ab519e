import Foundation

/// An address of a server, in the parts that a connection needs.
struct EndpointAddress: Hashable, Sendable {
  let isEncrypted: Bool
  let host: String
  let port: Int
  /// Path and query.
  let target: String

  /// - Throws: `TransportError.address` for what is no address of a server.
  init(_ url: String) throws(TransportError) {
    guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased() else {
      throw .address("'\(url)' is no URL; it has to be like wss://example.org/larder/sync/1")
    }
    guard scheme == "ws" || scheme == "wss" else {
      throw .address("'\(url)' has the scheme '\(scheme)'; it has to be ws or wss")
    }
    guard let host = parts.host, !host.isEmpty else { throw .address("'\(url)' names no host") }
    guard (1...65_535).contains(parts.port ?? 80) else {
      throw .address("'\(url)' has the port \(parts.port ?? 0); ports are 1 to 65535")
    }
    isEncrypted = scheme == "wss"
    // Brackets belong to the URL, not to the address.
    self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    port = parts.port ?? (isEncrypted ? 443 : 80)
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    target = parts.percentEncodedQuery.map { "\(path)?\($0)" } ?? path
  }

  /// True if the host is this computer, whatever the resolver says.
  var isLoopback: Bool {
    if host.lowercased() == "localhost" || host == "::1" { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
  }

  /// True if the host is an address and not a name.
  var isNumeric: Bool {
    if host.contains(":") { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
  }

  /// The host as the request names it.
  var hostHeader: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isEncrypted ? 443 : 80) ? name : "\(name):\(port)"
  }
}
