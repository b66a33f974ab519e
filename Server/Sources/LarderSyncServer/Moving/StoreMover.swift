/// Copies all rows of one store to another one, whatever databases they are in.
///
/// One transaction reads a state of the source, one writes the copy and compares the numbers of rows before its commit: the target
/// has everything or nothing, and a move that was interrupted starts over.
struct StoreMover {
  let source: any SQLConnection
  let sourceDialect: SQLDialect
  let target: any SQLConnection
  let targetDialect: SQLDialect
  /// Rows that are read and written at a time.
  var pieceSize = 512

  /// The number of rows copied, by table.
  func run(_ progress: (SQLTable, Int) -> Void = { _, _ in }) throws -> [(table: String, rows: Int)] {
    do {
      try StoreMigrator(source, sourceDialect).requireNewest()
      try StoreMigrator(target, targetDialect).run()
      _ = try source.run([SQLStatement(sourceDialect.beginRead)()])
      _ = try target.run([SQLStatement(targetDialect.beginWrite)()])
      var counts: [(String, Int)] = []
      for table in SQLTable.all {
        try requireEmpty(table)
        let copied = try copy(table, progress)
        try compare(table, copied)
        counts.append((table.name, copied))
      }
      _ = try target.run([SQLStatement("COMMIT")()])
      try source.rollback()
      return counts
    } catch {
      // The error that is thrown says more than one of giving up what a lost connection has given up already.
      _ = try? target.rollback()
      _ = try? source.rollback()
      throw (error as? SQLFailure)?.error ?? error
    }
  }

  private func requireEmpty(_ table: SQLTable) throws {
    guard try count(table, target) == 0 else {
      throw SyncStoreError(
        .refused, "the table \(table.name) has rows already; a store is moved into an empty database",
        location: target.location)
    }
  }

  private func copy(_ table: SQLTable, _ progress: (SQLTable, Int) -> Void) throws -> Int {
    let writing = SQLStatements(targetDialect)
    var last: [SQLValue]?
    var copied = 0
    while true {
      let rows = try source.rows(page(table, after: last))
      guard let end = rows.last else { return copied }
      _ = try target.run(writing.insert(rows.map(\.cells), into: table))
      last = Array(end.cells.prefix(table.keyCount))
      copied += rows.count
      progress(table, copied)
    }
  }

  /// The rows after a key, in the order of keys. JSON comes as text.
  private func page(_ table: SQLTable, after last: [SQLValue]?) -> SQLCommand {
    let names = table.columns.map { $0.type == .json ? "CAST(\($0.name) AS TEXT)" : $0.name }
    var text = SQLText(sourceDialect, "SELECT \(names.joined(separator: ", ")) FROM \(table.name)")
    if let last {
      text += " WHERE (\(table.keyNames)) > ("
      for (index, value) in last.enumerated() {
        text += index == 0 ? "" : ", "
        text.add(value, table.columns[index].type)
      }
      text += ")"
    }
    text += " ORDER BY \(table.keyNames) LIMIT "
    text.add(.int(Int64(pieceSize)), .int)
    return text.command
  }

  private func compare(_ table: SQLTable, _ copied: Int) throws {
    let (before, after) = (try count(table, source), try count(table, target))
    guard before == copied, after == copied else {
      throw SyncStoreError(
        .damaged,
        "of \(before) rows of \(table.name) \(copied) were copied and \(after) are there; nothing was kept",
        location: target.location)
    }
  }

  private func count(_ table: SQLTable, _ connection: any SQLConnection) throws -> Int {
    Int(try connection.rows(SQLStatement("SELECT COUNT(*) FROM \(table.name)")()).first?.int(0) ?? 0)
  }
}
