import Foundation
import LarderStorage

/// The beginning of a Realm's write transactions.
extension RealmCore {
  func beginWrite() {
    checkThread()
    if isFrozen { misuse("This Realm is frozen and cannot be written; use thaw().") }
    if isReadOnly { misuse("This Realm is read-only and cannot be written.") }
    if isWriting { misuse("A write transaction is already open on this Realm.") }
    ReaderPatience.orMisuse {
      try verifyActiveVersions()
      try openWrite()
    }
  }

  /// Begins a transaction where one may be begun; throws when it cannot.
  ///
  /// - Parameter isStaying: It is committed or cancelled before the caller can come to run on another thread.
  func openWrite(isStaying: Bool = false) throws {
    let opened = try openAtNewest { [store] in
      isStaying || !place.mayChangeThreads ? try store.beginWrite() : try store.beginLentWrite()
    }
    begin(opened)
  }

  /// Begins a write transaction as `beginWrite()` does, waiting for the write lock for at most so many seconds; throws when it was not to be had.
  func beginWrite(timeout seconds: Double) throws {
    // Longer than thirty years is for ever; what is no number is the least.
    let seconds = seconds >= Self.leastTimeout ? min(seconds, Self.mostTimeout) : Self.leastTimeout
    let end = ContinuousClock.now + .seconds(seconds)
    let opened = try openAtNewest { [store] in
      let left = end - ContinuousClock.now
      guard let opened = try store.beginLentWrite(timeout: left / .seconds(1)) else {
        throw Realm.Error.make(
          .writeTimeout,
          "The write lock of '\(store.path)' was not free within \(seconds) s: another writer of this or "
            + "another process holds it. Nothing was done; try again.", path: store.path)
      }
      return opened
    }
    begin(opened)
  }

  /// Seconds that finding out takes whether the write lock is free.
  private static let leastTimeout = 0.02
  private static let mostTimeout = 1e9

  /// Throws, with the transaction undone, when it made objects that no subscription has (Y-26).
  func verifySubscribed(_ open: StoreWriter) throws {
    guard let synchronisation else { return }
    do {
      try synchronisation.verify(open)
    } catch {
      cancelWrite()
      throw Realm.Error(error, path: store.path)
    }
  }

  /// Goes on in a transaction that starts from the version the Realm is at.
  func begin(_ opened: StoreWriter) {
    settle()
    if isAnnouncing { dropIdleAnnouncer() }
    enter(opened)
  }

  /// Goes on in the transaction of a migration, which is not this Realm's to end.
  func beginMigration(_ opened: StoreWriter) {
    settle()
    enter(opened, isMigration: true)
  }

  /// Gives the migration's transaction back; objects of it are invalid from now on.
  func endMigration() {
    guard isMigrating else { return }
    leaveWrite()?.end(.cancelled)
    invalidate()
  }

  /// Moves to the newest version, tells observers of it, and begins the transaction there.
  ///
  /// Observers are called before the write lock is held (N-3): they may write themselves (N-65). Only when others commit all
  /// the time are the last of their changes told with the lock held.
  private func openAtNewest(_ open: () throws -> StoreWriter) throws -> StoreWriter {
    try synchronisation?.verifyBeginning()
    if !hasListeners { return try openUnheard(open) }
    var attempts = 0
    while true {
      catchUp(with: try newestReadable())
      let opened = try grants.suspended { try waiting(open) }
      attempts += 1
      if snapshot?.moment == opened.base.moment { return opened }
      do {
        try verifySchema(of: opened.base)
      } catch {
        opened.cancel()
        throw error
      }
      if attempts == 4 {
        catchUp(with: opened.base)
        return opened
      }
      opened.leave()
    }
  }

  /// True if the Realm has anyone to call when it moves.
  private var hasListeners: Bool { isAnnouncing || observers.haveListeners }

  /// Begins the transaction, and moves to where it starts from: once, however many others commit meanwhile.
  private func openUnheard(_ open: () throws -> StoreWriter) throws -> StoreWriter {
    settle()
    let opened = try grants.suspended { try waiting(open) }
    guard snapshot?.moment != opened.base.moment else { return opened }
    do {
      try verifySchema(of: opened.base)
    } catch {
      opened.cancel()
      throw error
    }
    catchUp(with: opened.base)
    return opened
  }

  /// Waits for the write lock. Says so in the log when the main thread stood still for long (U-22).
  private func waiting(_ open: () throws -> StoreWriter) rethrows -> StoreWriter {
    guard confinement == .main else { return try open() }
    let start = ContinuousClock.now
    let opened = try open()
    let waited = ContinuousClock.now - start
    if waited > .milliseconds(100) {
      Logger.shared.log(
        .warn,
        "The main thread waited \(waited) for the write lock of '\(store.path)'. Write elsewhere, or with writeAsync or asyncWrite."
      )
    }
    return opened
  }
}
