import Metrics

/// The configuration of the listener that devices connect to.
public struct ListenerConfiguration: Sendable {
  /// The address on which it listens.
  public var address: ListenAddress
  /// The certificate and key for TLS; nil for no TLS, which is accepted on addresses of this computer only.
  public var tls: TLSIdentity?
  /// The limits of connections.
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
