import Foundation
import Logging

extension SQLSyncStore {
  /// Opens a store in a PostgreSQL whose tables `larder-sync migrate` has made.
  ///
  /// - Parameters:
  ///   - url: `postgresql://user@host:port/database`, also with several hosts, as libpq takes it.
  ///   - statementTimeout: in milliseconds; a statement that takes longer is given up with `timedOut`.
  /// - Throws: `SyncStoreError`: `invalidLocation`, `cannotConnect`, `noPermission`, `notMigrated`, `newerVersion`.
  public static func postgres(
    _ url: String, connections: Connections = Connections(), statementTimeout: Int = 30_000,
    policy: RetryPolicy = RetryPolicy(), logger: Logger = Logger(label: "larder-sync.store")
  ) async throws -> SQLSyncStore {
    let location = try PostgresLocation(url)
    return try await open(
      dialect: .postgres, connections: connections, policy: policy, logger: logger
    ) { _ throws(SQLFailure) in
      try PostgresConnection(location, statementTimeout: statementTimeout)
    }
  }

  /// Opens a store in an SQLite file that `larder-sync migrate` has made. One process at a time should use it.
  ///
  /// - Throws: `SyncStoreError`, as `postgres`.
  public static func file(
    _ path: String, readers: Int = 4, policy: RetryPolicy = RetryPolicy(),
    logger: Logger = Logger(label: "larder-sync.store")
  ) async throws -> SQLSyncStore {
    try await open(
      dialect: .sqlite, connections: Connections(writing: 1, reading: readers), policy: policy, logger: logger
    ) { access throws(SQLFailure) in
      try SQLiteConnection(path, access)
    }
  }

  /// A store in memory, for tests and for trying things out. It has one thread and ends with the process.
  public static func inMemory(logger: Logger = Logger(label: "larder-sync.store")) -> SQLSyncStore {
    let thread = StoreThreads(count: 1, name: "larder-sync memory") { () throws(SQLFailure) in
      let connection = try SQLiteConnection(nil, .create)
      try StoreMigrator(connection, .sqlite).run()
      return connection
    }
    return SQLSyncStore(writers: thread, readers: thread, dialect: .sqlite, policy: RetryPolicy(), logger: logger)
  }

  /// The store with connections that are made so; the first one is tried at once.
  static func open(
    dialect: SQLDialect, connections: Connections, policy: RetryPolicy, logger: Logger,
    connect: @escaping @Sendable (SQLiteConnection.Access) throws(SQLFailure) -> any SQLConnection
  ) async throws -> SQLSyncStore {
    @Sendable func checked(_ access: SQLiteConnection.Access) throws(SQLFailure) -> any SQLConnection {
      let connection = try connect(access)
      try StoreMigrator(connection, dialect).requireNewest()
      return connection
    }
    let writers = StoreThreads(count: connections.writing, name: "larder-sync writer") { () throws(SQLFailure) in
      try checked(.write)
    }
    let readers = StoreThreads(count: connections.reading, name: "larder-sync reader") { () throws(SQLFailure) in
      try checked(.read)
    }
    try await writers.perform { worker in
      do { _ = try worker.connection() } catch let failure as SQLFailure { throw failure.error }
    }
    return SQLSyncStore(writers: writers, readers: readers, dialect: dialect, policy: policy, logger: logger)
  }
}
