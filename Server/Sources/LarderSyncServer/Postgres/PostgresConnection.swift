import CPQ
import Foundation

/// A connection to PostgreSQL by libpq, with statements that are prepared at their first use and commands sent in one round trip.
final class PostgresConnection: SQLConnection {
  let location: String
  let handle: OpaquePointer
  private var prepared: [SQLStatement: String] = [:]
  private var preparedEver = 0
  /// Beyond so many statements all are forgotten: lists of odd filters must not fill the server's memory.
  private static let largestPrepared = 500

  /// Connects, at the latest after ten seconds for each host.
  init(_ location: PostgresLocation, statementTimeout: Int = 30_000) throws(SQLFailure) {
    self.location = location.description
    // What the URL says comes last and wins.
    let pairs = [
      ("connect_timeout", "10"), ("application_name", "larder-sync"), ("keepalives_idle", "15"),
      ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "30000"),
      ("client_encoding", "UTF8"), ("options", "-c statement_timeout=\(statementTimeout)"), ("dbname", location.url),
    ]
    var names = pairs.map { strdup($0.0) } + [nil]
    var values = pairs.map { strdup($0.1) } + [nil]
    defer { for text in names + values { free(text) } }
    let opened = names.withUnsafeMutableBufferPointer { names in
      values.withUnsafeMutableBufferPointer { values in
        names.withMemoryRebound(to: UnsafePointer<CChar>?.self) { names in
          values.withMemoryRebound(to: UnsafePointer<CChar>?.self) { values in
            PQconnectdbParams(names.baseAddress, values.baseAddress, 1)
          }
        }
      }
    }
    guard let opened else {
      throw SQLFailure(
        SyncStoreError(.unavailable, "libpq has no memory for a connection", location: location.description))
    }
    guard PQstatus(opened) == CONNECTION_OK else {
      defer { PQfinish(opened) }
      throw PostgresErrors.notConnected(
        String(cString: PQerrorMessage(opened)).trimmed, needsPassword: PQconnectionNeedsPassword(opened) == 1,
        location: location.description)
    }
    handle = opened
    PQsetNoticeProcessor(opened, { _, _ in }, nil)
  }

  deinit { PQfinish(handle) }

  func run(_ commands: [SQLCommand]) throws(SQLFailure) -> [[SQLRow]] {
    if prepared.count > PostgresConnection.largestPrepared { try forgetPrepared() }
    guard PQenterPipelineMode(handle) == 1 else { throw lost() }
    var preparing: Set<SQLStatement> = []
    for command in commands { try send(command, &preparing) }
    guard PQpipelineSync(handle) == 1 else { throw lost() }
    let outcome = receive(commands, &preparing)
    guard PQexitPipelineMode(handle) == 1 else { throw lost() }
    return try outcome.get()
  }

  func rollback() throws(SQLFailure) {
    guard PQstatus(handle) == CONNECTION_OK else { throw lost() }
    guard PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
    let result = PQexec(handle, "ROLLBACK")
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw lost() }
  }

  // MARK: - Sending

  private func send(_ command: SQLCommand, _ preparing: inout Set<SQLStatement>) throws(SQLFailure) {
    let statement = command.statement
    guard statement.parameters.count == command.values.count else {
      throw SQLFailure(
        SyncStoreError(
          .invalidValue,
          "a statement has \(statement.parameters.count) parameters and got \(command.values.count) values"))
    }
    if prepared[statement] == nil {
      let name = "s\(preparedEver)"
      preparedEver += 1
      let types = statement.parameters.map(PostgresCells.typeNumber)
      guard PQsendPrepare(handle, name, statement.text, Int32(types.count), types) == 1 else { throw lost() }
      prepared[statement] = name
      preparing.insert(statement)
    }
    guard let name = prepared[statement], PostgresCells.send(command.values, to: handle, name) else { throw lost() }
  }

  private func forgetPrepared() throws(SQLFailure) {
    let result = PQexec(handle, "DEALLOCATE ALL")
    defer { PQclear(result) }
    // In a transaction that has failed nothing may be deallocated; then it waits for the next.
    if PQresultStatus(result) == PGRES_COMMAND_OK {
      prepared = [:]
    } else if PQstatus(handle) != CONNECTION_OK {
      throw lost()
    }
  }

  // MARK: - Receiving

  /// Reads everything up to the end of the pipeline. The first failure is the outcome.
  private func receive(_ commands: [SQLCommand], _ preparing: inout Set<SQLStatement>) -> Result<[[SQLRow]], SQLFailure>
  {
    var rows: [[SQLRow]] = []
    var failure: SQLFailure?
    for command in commands {
      if preparing.remove(command.statement) != nil, let found = readPreparation(of: command.statement) {
        failure = failure ?? found
      }
      switch readRows() {
      case .success(let found): rows.append(found)
      case .failure(let found): failure = failure ?? found
      }
      if PQstatus(handle) != CONNECTION_OK { return .failure(failure ?? lost()) }
    }
    let end = PQgetResult(handle)
    defer { PQclear(end) }
    guard PQresultStatus(end) == PGRES_PIPELINE_SYNC else { return .failure(failure ?? lost()) }
    return failure.map { .failure($0) } ?? .success(rows)
  }

  private func readPreparation(of statement: SQLStatement) -> SQLFailure? {
    var failure: SQLFailure?
    while let result = PQgetResult(handle) {
      defer { PQclear(result) }
      if PQresultStatus(result) != PGRES_COMMAND_OK {
        prepared[statement] = nil
        failure = failure ?? self.failure(result)
      }
    }
    return failure
  }

  private func readRows() -> Result<[SQLRow], SQLFailure> {
    var outcome = Result<[SQLRow], SQLFailure>.success([])
    while let result = PQgetResult(handle) {
      defer { PQclear(result) }
      switch PQresultStatus(result) {
      case PGRES_COMMAND_OK: break
      case PGRES_TUPLES_OK: outcome = PostgresCells.rows(result).mapError { SQLFailure($0) }
      default: outcome = .failure(failure(result))
      }
      if PQstatus(handle) != CONNECTION_OK { break }
    }
    return outcome
  }

  private func failure(_ result: OpaquePointer) -> SQLFailure {
    guard PQstatus(handle) == CONNECTION_OK else { return lost() }
    guard let state = PQresultErrorField(result, PostgresCells.stateField) else {
      return SQLFailure(SyncStoreError(.refused, "a command before it failed", location: location))
    }
    let message = PQresultErrorField(result, PostgresCells.messageField).map { String(cString: $0) } ?? ""
    return PostgresErrors.failure(state: String(cString: state), message: message, location: location)
  }

  private func lost() -> SQLFailure {
    let text = String(cString: PQerrorMessage(handle)).trimmed
    return SQLFailure(
      SyncStoreError(
        .unavailable, "the connection was lost: \(text.isEmpty ? "no reason is known" : text)", location: location),
      repeating: .connection)
  }
}
