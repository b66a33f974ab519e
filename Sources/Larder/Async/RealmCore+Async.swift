import LarderStorage

extension RealmCore {
  /// The queued writes of this Realm, made when they are first asked for.
  var asyncWrites: AsyncWrites {
    if let known = queuedWrites as? AsyncWrites { return known }
    let made = AsyncWrites()
    queuedWrites = made
    return made
  }

  /// Misuse unless tasks can be resumed where the Realm lives (E-41).
  func checkTasks(_ what: String) {
    checkThread()
    switch confinement {
    case .main, .actor: return
    case .thread, .queue, .scope, .anywhere:
      misuse(
        "\(what) needs a Realm of the main thread or of an actor: open it with Realm(actor:). This one is of \(confinement.text)."
      )
    }
  }

  /// Waits, suspended, for the write lock, and tells observers of the version the transaction starts from.
  ///
  /// Throws `CancellationError` when the task is cancelled meanwhile; only its own request is taken back then.
  func acquireWrite(_ actor: isolated any Actor) async throws -> StoreWriter {
    let (answers, answer) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let grant = WriteGrant(store) { answer.yield() }
    grants.add(grant)
    defer { grants.remove(grant) }
    grant.ask()
    var iterator = answers.makeAsyncIterator()
    while await iterator.next(isolation: actor) != nil, !Task.isCancelled {
      do {
        // Observers may write here, and so take the lock away: the grant then asks again.
        if let base = grant.base {
          try verifySchema(of: base)
          catchUp(with: base)
        }
        if let writer = try grant.take() { return writer }
      } catch {
        grant.cancel()
        throw Realm.Error(error, path: store.path)
      }
    }
    grant.cancel()
    throw CancellationError()
  }

  /// Moves on to what a commit in the background made, and tells the Realm's observers; throws when it failed.
  func finish(_ commit: BackgroundCommit) throws {
    defer { observers.turnIfMissed(self) }
    if backgroundCommit === commit { settle() }
    if let failure = commit.failure { throw Realm.Error(failure, path: store.path) }
    observers.send(.didChange, self)
  }
}
