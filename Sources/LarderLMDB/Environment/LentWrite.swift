/// A write transaction on its way from the writer thread to the caller that asked for it.
package struct LentTransaction: @unchecked Sendable {
  // Unchecked: one side lets go of it before the other takes it.
  package let transaction: WriteTransaction
}

/// A write transaction that was asked for.
package struct WriteRequest: Sendable {
  private let turns: WriterTurns
  private let number: UInt64

  init(turns: WriterTurns, number: UInt64) {
    self.turns = turns
    self.number = number
  }

  /// Takes the request back. True when it will not be answered any more; false when its turn had come: it is or will be
  /// answered, and the transaction must be ended.
  package func cancel() -> Bool { turns.giveUp(number) }
}

extension Environment {
  /// Begins a write transaction on the writer thread, when it is its turn, and lends it out: it may be used by any one
  /// thread at a time, and ends on the writer thread wherever `commit()` or `abort()` is called.
  ///
  /// For callers that may go on elsewhere than where they began: queues, tasks, actors.
  ///
  /// - Parameters:
  ///   - isFirst: Before all other requests.
  ///   - answer: Called on the writer thread; it must hand the transaction on and not wait. In a child that was forked off it is called
  ///     at once, with the error `forked`.
  package func requestWrite(
    isFirst: Bool = false, _ answer: @escaping @Sendable (Result<LentTransaction, any Error>) -> Void
  ) -> WriteRequest {
    do {
      try checkProcess("begin")
    } catch {
      // A child that was forked off has no writer thread, which would answer.
      answer(.failure(error))
      return WriteRequest(turns: turns, number: 0)
    }
    let number = turns.ask(isFirst: isFirst) { [self] in
      writerThread.submit { [self] in
        do {
          answer(.success(LentTransaction(transaction: try beginWrite(isLent: true))))
        } catch {
          turns.end()
          answer(.failure(error))
        }
      }
    }
    return WriteRequest(turns: turns, number: number)
  }
}
