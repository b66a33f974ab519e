import LarderStorage

extension Realm {
  /// Runs a block on a version of a store, from any task: a request of a server, a nonisolated function. Beyond RealmSwift.
  ///
  /// The Realm, its objects and its collections belong to the block and end with it. What the block returns leaves them: values, or
  /// copies made with `detached()`. The block reads the newest version. It may not write. Misuse in it is what calls back later.
  /// Throws what opening and the block throw, and `CancellationError` when the task is cancelled before the block has begun. Costs some
  /// microseconds while the store is open, which it stays for a while after a block (`StoreKeeping`).
  public static func read<Result>(
    configuration: Realm.Configuration = .defaultConfiguration, _ block: @Sendable (Realm) throws -> sending Result
  ) async throws -> sending Result {
    let (lent, newest) = try await ScopedRealms.shared.borrow(configuration)
    return try ScopedRealms.shared.read(lent, at: newest, block).value
  }

  /// Runs a block in a write transaction, from any task, and commits. Beyond RealmSwift.
  ///
  /// As `Realm.read`; the task is suspended while it waits for the write lock and the disk. The block runs on a thread of the store's.
  /// Throws also when the commit fails; nothing is stored then, and nothing is when the block throws.
  @discardableResult
  public static func write<Result>(
    configuration: Realm.Configuration = .defaultConfiguration, _ block: @Sendable (Realm) throws -> sending Result
  ) async throws -> sending Result {
    let (lent, newest) = try await ScopedRealms.shared.borrow(configuration)
    return try await ScopedRealms.shared.write(lent, at: newest, block).value
  }
}

extension ScopedRealms {
  /// A Realm for one block, and the newest version if it is known. Suspends while the store is opened.
  fileprivate func borrow(_ configuration: Realm.Configuration) async throws -> (LentRealm, Snapshot?) {
    try Task.checkCancellation()
    if let found = take(configuration) { return (found.realm, found.newest) }
    return (LentRealm(try await BackgroundOpening.open(configuration, newPlace, .never)), nil)
  }

  /// Runs a block that reads with a borrowed Realm, and takes that back.
  fileprivate func read<Result>(
    _ lent: LentRealm, at newest: Snapshot?, _ block: (Realm) throws -> Result
  ) throws -> UncheckedBox<Result> {
    defer { giveBack(lent) }
    return UncheckedBox(try lent.core.readInScope(at: newest, block))
  }

  /// The same for a block that writes.
  ///
  /// - Parameter newest: The newest version, which the transaction most likely starts from.
  fileprivate func write<Result>(
    _ lent: LentRealm, at newest: Snapshot?, _ block: @Sendable (Realm) throws -> sending Result
  ) async throws -> UncheckedBox<Result> {
    defer { giveBack(lent) }
    return try await ScopedWrite(lent).write(at: newest, block)
  }
}
