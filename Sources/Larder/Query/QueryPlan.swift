import LarderQuery

/// The way a query was answered: what was done, in which order, and what each step found.
///
/// Its description is the plan as an indented tree; texts are for people and may change. `explain()` makes it.
public struct QueryPlan: Sendable, Hashable, CustomStringConvertible {
  /// A step of the plan.
  public struct Step: Sendable, Hashable {
    /// The work that was done: an index with what was looked up in it, a scan with its condition, a sort.
    public let text: String
    /// The expected number of objects; nil where no guess was needed.
    public let estimatedRows: Int?
    /// The number of objects it gave.
    public let rows: Int
    /// Packed columns of up to 992 values that were read for it, with those of its inputs.
    public let leavesRead: Int
    /// The time it took, with its inputs.
    public let duration: Duration
    /// The steps it took objects from.
    public let inputs: [Step]

    init(_ node: PlanNode) {
      (text, estimatedRows, rows) = (node.text, node.estimatedRows, node.rows)
      (leavesRead, duration, inputs) = (node.leavesRead, node.duration, node.children.map { Step($0) })
    }
  }

  /// The last step: its rows are the results.
  public let root: Step
  /// For how many objects a condition was evaluated.
  public let objectsExamined: Int
  public let description: String

  init(_ plan: ExplainedPlan) {
    root = Step(plan.root)
    objectsExamined = plan.counters.objectsExamined
    description = plan.description
  }
}
