/// Names a queued write or commit of one Realm.
public typealias AsyncTransactionId = UInt32

extension Realm {
  /// Queues a write transaction: returns at once, runs the block where this Realm lives once the write lock is free, commits in
  /// the background, and then calls `onComplete` there, with the error if the commit failed.
  ///
  /// Blocks run in the order of queueing; more may be queued inside of one. The block does not run, and `onComplete` says why,
  /// when the transaction cannot be begun. Misuse (E-41, E-42): frozen and read-only Realms, threads without a running run loop,
  /// and calls inside of a completion block. Rules N-70 to N-74.
  ///
  /// ```swift
  /// realm.writeAsync {
  ///   realm.create(Person.self, value: ["id": 10, "name": "Lise"] as [String: Any])
  /// } onComplete: { error in
  ///   if let error { print(error) }
  /// }
  /// ```
  ///
  /// Misuse where nothing runs the blocks: elsewhere than on the main thread, a serial queue, an actor or a thread with a run loop. The cost of
  /// `write`, without holding the caller up.
  @discardableResult
  public func writeAsync(_ block: @escaping () -> Void, onComplete: (((any Swift.Error)?) -> Void)? = nil)
    -> AsyncTransactionId
  {
    core.asyncWrites.check(core)
    let core = core
    return core.asyncWrites.begin(core, failed: onComplete) {
      block()
      if core.isWriting { _ = core.asyncWrites.commit(core, onComplete) }
    }
  }

  /// Queues a block that is called, where this Realm lives, with a write transaction open. When it returns without
  /// `commitAsyncWrite` or `commitWrite` the transaction is cancelled.
  @discardableResult
  public func beginAsyncWrite(_ asyncWriteBlock: @escaping () -> Void) -> AsyncTransactionId {
    core.asyncWrites.check(core)
    return core.asyncWrites.begin(core, asyncWriteBlock)
  }

  /// Commits the open write transaction in the background and then calls the block where this Realm lives.
  ///
  /// The Realm shows what was committed: reading through it before the commit has ended waits for its end. The block is called when the
  /// commit is durable, which may be with the flush of the next write's commit. With `allowGrouping` it is called after the writes that are
  /// queued already have run, with theirs.
  @discardableResult
  public func commitAsyncWrite(allowGrouping: Bool = false, _ onComplete: (((any Swift.Error)?) -> Void)? = nil)
    -> AsyncTransactionId
  {
    core.checkThread()
    guard core.isWriting else { misuse("No write transaction is open.") }
    return core.asyncWrites.commit(core, isGrouped: allowGrouping, onComplete)
  }

  /// Takes a queued block back, or the completion block of a commit, which itself goes on. Does nothing when both have run.
  public func cancelAsyncWrite(_ asyncTransactionId: AsyncTransactionId) throws {
    core.asyncWrites.check(core)
    core.asyncWrites.cancel(asyncTransactionId, core)
  }

  /// A Boolean value that says whether asynchronous writes are queued, run, or commit in the background; also inside of their blocks.
  public var isPerformingAsynchronousWriteOperations: Bool {
    core.checkThread()
    return core.asyncWrites.isBusy || !core.grants.isEmpty
  }
}
