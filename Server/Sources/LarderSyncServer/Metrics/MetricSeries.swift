import Metrics
import Synchronization

/// The numbers of one measure with its dimensions.
protocol MetricSeries: AnyObject, Sendable {
  /// The name of the kind in Prometheus.
  var type: String { get }
  /// The suffix of its names.
  var suffix: String { get }
  func write(_ name: String, _ labels: [(String, String)], into text: inout PrometheusText)
}

/// A number that only grows.
final class CounterSeries: MetricSeries, CounterHandler {
  private let value = Atomic<Int64>(0)

  let type = "counter"
  let suffix = "_total"

  func increment(by amount: Int64) { value.wrappingAdd(amount, ordering: .relaxed) }

  func reset() { value.store(0, ordering: .relaxed) }

  func write(_ name: String, _ labels: [(String, String)], into text: inout PrometheusText) {
    text.sample(name, labels, "\(value.load(ordering: .relaxed))")
  }
}

/// A number as it was last.
final class GaugeSeries: MetricSeries, RecorderHandler {
  private let value = Mutex(0.0)

  let type = "gauge"
  let suffix = ""

  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) { self.value.withLock { $0 = value } }

  func write(_ name: String, _ labels: [(String, String)], into text: inout PrometheusText) {
    text.sample(name, labels, "\(value.withLock { $0 })")
  }
}

/// A histogram: for each of some limits, the count of the numbers that were not above it.
final class HistogramSeries: MetricSeries, RecorderHandler, TimerHandler {
  private struct State {
    var counts: [UInt64]
    var count: UInt64 = 0
    var sum = 0.0
  }

  private let limits: [Double]
  private let state: Mutex<State>

  let type = "histogram"
  let suffix = ""

  /// - Parameter limits: ascending.
  init(_ limits: [Double]) {
    self.limits = limits
    state = Mutex(State(counts: Array(repeating: 0, count: limits.count)))
  }

  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    state.withLock { state in
      if let bucket = limits.firstIndex(where: { value <= $0 }) { state.counts[bucket] += 1 }
      state.count += 1
      state.sum += value
    }
  }

  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

  func write(_ name: String, _ labels: [(String, String)], into text: inout PrometheusText) {
    let state = state.withLock { $0 }
    var sum: UInt64 = 0
    for (limit, count) in zip(limits, state.counts) {
      sum += count
      text.sample(name + "_bucket", labels + [("le", "\(limit)")], "\(sum)")
    }
    text.sample(name + "_bucket", labels + [("le", "+Inf")], "\(state.count)")
    text.sample(name + "_sum", labels, "\(state.sum)")
    text.sample(name + "_count", labels, "\(state.count)")
  }
}
