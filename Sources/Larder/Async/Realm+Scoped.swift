extension Realm {
  /// Runs a block on a version of a store, from any task: a request of a server, a nonisolated function. Beyond RealmSwift.
  ///
  /// The Realm, its objects and its collections belong to the block and end with it. What the block returns leaves them: values, or
  /// copies made with `detached()`; the compiler refuses anything else. The block runs on an actor of its own, reads one version, and
  /// any number of such blocks run at the same time. It may not write.
  ///
  /// Throws what opening throws (`Realm.Error`), what the block throws, and `CancellationError` when the task is cancelled before
  /// the block has begun. Opening is quick while something else in the process has the store open: a program that calls this often
  /// keeps a Realm open as long as it runs.
  public static func read<Result>(
    configuration: Realm.Configuration = .defaultConfiguration, _ block: @Sendable (Realm) throws -> sending Result
  ) async throws -> sending Result {
    try await ScopedAccess().read(configuration, block)
  }

  /// Runs a block in a write transaction, from any task, and commits. Beyond RealmSwift.
  ///
  /// As `Realm.read`; the task is suspended, and blocks no thread, while it waits for the write lock and while the commit is written
  /// to disk. Throws also when the commit fails; nothing is stored then, and nothing is when the block throws.
  @discardableResult
  public static func write<Result>(
    configuration: Realm.Configuration = .defaultConfiguration, _ block: @Sendable (Realm) throws -> sending Result
  ) async throws -> sending Result {
    try await ScopedAccess().write(configuration, block)
  }
}

/// The place of a block that is run on a Realm of its own.
private actor ScopedAccess {
  func read<Result>(
    _ configuration: Realm.Configuration, _ block: @Sendable (Realm) throws -> sending Result
  ) async throws -> sending Result {
    let realm = try await Realm.open(configuration: configuration)
    // Whatever the block has kept of it is of no use any more, and keeps no version.
    defer { realm.invalidate() }
    // Observers and refreshing would move it on.
    realm.autorefresh = false
    let result = UncheckedBox(try block(realm))
    if realm.isInWriteTransaction {
      throw Realm.Error.make(.fail, "A write transaction was begun in Realm.read: use Realm.write.")
    }
    return result.value
  }

  func write<Result>(
    _ configuration: Realm.Configuration, _ block: @Sendable (Realm) throws -> sending Result
  ) async throws -> sending Result {
    let realm = try await Realm.open(configuration: configuration)
    defer { realm.invalidate() }
    let result = try await realm.asyncWrite { UncheckedBox(try block(realm)) }
    return result.value
  }
}
