import NIOCore

/// The origin of a connection by its address, by which connections are counted. A value.
struct NetworkAddress: Hashable, Sendable {
  private let bytes: [UInt8]

  /// Of an address of IPv4, or one of IPv6 without its last 64 bits, which a single user may choose.
  init(_ bytes: [UInt8]) {
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    if bytes.count == 16 {
      self.bytes = bytes.starts(with: mapped) ? Array(bytes[12...]) : Array(bytes[..<8])
    } else {
      self.bytes = bytes
    }
  }

  /// Connections of other kinds of sockets all have the same one.
  init(_ address: SocketAddress?) { self.init(address?.packedBytes ?? []) }
}

extension SocketAddress {
  /// The bytes of an address of IPv4 or IPv6; nil for others.
  var packedBytes: [UInt8]? {
    guard let text = ipAddress else { return nil }
    switch self {
    case .v4: return text.split(separator: ".").compactMap { UInt8($0) }
    case .v6: return IPv6Text(text)?.bytes
    case .unixDomainSocket: return nil
    }
  }
}

/// An address of IPv6 as the system writes it.
struct IPv6Text {
  let bytes: [UInt8]

  /// Nil for text that is no such address.
  init?(_ text: String) {
    let address = text.split(separator: "%", maxSplits: 1).first.map(String.init) ?? text
    var halves: [[UInt8]] = []
    for half in address.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false) {
      guard let bytes = Self.bytes(half) else { return nil }
      halves.append(bytes)
    }
    let count = halves.reduce(0) { $0 + $1.count }
    guard halves.count == 2 ? count <= 14 : count == 16 else { return nil }
    bytes = halves[0] + Array(repeating: 0, count: 16 - count) + (halves.count == 2 ? halves[1] : [])
  }

  private static func bytes(_ half: Substring) -> [UInt8]? {
    guard !half.isEmpty else { return [] }
    var bytes: [UInt8] = []
    for group in half.split(separator: ":", omittingEmptySubsequences: false) {
      if group.contains(".") {
        let numbers = group.split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }
        guard numbers.count == 4 else { return nil }
        bytes += numbers
      } else {
        guard group.count <= 4, let number = UInt16(group, radix: 16) else { return nil }
        bytes += [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
      }
    }
    return bytes
  }
}
