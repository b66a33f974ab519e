import Metrics

/// The counters of the network part of a server, by the API of swift-metrics. May be used from any thread.
public struct ConnectionMetrics: Sendable {
  /// The reason why a connection ended before its time, or did not begin.
  enum Problem: String, CaseIterable, Sendable {
    case connections = "connections"
    case address = "address"
    case tls = "tls"
    case request = "request"
    case handshakeTimeout = "handshake_timeout"
    case handshakeSize = "handshake_size"
    case protocolError = "protocol"
    case idle = "idle"
  }

  let accepted: Counter
  let receivedBytes: Counter
  let sentBytes: Counter
  /// The time that sessions take to handle a message.
  let messageSeconds: Timer
  private let problems: [Problem: Counter]

  /// Counters of a factory.
  public init(factory: any MetricsFactory) {
    accepted = Counter(label: "larder_sync_accepted_connections", factory: factory)
    receivedBytes = Counter(label: "larder_sync_network_received_bytes", factory: factory)
    sentBytes = Counter(label: "larder_sync_network_sent_bytes", factory: factory)
    messageSeconds = Timer(label: "larder_sync_message_seconds", factory: factory)
    problems = Dictionary(
      uniqueKeysWithValues: Problem.allCases.map { problem in
        let dimensions = [("reason", problem.rawValue)]
        return (problem, Counter(label: "larder_sync_connection_problems", dimensions: dimensions, factory: factory))
      })
  }

  func count(_ problem: Problem) { problems[problem]?.increment() }
}
