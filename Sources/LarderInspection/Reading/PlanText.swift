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
    let pairs = ran.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
    return "{\"results\": \(plan.root.rows), \"steps\": \(node(plan.root)), \"ran\": {\(pairs)}}\n"
  }

  private static func node(_ node: PlanNode) -> String {
    var text = "{\"kind\": \"\(node.kind.rawValue)\", \"does\": \(JSONText.quote(node.text))"
    if let estimate = node.estimatedRows { text += ", \"estimated\": \(estimate)" }
    text += ", \"found\": \(node.rows), \"leavesRead\": \(node.leavesRead)"
    text += ", \"nanoseconds\": \(Int(node.duration / .nanoseconds(1)))"
    if !node.children.isEmpty { text += ", \"from\": [\(node.children.map(self.node).joined(separator: ", "))]" }
    return text + "}"
  }
}
