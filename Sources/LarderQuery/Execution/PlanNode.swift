/// One operation of a plan, and what running it found.
package struct PlanNode: Hashable, Sendable {
  /// The kind of operation.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// All objects, or those of a list, of backlinks or of given keys.
    case objects
    /// Every object is looked at, column by column.
    case scan
    /// An index of one property.
    case index
    /// An index over several properties.
    case compositeIndex
    /// A full-text index.
    case textIndex
    /// Links followed from their targets back, or from their origins on.
    case links
    /// The objects themselves were named.
    case identity
    case union, intersection
    /// Conditions that are evaluated for the objects found below.
    case filter
    /// An index whose order is that of the sort.
    case indexOrder
    case sort, distinct, limit, offset
    /// Rows by the values they have in common.
    case group
    /// Pairs of objects of two queries with equal values.
    case join
  }

  package var kind: Kind
  /// The description of the operation, with the names of the schema.
  package var text: String
  /// The number of objects that the planner estimated; nil where it made no guess.
  package var estimatedRows: Int?
  /// The number of objects that it gave.
  package var rows = 0
  /// Leaves that it and what is below it read.
  package var leavesRead = 0
  /// The time that it and what is below it took.
  package var duration = Duration.zero
  package var children: [PlanNode] = []

  package init(_ kind: Kind, _ text: String, estimate: Int? = nil) {
    self.kind = kind
    self.text = text
    estimatedRows = estimate
  }

  /// This node and all below it, from the top.
  package var all: [PlanNode] { [self] + children.flatMap(\.all) }

  /// One line for each node, those below further right.
  package var description: String { lines(depth: 0).joined(separator: "\n") }

  private func lines(depth: Int) -> [String] {
    let estimate = estimatedRows.map { "estimated \($0), " } ?? ""
    let line =
      String(repeating: "  ", count: depth) + text
      + "  [\(estimate)found \(rows); \(leavesRead) leaves, \(Self.text(duration))]"
    return [line] + children.flatMap { $0.lines(depth: depth + 1) }
  }

  private static func text(_ duration: Duration) -> String {
    let nanoseconds = Int(duration / .nanoseconds(1))
    func tenths(_ unit: Int) -> String { "\(nanoseconds / unit).\(nanoseconds / (unit / 10) % 10)" }
    if nanoseconds < 1_000_000 { return tenths(1_000) + " us" }
    return nanoseconds < 1_000_000_000 ? tenths(1_000_000) + " ms" : tenths(1_000_000_000) + " s"
  }
}

/// Notes what the operations of a run do, as they are nested.
final class PlanRecorder {
  private(set) var roots: [PlanNode] = []
  private var open: [PlanNode] = []
  private let clock = ContinuousClock()

  /// Runs an operation; `leaves` says how many leaves were read so far.
  func record<T>(
    _ node: PlanNode, leaves: () -> Int, rows: (T) -> Int, _ body: () throws -> T
  ) rethrows -> T {
    open.append(node)
    let (before, start) = (leaves(), clock.now)
    defer { open.removeLast() }
    let result = try body()
    open[open.count - 1].duration = clock.now - start
    open[open.count - 1].leavesRead = leaves() - before
    open[open.count - 1].rows = rows(result)
    let done = open[open.count - 1]
    if open.count > 1 { open[open.count - 2].children.append(done) } else { roots.append(done) }
    return result
  }

  /// Gives the running operation other words, once it is known how it goes on.
  func rename(_ kind: PlanNode.Kind, _ text: String) {
    guard !open.isEmpty else { return }
    open[open.count - 1].kind = kind
    open[open.count - 1].text = text
  }
}
