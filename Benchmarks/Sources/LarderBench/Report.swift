import Foundation

/// The table on the terminal and the file of figures.
struct Report {
  let lines: [Measurements.Line]
  let peers: [String]

  /// Medians with their range, and how many times faster Larder is than each peer (above 1: Larder is faster; for
  /// bytes, smaller).
  func markdown() -> String {
    let others = peers.filter { $0 != "larder" }
    let showsRatios = peers.contains("larder")
    var header = ["workload"] + peers.map { "\($0) (min-max)" }
    if showsRatios { header += others.map { "larder vs \($0)" } }
    var rows = [header, header.enumerated().map { $0.offset == 0 ? "---" : "---:" }]
    for workload in Workload.reportOrder {
      let found = lines.filter { $0.workload == workload }
      guard !found.isEmpty else { continue }
      let byPeer = Dictionary(uniqueKeysWithValues: found.map { ($0.peer, $0) })
      var row = ["`\(workload)`"]
      row += peers.map { peer in byPeer[peer].map { Self.cell($0) } ?? "-" }
      if showsRatios {
        row += others.map { other in
          guard let mine = byPeer["larder"]?.median, let theirs = byPeer[other]?.median, mine > 0 else { return "-" }
          return String(format: "%.2fx", theirs / mine)
        }
      }
      rows.append(row)
    }
    return rows.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  /// A list of `{workload, peer, n, median, min, max}`; nanoseconds, or bytes per object for `bytes`.
  func writeJSON(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try encoder.encode(lines).write(to: url, options: .atomic)
  }

  private static func cell(_ line: Measurements.Line) -> String {
    if line.workload == "bytes" {
      return String(format: "%.1f B (%.1f-%.1f)", line.median, line.min, line.max)
    }
    return "\(time(line.median)) (\(time(line.min))-\(time(line.max)))"
  }

  private static func time(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<10: return String(format: "%.2f ns", nanoseconds)
    case ..<100: return String(format: "%.1f ns", nanoseconds)
    case ..<10_000: return String(format: "%.0f ns", nanoseconds)
    case ..<10_000_000: return String(format: "%.1f us", nanoseconds / 1e3)
    default: return String(format: "%.1f ms", nanoseconds / 1e6)
    }
  }
}
