/// The counts of what a run of a query looked at; shown by `explain`.
package struct ExecutionCounters: Hashable, Sendable {
  package var clustersVisited = 0
  /// Clusters answered by the range in a leaf's header alone.
  package var clustersSkipped = 0
  package var leavesRead = 0
  /// Objects that a condition was evaluated for, in whatever way.
  package var objectsExamined = 0
  /// Those among them, or reached from them, that were asked one by one.
  package var rowsExamined = 0
  package var indexSeeks = 0
  /// Keys that indexes gave.
  package var indexEntries = 0
  package var listsRead = 0

  package init() {}
}
