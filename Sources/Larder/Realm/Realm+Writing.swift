import Foundation

extension Realm {
  /// Runs a block in a write transaction and commits; an error thrown by the block cancels and is thrown on.
  ///
  /// Within an open write transaction the block is a part of it: an error thrown by the block undoes what the block did, and
  /// nothing else; what it did otherwise is committed, and told to observers, with the whole (U-22, beyond RealmSwift). Objects
  /// that vanish in this way are invalidated. `cancelWrite()` in such a block undoes the whole transaction; `commitWrite()`
  /// throws there.
  ///
  /// Also throws when the commit fails, on a frozen or read-only Realm, elsewhere than where the Realm lives, when more versions
  /// are in use than the configuration allows, and for tokens of a nested write (E-33 to E-37).
  ///
  /// ```swift
  /// try realm.write {
  ///   person.age += 1
  /// }
  /// ```
  ///
  /// On the Realm's thread, queue or actor; waits for other writers of the store. Costs some ten microseconds and what the disk takes to make
  /// the commit durable, however much the block changed: put many changes into one write.
  @discardableResult
  public func write<Result>(
    withoutNotifying tokens: [NotificationToken] = [], _ block: (() throws -> Result)
  ) throws -> Result {
    try core.write(tokens, { try core.openWrite(isStaying: true) }, block)
  }

  /// Writes as `write` does, but waits for other writers, of this and other processes, for at most so many seconds, and throws
  /// `Realm.Error.writeTimeout` without having run the block when the write lock was not to be had. Beyond RealmSwift (U-22).
  ///
  /// Less than a fiftieth of a second counts as that: finding out takes so long. Observers that are due are called first and take
  /// their own time.
  ///
  /// ```swift
  /// do {
  ///   try realm.write(timeout: 0.5) { person.age += 1 }
  /// } catch Realm.Error.writeTimeout {
  ///   print("another program is writing; try again later")
  /// }
  /// ```
  ///
  /// On the Realm's thread, queue or actor. Costs as `write`.
  @discardableResult
  public func write<Result>(
    timeout seconds: TimeInterval, withoutNotifying tokens: [NotificationToken] = [], _ block: (() throws -> Result)
  ) throws -> Result {
    try core.write(tokens, { try core.beginWrite(timeout: seconds) }, block)
  }

  /// Writes as `write` does, but gives up when others are writing: nil, without having run the block. Beyond RealmSwift (U-22).
  ///
  /// ```swift
  /// let isWritten = try realm.tryWrite { person.age += 1 } != nil
  /// ```
  ///
  /// Throws what `write` does, except for the timeout. On the Realm's thread, queue or actor. Costs as `write`.
  @discardableResult
  public func tryWrite<Result>(
    withoutNotifying tokens: [NotificationToken] = [], _ block: (() throws -> Result)
  ) throws -> Result? {
    // The block's own errors must go through, that of another Realm's `write(timeout:)` as well.
    var hasBegun = false
    do {
      return try write(timeout: 0, withoutNotifying: tokens) {
        hasBegun = true
        return try block()
      }
    } catch let error as Realm.Error where error.code == .writeTimeout && !hasBegun {
      return nil
    }
  }

  /// Waits for the store's one write transaction and moves to the newest version.
  ///
  /// ```swift
  /// realm.beginWrite()
  /// person.age = 36
  /// try realm.commitWrite()
  /// ```
  ///
  /// Misuse where a transaction is open already, and on a frozen or read-only Realm; `write` throws instead. On the Realm's thread, queue or
  /// actor. Costs some microseconds, and the wait for other writers.
  public func beginWrite() { core.beginWrite() }

  /// Commits the transaction. Throws when that fails, and within a nested write.
  ///
  /// ```swift
  /// realm.beginWrite()
  /// person.age = 36
  /// try realm.commitWrite()
  /// ```
  ///
  /// On the Realm's thread, queue or actor. Costs as `write`; misuse where no transaction is open.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    try core.commitWrite(withoutNotifying: tokens)
  }

  /// Undoes everything since `beginWrite()`, nested writes included.
  ///
  /// ```swift
  /// realm.beginWrite()
  /// person.age = 0
  /// realm.cancelWrite()
  /// ```
  ///
  /// Misuse where no transaction is open. On the Realm's thread, queue or actor. Costs next to nothing: what was changed was not written yet.
  public func cancelWrite() { core.cancelWrite() }

  /// A Boolean value that says whether a write transaction of this Realm is open.
  public var isInWriteTransaction: Bool { core.isWriting }
}

extension RealmCore {
  fileprivate func write<Result>(
    _ tokens: [NotificationToken], _ begin: () throws -> Void, _ block: () throws -> Result
  ) throws -> Result {
    try verifyBeginning()
    if isWriting {
      if !tokens.isEmpty {
        throw Realm.Error.make(
          .fail, "Observers cannot be left out of a nested write: its changes come with the whole transaction's.",
          path: store.path)
      }
      return try nestedWrite(block)
    }
    do { try begin() } catch { throw Realm.Error(error, path: store.path) }
    if !tokens.isEmpty { announcer?.leaveOut(tokens, of: writeNumber) }
    let result: Result
    do {
      result = try block()
    } catch {
      if isWriting { cancelWrite() }
      throw error
    }
    if isWriting { try commitWrite(withoutNotifying: tokens) }
    return result
  }

  /// Throws what `beginWrite()` ends the process with.
  private func verifyBeginning() throws {
    try verifyThread()
    let problem: String? =
      if isFrozen {
        "This Realm is frozen and cannot be written; use thaw()."
      } else if configuration.readOnly {
        "This Realm is read-only and cannot be written."
      } else {
        nil
      }
    if let problem { throw Realm.Error.make(.fail, problem, path: store.path) }
    if !isWriting { try verifyActiveVersions() }
  }
}
