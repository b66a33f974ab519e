import Foundation
import LarderExchange
import LarderQuery

/// Plans as text, as a table and as JSON.
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

  /// A row for each step, those below a step after it with a larger depth.
  static func page(
    _ plan: ExplainedPlan, _ title: String, as form: OutputForm, fitting width: Int?, lineEnd: String
  ) -> String {
    var page = TablePage(title, form, fitting: width, lineEnd: lineEnd)
    var table = TextTable([
      .init("depth", isNumeric: true), .init("step"), .init("estimated", isNumeric: true),
      .init("found", isNumeric: true), .init("leaves read", isNumeric: true), .init("microseconds", isNumeric: true),
    ])
    func add(_ node: PlanNode, _ depth: Int) {
      table.append([
        String(depth), node.text, node.estimatedRows.map(String.init) ?? "", String(node.rows), String(node.leavesRead),
        String(Int(node.duration / .microseconds(1))),
      ])
      for child in node.children { add(child, depth + 1) }
    }
    add(plan.root, 0)
    page.add(nil, table)
    page.say(String(plan.description.split(separator: "\n").last ?? ""))
    return page.finish()
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
