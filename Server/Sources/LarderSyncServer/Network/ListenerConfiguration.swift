import Metrics

/// How devices reach a server.
public struct ListenerConfiguration: Sendable {
  /// Where it listens.
  public var address: ListenAddress
  /// What TLS is done with; nil for none, which is accepted on addresses of this computer only.
  public var tls: TLSIdentity?
  /// What connections may take.
  public var limits: ConnectionLimits
  /// Counts what happens to connections.
  public var metrics: ConnectionMetrics

  /// A configuration with the usual limits; without `metrics` nothing is counted.
  public init(
    address: ListenAddress, tls: TLSIdentity? = nil, limits: ConnectionLimits = ConnectionLimits(),
    metrics: ConnectionMetrics = ConnectionMetrics(factory: NOOPMetricsHandler.instance)
  ) {
    self.address = address
    self.tls = tls
    self.limits = limits
    self.metrics = metrics
  }
}
