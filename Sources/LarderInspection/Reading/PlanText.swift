import Foundation
import LarderExchange
import LarderQuery

/// Plans as text and as JSON.
enum PlanText {
  private static let width = 80

  /// The tree, and what the run looked at in lines of 80 characters.
  static func text(_ plan: ExplainedPlan) -> String {
    var lines = plan.description.split(separator: "\n").map(String.init)
    let parts = lines.removeLast().components(separatedBy: "; ")
    var line = parts[0]
    for part in parts.dropFirst() {
      line += ";"
      if line.count + 1 + part.count < width {
        line += " " + part
      } else {
        lines.append(line)
        line = "     " + part
      }
    }
    return (lines + [line]).joined(separator: "\n") + "\n"
  }

  /// `{"steps": …, "ran": …}` on one line; each step holds those below it in `from`.
  static func json(_ plan: ExplainedPlan) -> String {
    let counters = plan.counters
    let ran = [
      ("objectsExamined", counters.objectsExamined), ("rowsExamined", counters.rowsExamined),
      ("clustersVisited", counters.clustersVisited), ("clustersSkipped", counters.clustersSkipped),
      ("leavesRead", counters.leavesRead), ("indexSeeks", counters.indexSeeks),
      ("indexEntries", counters.indexEntries), ("listsRead", counters.listsRead),
    ]
    let value: JSONValue = [
      "results": .init(plan.root.rows), "steps": node(plan.root), "ran": .init(ran.map { ($0.0, JSONValue($0.1)) }),
    ]
    return value.line
  }

  private static func node(_ node: PlanNode) -> JSONValue {
    [
      "kind": .init(node.kind.rawValue), "does": .init(node.text), "estimated": node.estimatedRows.map { .init($0) },
      "found": .init(node.rows), "leavesRead": .init(node.leavesRead),
      "nanoseconds": .init(Int(node.duration / .nanoseconds(1))),
      "from": node.children.isEmpty ? nil : .init(node.children.map(self.node)),
    ]
  }
}
