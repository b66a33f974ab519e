/// The location of a store, for actions on whole stores.
public enum StoreLocation: Hashable, Sendable {
  case postgres(url: String)
  case file(path: String)

  /// A URL of PostgreSQL, or else the path of an SQLite file.
  public init(_ text: String) {
    let isURL = text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    self = isURL ? .postgres(url: text) : .file(path: text)
  }

  var dialect: SQLDialect {
    switch self {
    case .postgres: .postgres
    case .file: .sqlite
    }
  }

  func connect(_ access: SQLiteConnection.Access) throws -> any SQLConnection {
    do {
      switch self {
      // Moving and migrating may take hours.
      case .postgres(let url): return try PostgresConnection(PostgresLocation(url), statementTimeout: 0)
      case .file(let path): return try SQLiteConnection(path, access)
      }
    } catch let failure as SQLFailure {
      throw failure.error
    }
  }
}

/// The actions of an administrator on a store as a whole. Calls block the thread until they have finished.
public enum StoreAdministration {
  /// Makes the tables, or brings them to this server's version; nothing happens when they have it.
  ///
  /// - Returns: the version before, 0 for none, and the version after.
  /// - Throws: `SyncStoreError`: `newerVersion` when the tables are of a newer server, and others as `SQLSyncStore.postgres`.
  public static func migrate(_ location: StoreLocation) throws -> (before: Int64, after: Int64) {
    let connection = try location.connect(.create)
    do throws(SQLFailure) {
      let outcome = try StoreMigrator(connection, location.dialect).run()
      return (outcome.before, outcome.after)
    } catch {
      throw error.error
    }
  }

  /// Copies a store into an empty database, which gets the tables first. The target has all of it or nothing.
  ///
  /// - Parameter progress: called with the name of a table and how many of its rows have been copied.
  /// - Returns: the number of rows by table, which was compared on both sides.
  /// - Throws: `SyncStoreError`: `refused` when the target has data.
  public static func move(
    from source: StoreLocation, to target: StoreLocation, progress: (String, Int) -> Void = { _, _ in }
  ) throws -> [(table: String, rows: Int)] {
    let mover = StoreMover(
      source: try source.connect(.write), sourceDialect: source.dialect, target: try target.connect(.create),
      targetDialect: target.dialect)
    return try mover.run { progress($0.name, $1) }
  }
}
