import Foundation

/// The table on the terminal and the file of figures.
struct Report {
  let lines: [Measurements.Line]
  let peers: [String]

  /// Medians with their range, medians of processor time, and how many times faster Larder is on the clock than each peer (above 1:
  /// Larder is faster; for bytes, smaller).
  func markdown() -> String {
    let others = peers.filter { $0 != "larder" }
    let showsRatios = peers.contains("larder")
    let showsMemory = lines.contains { $0.memory != nil }
    var header = ["workload"]
    header += peers.flatMap { ["\($0) (min-max)", "\($0) cpu"] + (showsMemory ? ["\($0) memory"] : []) }
    if showsRatios { header += others.map { "larder vs \($0)" } }
    var rows: [[String]] = []
    for workload in Workload.reportOrder {
      let byPeer = lines(of: workload)
      guard !byPeer.isEmpty else { continue }
      var row = ["`\(workload)`"]
      row += peers.flatMap { peer in
        (byPeer[peer].map { [Self.cell($0), Self.processor($0)] } ?? ["-", "-"])
          + (showsMemory ? [byPeer[peer]?.memory.map { String(format: "%.1f MB", $0 / 1e6) } ?? "-"] : [])
      }
      if showsRatios { row += others.map { Self.ratio(byPeer[$0]?.median, byPeer["larder"]?.median) } }
      rows.append(row)
    }
    return Self.table(header, rows)
  }

  /// Compares with a saved run: how many times as long each row takes now (below 1: faster), by processor time where both have it.
  func comparison(with earlier: [Measurements.Line]) -> String {
    let before = Report(lines: earlier, peers: peers)
    var rows: [[String]] = []
    for workload in Workload.reportOrder {
      let (new, old) = (lines(of: workload), before.lines(of: workload))
      guard !new.isEmpty, !old.isEmpty else { continue }
      rows.append(
        ["`\(workload)`"]
          + peers.map { peer in
            guard let new = new[peer], let old = old[peer] else { return "-" }
            if let newer = new.processor, let older = old.processor { return Self.ratio(newer, older) }
            return Self.ratio(new.median, old.median)
          })
    }
    return Self.table(["workload"] + peers.map { "\($0) now / before" }, rows)
  }

  /// A list of `{workload, peer, n, median, min, max, processor, processorMin, processorMax, memory}`; nanoseconds, or bytes per object.
  func writeJSON(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try encoder.encode(lines).write(to: url, options: .atomic)
  }

  /// The lines that `writeJSON` saved.
  static func lines(from path: String) throws -> [Measurements.Line] {
    try JSONDecoder().decode([Measurements.Line].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func lines(of workload: String) -> [String: Measurements.Line] {
    Dictionary(lines.filter { $0.workload == workload }.map { ($0.peer, $0) }) { _, last in last }
  }

  private static func table(_ header: [String], _ rows: [[String]]) -> String {
    let rule = header.enumerated().map { $0.offset == 0 ? "---" : "---:" }
    return ([header, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  private static func ratio(_ value: Double?, _ base: Double?) -> String {
    guard let value, let base, base > 0 else { return "-" }
    return String(format: "%.2fx", value / base)
  }

  private static func cell(_ line: Measurements.Line) -> String {
    if Workload.byteRows.contains(line.workload) {
      return String(format: "%.1f B (%.1f-%.1f)", line.median, line.min, line.max)
    }
    if Workload.countRows.contains(line.workload) { return String(format: "%.0f", line.median) }
    return "\(time(line.median)) (\(time(line.min))-\(time(line.max)))"
  }

  private static func processor(_ line: Measurements.Line) -> String { line.processor.map { time($0) } ?? "-" }

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
