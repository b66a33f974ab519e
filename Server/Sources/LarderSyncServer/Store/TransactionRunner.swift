import Foundation
import Logging

/// Runs bodies in transactions on a worker's connection, again where that may help.
struct TransactionRunner: Sendable {
  let statements: SQLStatements
  let policy: RetryPolicy
  let logger: Logger

  /// Runs a body in a transaction, and returns what the body returns once the transaction is durable.
  func run<R>(
    _ worker: StoreWorker, begin: String, _ unknownCommit: UnknownCommit, _ body: (SQLTransaction) throws -> R
  ) throws -> R {
    var conflicts = 0
    var losses = 0
    let clock = ContinuousClock()
    var lossesBegan: ContinuousClock.Instant?
    while true {
      switch attempt(worker, begin, unknownCommit, body) {
      case .done(let result): return result
      case .failed(let error): throw error
      case .conflict(let failure):
        conflicts += 1
        guard conflicts < policy.conflicts, !worker.isAbandoned else {
          throw failure.error.explained("tried \(conflicts) times")
        }
        Thread.sleep(policy.pause(before: conflicts))
      case .lost(let failure):
        worker.disconnect()
        losses += 1
        let began = lossesBegan ?? clock.now
        lossesBegan = began
        guard clock.now - began < policy.connectionTime, !worker.isAbandoned else {
          throw failure.error.explained("tried \(losses) times in \(policy.connectionTime)")
        }
        logger.warning(
          "the database is not reachable; trying again",
          metadata: ["reason": "\(failure.error)", "attempt": "\(losses)"])
        Thread.sleep(policy.pause(before: losses))
      }
    }
  }

  private enum Outcome<R> {
    case done(R)
    case failed(any Error)
    case conflict(SQLFailure)
    case lost(SQLFailure)
  }

  private func attempt<R>(
    _ worker: StoreWorker, _ begin: String, _ unknownCommit: UnknownCommit, _ body: (SQLTransaction) throws -> R
  ) -> Outcome<R> {
    let connection: any SQLConnection
    do {
      connection = try worker.connection()
    } catch {
      return error.repeating == .connection ? .lost(error) : .failed(error.error)
    }
    let transaction = SQLTransaction(connection, statements, begin: begin)
    do {
      let result = try body(transaction)
      try transaction.commit()
      if let failure = transaction.failure { throw failure.error }
      return .done(result)
    } catch {
      guard let failure = transaction.failure else {
        if !transaction.rollback() { worker.disconnect() }
        return .failed(error)
      }
      if failure.repeating == .connection {
        guard transaction.isAtCommit, unknownCommit == .fail else { return .lost(failure) }
        worker.disconnect()
        return .failed(failure.error.with(.commitUnknown, "it is not known whether the transaction happened"))
      }
      if !transaction.rollback() { worker.disconnect() }
      return failure.repeating == .transaction ? .conflict(failure) : .failed(failure.error)
    }
  }
}

extension SyncStoreError {
  /// With words after the message.
  func explained(_ words: String) -> SyncStoreError { with(kind, words) }

  func with(_ kind: Kind, _ words: String) -> SyncStoreError {
    SyncStoreError(kind, "\(message); \(words)", location: location, code: code)
  }
}

extension Thread {
  /// Pauses the thread.
  static func sleep(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    Thread.sleep(forTimeInterval: Double(seconds) + Double(attoseconds) / 1e18)
  }
}
