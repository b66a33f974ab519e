/// The number of connections, in all and of each address. A value.
struct ConnectionCounts: Sendable {
  /// The reason why a connection is not accepted.
  enum Refusal: String, Hashable, Sendable {
    case connections = "too many connections"
    case address = "too many connections of one address"
  }

  private let limit: Int
  private let limitPerAddress: Int
  private(set) var total = 0
  private var byAddress: [NetworkAddress: Int] = [:]

  init(_ limits: ConnectionLimits) {
    limit = limits.connections
    limitPerAddress = limits.connectionsPerAddress == 0 ? .max : limits.connectionsPerAddress
  }

  /// Counts a connection, unless that is one too many.
  mutating func admit(_ address: NetworkAddress) -> Refusal? {
    guard total < limit else { return .connections }
    guard byAddress[address, default: 0] < limitPerAddress else { return .address }
    total += 1
    byAddress[address, default: 0] += 1
    return nil
  }

  /// A connection that was counted has ended.
  mutating func release(_ address: NetworkAddress) {
    guard let count = byAddress[address] else { return }
    total -= 1
    byAddress[address] = count == 1 ? nil : count - 1
  }
}
