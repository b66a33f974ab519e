/// The status of a server for an operator's programs. May be used from any thread.
public struct ServerStatus: Sendable {
  private let store: any SyncStore
  private let hub: SyncHub
  private let registry: MetricsRegistry

  /// The status of a server, with what is measured into a registry.
  public init(store: any SyncStore, hub: SyncHub, registry: MetricsRegistry) {
    self.store = store
    self.hub = hub
    self.registry = registry
  }

  /// Returns the reason why devices cannot be served now; nil when they can. It queries the store.
  public func trouble() async -> String? {
    do {
      _ = try await store.read { try $0.tenants(after: "", limit: 1) }
      return nil
    } catch {
      return "the database does not answer: \(error)"
    }
  }

  /// Counts in the text format of Prometheus.
  public func metrics() -> String {
    let metrics = hub.metrics
    var text = PrometheusText()
    text.gauge("larder_sync_connections", "Connections of devices.", metrics.connections)
    text.gauge("larder_sync_sessions", "Sessions that were welcomed and have not ended.", metrics.sessions)
    text.counter("larder_sync_commits_total", "Commits that were acknowledged.", metrics.commits)
    text.counter("larder_sync_bootstraps_total", "Bootstraps that were sent to their ends.", metrics.bootstraps)
    text.counter("larder_sync_sent_bytes_total", "Bytes of frames that were handed to connections.", metrics.sentBytes)
    text.counter("larder_sync_received_bytes_total", "Bytes of messages that came.", metrics.receivedBytes)
    text.counter("larder_sync_failures_total", "Sessions that ended with a failure of the server.", metrics.failures)
    return text.text + registry.text
  }
}
