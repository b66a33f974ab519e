import LarderStorage
import LarderSyncProtocol

/// Client resets: the store starts again from the server's state (Y-38 to Y-43).
extension Exchange {
  /// Begins a reset when a welcome says that what the store has is not what the server's log leads to.
  ///
  /// - Returns: Whether the session goes on.
  func beginReset(_ welcome: Welcome) throws -> Bool {
    guard let device = keeper.device, device.cursor != nil || keeper.begunReset != nil,
      let decision = ResetDecision(welcome, device, isCopy: keeper.isCopy)
    else { return true }
    return try beginReset(SyncText(decision.cause), keepsCopy: decision.keepsCopy, isNewSite: welcome.secret != nil)
  }

  /// Begins a reset, or goes on with the one that has begun.
  ///
  /// - Parameter isNewSite: Whether the server has just given the device a new site, which has no commits there.
  /// - Returns: Whether the session goes on. What is given up had names of the site, so that the device comes back as a new one (MR-17).
  func beginReset(_ cause: SyncText, keepsCopy: Bool, isNewSite: Bool, discards: Bool = false) throws -> Bool {
    let mode = configuration.reset.mode
    if mode == .manual { throw try EngineFailure.manualReset(cause.string, keeper.store) }
    var record = keeper.begunReset ?? ResetRecord(cause: cause, discards: mode == .discard, keepsCopy: false)
    record.keepsCopy = record.keepsCopy || keepsCopy
    record.discards = record.discards || discards
    let becomesNewSite = record.discards && !isNewSite
    let isOver = staged?.end == nil || becomesNewSite
    try keeper.write { transaction in
      try record.save(transaction.state)
      if isOver, let staged { try staged.drop(in: transaction) }
      transaction.device.needEverything()
      transaction.server.cursor = nil
      if becomesNewSite { transaction.server.secret = nil }
    }
    keeper.reset = record
    if isOver { staged = nil }
    if becomesNewSite { output.end = ResetRecord.comesBack }
    return !becomesNewSite
  }

  /// Makes the store what a bootstrap that has arrived whole says, in one transaction.
  func applyReset(_ record: ResetRecord, _ staged: StagedBootstrap) throws {
    do {
      try configuration.reset.around(keeper.store) { locked in try change(to: staged, record, locked) }
    } catch {
      if keeper.begunReset == nil { throw error }
      if case .store = EngineFailure(error) { throw error }
      guard configuration.reset.mode == .recoverOrDiscard, !record.discards else {
        throw try EngineFailure.manualReset(
          "\(record.cause) The server's state could not be taken over: \(error)", keeper.store)
      }
      _ = try beginReset(record.cause, keepsCopy: true, isNewSite: false, discards: true)
      return
    }
    try reportReset()
    try finishBootstrap()
  }

  private func change(to complete: StagedBootstrap, _ reset: ResetRecord, _ locked: () throws -> Void) throws {
    var (record, staged) = (reset, complete)
    try keeper.write(after: staged.end?.time ?? SyncTime(rawValue: 0)) { transaction in
      let hasUnsent = transaction.device.lastSiteVersion > transaction.device.acknowledged
      // The last state of this device, with what was written until now.
      if record.keepsCopy || record.discards && hasUnsent { record.copy = try RecoveryFiles.copy(keeper.store) }
      try locked()
      if record.discards { transaction.device.discardWaiting() }
      while let part = try staged.takePart(transaction.state) {
        transaction.device.apply(part, isFull: staged.isFull)
      }
      try staged.complete(in: transaction)
      if record.copy == nil { try ResetRecord.remove(transaction.state) } else { try record.save(transaction.state) }
    }
    if record.discards { waits.acknowledged(through: .max) }
    self.staged = nil
    keeper.reset = record.copy == nil ? nil : record
  }

  /// Says that a reset was done, and where the copy is, once there is someone to hear of it. Killed before it is forgotten, it is said again.
  func reportReset() throws {
    guard let record = keeper.reset, let copy = record.copy, configuration.reset.isHeard(keeper.store) else { return }
    output.events.append(.failure(.reset(ResetNotice(cause: record.cause.string, copy: copy, isDone: true))))
    try keeper.write { try ResetRecord.remove($0.state) }
    keeper.reset = nil
  }
}

extension EngineFailure {
  /// The failure that stops an engine until the program, or the next opening, begins with a new store.
  static func manualReset(_ cause: String, _ store: Store) throws -> EngineFailure {
    .reset(ResetNotice(cause: cause, copy: try RecoveryFiles(of: store.path).beginAgain(), isDone: false))
  }
}
