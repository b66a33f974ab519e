import LarderStorage

/// The lending of a Realm of the place `Confinement.scope` to one block after the other.
extension RealmCore {
  /// Runs a block that reads one version.
  ///
  /// - Parameter newest: That version; nil where it begins when it is first read.
  func readInScope<Result>(at newest: Snapshot?, _ block: (Realm) throws -> Result) throws -> Result {
    lend()
    defer { takeBack() }
    // Observers and refreshing would move it on.
    autorefresh = false
    if let newest { catchUp(with: newest) }
    let result = try block(Realm(self))
    if isWriting {
      throw Realm.Error.make(.fail, "A write transaction was begun in Realm.read: use Realm.write.", path: store.path)
    }
    return result
  }

  /// Runs a block in a transaction that was begun for it, and begins its commit.
  ///
  /// - Returns: What the block returned, and the commit where it is not over yet: `finishInScope` comes when it is.
  func writeInScope<Result>(
    _ opened: StoreWriter, _ block: (Realm) throws -> Result
  ) throws -> (result: Result, commit: BackgroundCommit?) {
    lend()
    defer { takeBack() }
    autorefresh = true
    do {
      try verifyActiveVersions()
      try verifySchema(of: opened.base)
    } catch {
      opened.cancel()
      throw Realm.Error(error, path: store.path)
    }
    catchUp(with: opened.base)
    begin(opened)
    let number = writeNumber
    let result: Result
    do {
      result = try block(Realm(self))
    } catch {
      if isWriting { cancelWrite() }
      throw error
    }
    guard isWriting, writeNumber == number else { return (result, nil) }
    // Who waits for the lock makes this commit durable with its own.
    if store.isWriterAwaited { return (result, commitInBackground()) }
    try commitWrite(withoutNotifying: [])
    return (result, nil)
  }

  /// Ends a commit that `writeInScope` has begun; throws when it failed.
  func finishInScope(_ commit: BackgroundCommit) throws {
    lend()
    defer { takeBack() }
    try finish(commit)
  }

  /// Gives up what the block has left: the version, an open transaction.
  func endScope() {
    lend()
    // Whatever the block has kept is of no use any more, and keeps no version.
    invalidate()
    takeBack()
  }
}
