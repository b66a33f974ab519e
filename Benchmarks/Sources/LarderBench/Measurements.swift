/// What was measured: every round's figure of every workload and peer.
struct Measurements {
  /// One line of the report.
  struct Line: Codable {
    var workload: String
    var peer: String
    var n: Int
    var median: Double
    var min: Double
    var max: Double
  }

  private var samples: [String: [String: [Double]]] = [:]

  mutating func add(_ workload: String, _ peer: String, _ value: Double) {
    samples[workload, default: [:]][peer, default: []].append(value)
  }

  func lines(count: Int, peers: [String]) -> [Line] {
    Workload.reportOrder.flatMap { workload in
      peers.compactMap { peer in
        guard let values = samples[workload]?[peer]?.sorted(), let least = values.first, let most = values.last
        else { return nil }
        let middle = values.count / 2
        let median = values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
        return Line(workload: workload, peer: peer, n: count, median: median, min: least, max: most)
      }
    }
  }
}
