/// A transaction over SQL. Commands that give nothing wait for the next one that does, or for the commit.
final class SQLTransaction {
  let statements: SQLStatements
  private let connection: any SQLConnection
  private var waiting: [SQLCommand]
  /// The failure after which the transaction cannot go on; a body that ignores it gets it at the commit.
  private(set) var failure: SQLFailure?
  /// Parts whose head rows the transaction has locked, as it will leave them.
  var locked: [PartKey: PartRecord] = [:]
  private(set) var isAtCommit = false

  struct PartKey: Hashable {
    let tenant: TenantID
    let part: PartID
  }

  init(_ connection: any SQLConnection, _ statements: SQLStatements, begin: String) {
    self.connection = connection
    self.statements = statements
    waiting = [SQLStatement(begin)()]
  }

  /// Runs commands with the next ones.
  func later(_ commands: [SQLCommand]) { waiting += commands }

  /// The rows of each command.
  func rows(_ commands: [SQLCommand]) throws(SyncStoreError) -> [[SQLRow]] {
    let before = waiting.count
    return Array(try run(waiting + commands).dropFirst(before))
  }

  /// The rows of one command.
  func rows(_ command: SQLCommand) throws(SyncStoreError) -> [SQLRow] { try rows([command]).first ?? [] }

  /// Makes durable what was written.
  func commit() throws(SyncStoreError) {
    // One that never went to the database has nothing to say there.
    guard waiting.count != 1 || waiting.first?.statement.text.hasPrefix("BEGIN") != true else { return }
    let commands = waiting + [SQLStatement("COMMIT")()]
    isAtCommit = true
    _ = try run(commands)
  }

  /// Gives everything up. False when the connection is of no use any more.
  func rollback() -> Bool {
    do {
      try connection.rollback()
      return true
    } catch {
      return false
    }
  }

  private func run(_ commands: [SQLCommand]) throws(SyncStoreError) -> [[SQLRow]] {
    if let failure { throw failure.error }
    waiting = []
    do {
      return try connection.run(commands)
    } catch {
      failure = error
      throw error.error
    }
  }
}
