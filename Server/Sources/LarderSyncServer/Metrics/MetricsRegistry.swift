import Metrics
import Synchronization

/// Collects what is measured by the API of swift-metrics, for one page in the text format of Prometheus. Measures of one name and equal dimensions
/// are one. May be used from any thread.
public final class MetricsRegistry: MetricsFactory {
  private struct Key: Hashable {
    let label: String
    let dimensions: [String]

    init(_ label: String, _ dimensions: [(String, String)]) {
      self.label = label
      self.dimensions = dimensions.flatMap { [$0.0, $0.1] }
    }
  }

  private struct Entry {
    let dimensions: [(String, String)]
    let series: any MetricSeries
  }

  /// Limits of the buckets of times, in seconds.
  static let seconds = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  /// Limits of the buckets of sizes.
  static let sizes: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576]

  private let entries = Mutex<[Key: Entry]>([:])

  /// A registry without measures.
  public init() {}

  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    make(label, dimensions) { CounterSeries() }
  }

  public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    if aggregate { return make(label, dimensions) { HistogramSeries(Self.sizes) } }
    return make(label, dimensions) { GaugeSeries() }
  }

  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    make(label, dimensions) { HistogramSeries(Self.seconds) }
  }

  public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }

  public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }

  public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

  /// All measures as they are now, by name.
  public var text: String {
    let sorted = entries.withLock { entries in
      entries.sorted { ($0.key.label, $0.key.dimensions.joined()) < ($1.key.label, $1.key.dimensions.joined()) }
    }
    var text = PrometheusText()
    var last: String?
    for (key, entry) in sorted {
      let name = key.label + entry.series.suffix
      if name != last { text.type(name, entry.series.type) }
      last = name
      entry.series.write(name, entry.dimensions, into: &text)
    }
    return text.text
  }

  /// The series of a name. One of another kind that has the name keeps it, and the new one is not shown.
  private func make<Series: MetricSeries>(
    _ label: String, _ dimensions: [(String, String)], _ series: () -> Series
  ) -> Series {
    entries.withLock { entries in
      let key = Key(label, dimensions)
      if let found = entries[key] { return found.series as? Series ?? series() }
      let new = series()
      entries[key] = Entry(dimensions: dimensions, series: new)
      return new
    }
  }

  private func remove(_ handler: AnyObject) {
    entries.withLock { entries in entries = entries.filter { $0.value.series !== handler } }
  }
}
