import Foundation
import Logging

/// The store over an SQL database: PostgreSQL, an SQLite file, or SQLite in memory.
public final class SQLSyncStore: SyncStore {
  private let writers: StoreThreads
  private let readers: StoreThreads
  private let runner: TransactionRunner
  private let dialect: SQLDialect

  /// The number of threads, each with a connection, that a store over PostgreSQL has.
  public struct Connections: Hashable, Sendable {
    public var writing: Int
    public var reading: Int

    public init(writing: Int = 8, reading: Int = 4) {
      self.writing = writing
      self.reading = reading
    }
  }

  init(
    writers: StoreThreads, readers: StoreThreads, dialect: SQLDialect, policy: RetryPolicy, logger: Logger
  ) {
    self.writers = writers
    self.readers = readers
    self.dialect = dialect
    runner = TransactionRunner(statements: SQLStatements(dialect), policy: policy, logger: logger)
  }

  public func write<Result: Sendable>(
    unknownCommit: UnknownCommit, _ body: @escaping @Sendable (any SyncTransaction) throws -> Result
  ) async throws -> Result {
    let begin = dialect.beginWrite
    return try await writers.perform { [runner] worker in
      try runner.run(worker, begin: begin, unknownCommit) { try body($0) }
    }
  }

  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (any SyncReading) throws -> Result
  ) async throws -> Result {
    let begin = dialect.beginRead
    return try await readers.perform { [runner] worker in
      try runner.run(worker, begin: begin, .runAgain) { try body($0) }
    }
  }

  public func close() {
    writers.close()
    readers.close()
  }

  public func abandon() {
    writers.abandon()
    readers.abandon()
  }
}
