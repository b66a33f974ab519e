@testable import LarderSQL

extension SQLDatabase {
  /// The rows of a statement, and how many thousands of SQLite's own steps it takes.
  func counted(_ sql: String) throws -> (rows: [[SQLValue]], thousands: Int) {
    let counter = Counter()
    end {
      counter.add()
      return false
    }
    return (try prepare(sql).rows(), counter.count)
  }

  private final class Counter: @unchecked Sendable {
    // Unchecked: SQLite calls on the thread of the statement.
    private(set) var count = 0
    func add() { count += 1 }
  }
}
