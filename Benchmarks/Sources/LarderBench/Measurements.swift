/// The figure of every round of every workload and peer.
struct Measurements {
  /// One line of the report: nanoseconds for each unit, or bytes for the rows of `Workload.byteRows`.
  ///
  /// Lines that were saved without processor time can be read.
  struct Line: Codable {
    var workload: String
    var peer: String
    var n: Int
    var median: Double
    var min: Double
    var max: Double
    /// Median of the processor time of all threads, in nanoseconds for each unit; nil for bytes.
    var processor: Double?
    var processorMin: Double?
    var processorMax: Double?
    /// The most memory in use above what was before, in bytes; nil where it was not looked at.
    var memory: Double?
  }

  private struct Sample {
    var value: Double
    var processor: Double?
    var memory: Double?
  }

  private var samples: [String: [String: [Sample]]] = [:]

  mutating func add(_ workload: String, _ peer: String, _ spent: Spent, units: Int, memory: Double? = nil) {
    let sample = Sample(
      value: spent.wall / Double(units), processor: spent.processor / Double(units), memory: memory)
    samples[workload, default: [:]][peer, default: []].append(sample)
  }

  mutating func add(_ workload: String, _ peer: String, bytes: Double) {
    samples[workload, default: [:]][peer, default: []].append(Sample(value: bytes))
  }

  func lines(count: Int, peers: [String]) -> [Line] {
    Workload.reportOrder.flatMap { workload in
      peers.compactMap { peer in
        guard let samples = samples[workload]?[peer], let value = Self.range(samples.map(\.value)) else { return nil }
        let processor = Self.range(samples.compactMap(\.processor))
        return Line(
          workload: workload, peer: peer, n: count, median: value.median, min: value.min, max: value.max,
          processor: processor?.median, processorMin: processor?.min, processorMax: processor?.max,
          memory: samples.compactMap(\.memory).max())
      }
    }
  }

  private static func range(_ values: [Double]) -> (median: Double, min: Double, max: Double)? {
    let values = values.sorted()
    guard let least = values.first, let most = values.last else { return nil }
    let middle = values.count / 2
    let median = values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
    return (median, least, most)
  }
}
