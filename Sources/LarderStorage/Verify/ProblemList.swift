/// The problems that the checks of a store have found, up to a limit. Used by one thread.
final class ProblemList {
  let limit: Int
  private(set) var found: [StoreProblem] = []

  init(limit: Int) { self.limit = limit }

  var isFull: Bool { found.count >= limit }

  func add(_ problem: StoreProblem) {
    if !isFull { found.append(problem) }
  }

  func contains(_ structure: StoreProblem.Structure) -> Bool { found.contains { $0.structure == structure } }
}
