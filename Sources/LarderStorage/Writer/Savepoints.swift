import LarderLMDB

/// The state of a transaction in memory once everything is written out: enough to come back to it.
private struct WriterMark {
  struct Class {
    let owner: ClassWriter
    let count: UInt64
    let written: Set<Int>
    let primaryKeys: PrimaryKeyChanges
    let unique: UniqueChanges
    let ghosts: GhostChanges
  }

  let classes: [Class]
  let writtenTrees: Set<PairTreeID>
  let lastLeafWord: UInt64?
  let changes: ChangeRecorder.Mark
}

/// Parts of a transaction that can be undone by themselves.
struct Savepoints {
  let writer: StoreWriter

  func run<R>(_ body: () throws -> R) throws -> R {
    guard !writer.hasEnded else { throw StorageError(.transactionEnded, "The write transaction has ended.") }
    return try storageErrors(writer.store.path) {
      try writer.closeLists()
      try writer.flush()
      let mark = mark()
      do {
        return try writer.transaction.savepoint(body)
      } catch {
        if !writer.hasEnded { restore(mark) }
        throw error
      }
    }
  }

  private func mark() -> WriterMark {
    WriterMark(
      classes: writer.classes.compactMap { $0 }.map { owner in
        WriterMark.Class(
          owner: owner, count: owner.count, written: owner.written, primaryKeys: owner.primaryKeys,
          unique: owner.unique, ghosts: owner.ghosts)
      }, writtenTrees: writer.trees.written, lastLeafWord: writer.cache.lastLeafWord, changes: writer.recorder.mark())
  }

  /// Comes back to a mark; LMDB has done so already.
  private func restore(_ mark: WriterMark) {
    // A class that was used only since then is as it was in the base version.
    let known = Set(mark.classes.map { ObjectIdentifier($0.owner) })
    for case let owner? in writer.classes where !known.contains(ObjectIdentifier(owner)) {
      let id = owner.descriptor.id
      owner.restore(
        count: (try? writer.base.count(of: id)).map(UInt64.init) ?? writer.base.state[id].count, written: [])
      owner.resetPrimaryKeys()
      owner.unique.forget()
      owner.ghosts = GhostChanges()
    }
    for entry in mark.classes {
      entry.owner.restore(count: entry.count, written: entry.written)
      entry.owner.primaryKeys = entry.primaryKeys
      entry.owner.unique = entry.unique
      entry.owner.unique.forgetHolders()
      entry.owner.ghosts = entry.ghosts
    }
    writer.openLists.rollBack()
    writer.trees.rollBack(to: mark.writtenTrees)
    writer.cache.rollBack(to: mark.lastLeafWord)
    writer.recorder.restore(mark.changes)
  }
}

extension ClassWriter {
  /// Forgets what is decoded. Keys that were given stay given: accessors of what vanished must not come to show other objects.
  fileprivate func restore(count: UInt64, written: Set<Int>) {
    self.count = count
    self.written = written
    clusters = [:]
    current = nil
    isDirty = false
    hasNewLinks = false
    unique.forgetHolders()
  }
}

extension StoreWriter {
  /// Runs `body` and keeps its changes, or drops exactly them, those in the log included, when it throws. Nests.
  ///
  /// The schema must not change inside, and `commit()` inside is an error; `cancel()` ends the whole transaction. Keys of objects
  /// that vanish are not given again. Costs writing out what waits in memory, and a child transaction of LMDB.
  package func savepoint<R>(_ body: () throws -> R) throws -> R { try Savepoints(writer: self).run(body) }
}
