import Foundation
import Larder

/// Counts what the ten hottest calls allocate and retain, and compares that with stored limits.
///
/// `OperationCounts FILE` ends with status 1 when a call takes more than `FILE` says; `OperationCounts FILE --store` writes the file.
/// Counts do not depend on the machine, other than times.
@main
enum Main {
  /// A table that grows at another time moves a count by less than this.
  private static let tolerance = 0.05

  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard let file = words.first, words.count == 1 || words.dropFirst() == ["--store"] else {
      print("usage: OperationCounts FILE [--store]")
      exit(2)
    }
    guard CounterCheck.counts else {
      print("OperationCounts: the counters do not count; were swift_retain and malloc of this program found first?")
      exit(3)
    }
    // Each operation has a store in memory, which is deleted with it.
    Logger.shared.level = .error
    var costs: [String: Cost] = [:]
    for operation in Operation.all { costs[operation.name] = try operation.measure() }
    if words.count == 2 {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(costs.mapValues(rounded)).write(to: URL(fileURLWithPath: file))
    }
    let limits = try JSONDecoder().decode([String: Cost].self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    exit(report(costs, limits) ? 0 : 1)
  }

  private static func rounded(_ cost: Cost) -> Cost {
    Cost(allocations: (cost.allocations * 100).rounded() / 100, retains: (cost.retains * 100).rounded() / 100)
  }

  /// Prints a line for each call; false when one takes more than its limit, or has none.
  private static func report(_ costs: [String: Cost], _ limits: [String: Cost]) -> Bool {
    var isWithin = true
    print("call".padded(30), "allocations", "limit  ", "retains", "limit")
    for operation in Operation.all {
      guard let cost = costs[operation.name] else { continue }
      let limit = limits[operation.name]
      let fits = limit.map { isNoMore(cost.allocations, $0.allocations) && isNoMore(cost.retains, $0.retains) } ?? false
      let numbers = [cost.allocations, limit?.allocations, cost.retains, limit?.retains].map { number in
        number.map { String(format: "%8.2f", $0) } ?? "    none"
      }
      print(operation.name.padded(30), numbers.joined(separator: "  "), fits ? "" : " more than its limit")
      isWithin = isWithin && fits
    }
    return isWithin
  }

  private static func isNoMore(_ count: Double, _ limit: Double) -> Bool {
    count <= limit * (1 + tolerance) + tolerance
  }
}

extension String {
  fileprivate func padded(_ width: Int) -> String { padding(toLength: width, withPad: " ", startingAt: 0) }
}
