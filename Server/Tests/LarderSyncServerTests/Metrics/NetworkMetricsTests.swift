import Metrics
import Testing

@testable import LarderSyncServer

/// The measures of the network, as Prometheus reads them.
@Suite struct NetworkMetricsTests {
  @Test("a server is well while its store answers, and says so no longer when it does not")
  func health() async throws {
    let fixture = try await HubFixture(.memory)
    let store = fixture.stores[0].store
    let status = ServerStatus(store: store, hub: fixture.hubs[0], registry: MetricsRegistry())
    #expect(await status.trouble() == nil)
    store.abandon()
    #expect(await status.trouble()?.hasPrefix("the database does not answer: ") == true)
    await fixture.end()
  }

  @Test("counters of one name and equal labels are one, and others have lines of their own under one type")
  func counters() {
    let registry = MetricsRegistry()
    for reason in ["b", "a", "b"] {
      Counter(label: "problems", dimensions: [("reason", reason)], factory: registry).increment(by: 2)
    }
    #expect(
      registry.text == """
        # TYPE problems_total counter
        problems_total{reason="a"} 2
        problems_total{reason="b"} 4

        """)
  }

  @Test("times are in seconds, in buckets each of which has those before it")
  func timers() {
    let registry = MetricsRegistry()
    let timer = Timer(label: "merge_seconds", factory: registry)
    timer.recordMilliseconds(1)
    timer.recordMilliseconds(30)
    timer.recordSeconds(60)
    let lines = registry.text.split(separator: "\n")
    #expect(lines.first == "# TYPE merge_seconds histogram")
    #expect(lines.contains("merge_seconds_bucket{le=\"0.001\"} 1"))
    #expect(lines.contains("merge_seconds_bucket{le=\"0.05\"} 2"))
    #expect(lines.contains("merge_seconds_bucket{le=\"10.0\"} 2"))
    #expect(lines.contains("merge_seconds_bucket{le=\"+Inf\"} 3"))
    #expect(lines.contains("merge_seconds_count 3"))
  }

  @Test("gauges have their last value, names only what Prometheus takes, and labels are escaped")
  func gauges() {
    let registry = MetricsRegistry()
    let gauge = Gauge(label: "9 live-sessions", dimensions: [("the tenant", "a\"b\\c\n")], factory: registry)
    gauge.record(1)
    gauge.record(2.5)
    #expect(registry.text.contains("_9_live_sessions{the_tenant=\"a\\\"b\\\\c\\n\"} 2.5\n"))
  }

  @Test("a measure that is destroyed is not shown any more")
  func destroyed() {
    let registry = MetricsRegistry()
    let counter = Counter(label: "one", factory: registry)
    counter.increment()
    counter.destroy()
    #expect(registry.text.isEmpty)
  }
}
