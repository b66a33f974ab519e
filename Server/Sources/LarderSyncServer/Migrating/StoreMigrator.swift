/// Makes the tables of a store and brings them to the newest version.
struct StoreMigrator {
  /// One step: the statements that bring the tables to a version.
  struct Step: Sendable {
    let version: Int64
    let statements: @Sendable (SQLDialect) -> [SQLStatement]
  }

  /// All steps, in order. A step that was released is never changed.
  static let steps = [
    Step(version: 1) { dialect in SQLTable.first.flatMap { $0.creation(dialect) } },
    Step(version: 2) { dialect in
      [SQLTable.client.addition(of: SQLTable.copiesThrough, dialect)] + SQLTable.copy.creation(dialect)
    },
    Step(version: 3) { dialect in SQLTable.nonce.creation(dialect) },
  ]

  /// The version that this server works with.
  static let newest: Int64 = steps.last?.version ?? 0

  private let connection: any SQLConnection
  private let dialect: SQLDialect
  private let steps: [Step]

  init(_ connection: any SQLConnection, _ dialect: SQLDialect, steps: [Step] = StoreMigrator.steps) {
    self.connection = connection
    self.dialect = dialect
    self.steps = steps
  }

  /// The version before, and the version after.
  struct Outcome: Hashable, Sendable {
    var before: Int64
    var after: Int64
  }

  /// Brings the tables to the newest version, in one transaction. Nothing happens when they are there.
  ///
  /// - Throws: `newerVersion` when they are of a server that came after this one.
  @discardableResult
  func run() throws(SQLFailure) -> Outcome {
    try makeVersionTable()
    do throws(SQLFailure) {
      let found = try connection.run([
        SQLStatement(dialect.beginWrite)(),
        SQLStatement("SELECT version FROM larder_sync_version WHERE one = 1\(dialect.forUpdate)")(),
      ])
      let before = try version(in: found[1])
      let target = steps.last?.version ?? 0
      guard before <= target else { throw newer(before, target) }
      var commands = steps.filter { $0.version > before }.flatMap { $0.statements(dialect) }.map { $0() }
      commands.append(SQLStatement("UPDATE larder_sync_version SET version = \(target) WHERE one = 1")())
      commands.append(SQLStatement("COMMIT")())
      // One by one: a statement is planned with the tables that those before it made.
      for command in commands { _ = try connection.run([command]) }
      return Outcome(before: before, after: target)
    } catch {
      try connection.rollback()
      throw error
    }
  }

  /// - Throws: `notMigrated` for none or older tables, `newerVersion` for newer ones.
  func requireNewest() throws(SQLFailure) {
    let found = try connection.rows(SQLStatement("SELECT version FROM larder_sync_version WHERE one = 1")())
    let version = try version(in: found)
    let target = steps.last?.version ?? 0
    guard version <= target else { throw newer(version, target) }
    guard version == target else {
      throw SQLFailure(
        SyncStoreError(
          .notMigrated,
          "the tables have version \(version), this server works with \(target); run 'larder-sync migrate'",
          location: connection.location))
    }
  }

  /// The table with the one row that says the version. Several processes may do this at once.
  private func makeVersionTable() throws(SQLFailure) {
    let suffix = dialect.tableEnd
    let create = SQLStatement(
      "CREATE TABLE IF NOT EXISTS larder_sync_version (one \(dialect.int) PRIMARY KEY, version \(dialect.int) NOT NULL)\(suffix)"
    )
    let fill = SQLStatement("INSERT INTO larder_sync_version (one, version) VALUES (1, 0) ON CONFLICT (one) DO NOTHING")
    do {
      _ = try connection.run([create()])
    } catch  where error.error.code == "23505" || error.error.code == "42P07" {
      // Another process made it in this moment.
    }
    _ = try connection.run([fill()])
  }

  private func version(in rows: [SQLRow]) throws(SQLFailure) -> Int64 {
    guard let row = rows.first else {
      throw SQLFailure(
        SyncStoreError(
          .notMigrated, "the table larder_sync_version is empty; run 'larder-sync migrate'",
          location: connection.location))
    }
    do throws(SyncStoreError) { return try row.int(0) } catch { throw SQLFailure(error) }
  }

  private func newer(_ version: Int64, _ target: Int64) -> SQLFailure {
    SQLFailure(
      SyncStoreError(
        .newerVersion, "the tables have version \(version), this server knows up to \(target); use a newer server",
        location: connection.location))
  }
}
