import CLMDB
import Foundation
import LarderLocks
import Synchronization

/// One LMDB environment: one file, its lock file (`<file>-lock`), and its tables.
///
/// Mirrors `mdb_env_create` and `mdb_env_open`. All members may be used from any thread, except that a
/// `WriteTransaction` stays on the thread that began it. The environment closes when the last reference to it and
/// to its transactions goes.
///
/// - Important: No code of the process may open and close the lock file (not to copy, hash or back it up either):
///   that drops every lock the process holds on it. Use `copy(to:)`.
package final class Environment: @unchecked Sendable {
  // Unchecked: `handle` is LMDB's thread-safe environment; the rest is immutable or guards itself.
  let handle: OpaquePointer
  /// The data file, its directory resolved.
  package let path: String
  package let options: EnvironmentOptions
  /// The identity of the file; also its name in the process's registry.
  package let identity: FileIdentity
  let ledger = TransactionLedger()
  let writers = WriterGate()
  /// For what must not keep it open.
  package let reference = ClearedReference<Environment>()
  let tables: EnvironmentTables
  let threads = EnvironmentThreads()
  let health: EnvironmentHealth
  let files: FileGuard
  let map = MapState()
  private let sealingSlot = SealingSlot()
  private let lastReaderCheck = Atomic<UInt64>(0)
  /// The id of the last transaction that this process committed.
  let lastOwnTransactionID = Atomic<UInt64>(0)

  var turns: WriterTurns { writers.turns }

  /// Opens the environment, creating file and tables where needed, or returns the one that is open in this process.
  ///
  /// Throws `LMDBError`: what is wrong with the file (`EnvironmentPreflight`), `openedDifferently`, `forked`, or
  /// what the system said. Waits for another process that is just creating the file.
  package static func open(path: String, options: EnvironmentOptions) throws -> Environment {
    let path = canonicalPath(path)
    var attempts = 0
    while true {
      do {
        if !options.readOnly { try NewDataFile.make(path) }
        let identity = try FileIdentity(existing: path)
        return try EnvironmentRegistry.shared.environment(identity, path: path, options: options) {
          try Environment(EnvironmentOpening.open(path: path, identity: identity, options: options), path, options)
        }
      } catch let error as LMDBError where hasMoved(error, path, options) && attempts < 8 {
        attempts += 1
      }
    }
  }

  /// Returns true if opening failed because another process compacted or removed the file meanwhile.
  private static func hasMoved(_ error: LMDBError, _ path: String, _ options: EnvironmentOptions) -> Bool {
    if error.code == .fileReplaced { return error.operation == "mdb_env_open" }
    return error.code == .noSuchFile && !options.readOnly && access(directoryPath(of: path), F_OK) == 0
  }

  private init(_ opened: EnvironmentOpening.Result, _ path: String, _ options: EnvironmentOptions) {
    handle = opened.handle
    identity = opened.identity
    tables = EnvironmentTables(opened.tables)
    if !opened.optional.isEmpty { tables.set(opened.optional) }
    health = EnvironmentHealth(path: path)
    files = FileGuard(path: path, identity: opened.identity, readOnly: options.readOnly)
    self.path = path
    self.options = options
    reference.set(self)
  }

  deinit {
    reference.clear()
    // After a fork the child must neither end the parent's transactions nor clear its reader slots: it leaks.
    guard isOpeningProcess else { return }
    ledger.dropIdle()
    mdb_env_close(handle)
    EnvironmentRegistry.shared.remove(identity)
  }

  /// The table of that name; traps for a name that was not in the options.
  package func table(_ name: String) -> Table {
    guard let table = tables.fixed.first(where: { $0.name == name }) else {
      preconditionFailure("table \(name) was not opened")
    }
    return table
  }

  /// The thread that begins, writes and commits for callers that cannot stay on one thread.
  package var writerThread: WriterThread { threads.writer }

  /// Waits until the environment's own threads have let go of it; at once when they do nothing.
  @available(*, noasync, message: "waits for the environment's threads")
  package func drainThreads() {
    // A transaction that is open keeps it open in any case.
    guard isOpeningProcess, !turns.isTaken else { return }
    threads.writer.drain()
    threads.flush.drain()
  }

  // MARK: - Sealing

  /// Passes the values of all transactions that begin from now on through a cipher. Only the first call counts: the values of a
  /// file are sealed in one way.
  package func seal(with made: any ValueCipher) {
    sealingSlot.set(made)
  }

  /// The way in which values are sealed; nil when they are stored as they are.
  var sealing: ValueSealing? { sealingSlot.value }

  // MARK: - Reading

  /// Begins a read transaction at the newest committed version, warmed for use by any thread.
  ///
  /// Costs well under a microsecond. Throws `readersFull`, `panic`, `forked`, `readersPinMap`.
  package func beginRead() throws -> ReadTransaction {
    try health.check()
    // A commit is visible in the meta page a moment before readers are notified of it: begin again until they are. A
    // writer killed in that moment never tells; the version before it is then as good, so the retries are bounded.
    let newest = lastTransactionID
    var begun = try beginReadHandle()
    var retries = 0
    while UInt64(mdb_txn_id(begun)) < newest && retries < 100 {
      ledger.unpin(begun)
      sched_yield()
      begun = try beginReadHandle()
      retries += 1
    }
    do {
      for table in tables.fixed { try warm(begun, table) }
      for table in tables.optional { try warm(begun, table) }
    } catch {
      ledger.unpin(begun)
      throw error
    }
    return ReadTransaction(handle: begun, environment: self)
  }

  /// Touches a table once: LMDB refreshes its record in the transaction then, and never writes there again.
  @inline(__always)
  private func warm(_ transaction: OpaquePointer, _ table: Table) throws {
    var stat = MDB_stat()
    try check(mdb_stat(transaction, table.handle, &stat), "mdb_stat")
  }

  private func beginReadHandle() throws -> OpaquePointer {
    let handle = try beginHandle(UInt32(MDB_RDONLY))
    ledger.pin(handle)
    return handle
  }

  func recycle(_ transaction: OpaquePointer) {
    // In a forked child, ending the transaction would clear the parent's reader slot.
    guard isOpeningProcess else { return }
    ledger.unpin(transaction)
  }

  /// The id of the last committed transaction, read from shared memory in a few nanoseconds. `mdb_env_info`.
  package var lastTransactionID: UInt64 { UInt64(info.me_last_txnid) }

  /// True if this process made the newest commit.
  package var isNewestOwn: Bool { lastTransactionID == lastOwnTransactionID.load(ordering: .acquiring) }

  /// True if another writer of this process waits for the lock.
  package var isWriterAwaited: Bool { turns.hasWaiting || writers.hasWaiting }

  /// True if the path still leads to the file that was opened.
  package var isInPlace: Bool { FileIdentity(path: path) == identity }

  /// True if this process has a write transaction open. No other writer can commit then.
  package var isWriting: Bool { writers.isHeld }

  var info: MDB_envinfo {
    ledger.withMap {
      var info = MDB_envinfo()
      if map.isLost.load(ordering: .relaxed) { return info }
      mdb_env_info(handle, &info)
      return info
    }
  }

  // MARK: - Writing

  /// Begins the write transaction; waits for the one writer of the file, in whatever process it is.
  ///
  /// Begin, use and end it on one thread. Throws `wrongThread` instead of waiting for itself, `readOnly`,
  /// `fileReplaced`, `panic`, `forked`.
  @available(*, noasync, message: "a write transaction stays on one thread: use writerThread")
  package func beginWrite() throws -> WriteTransaction { try beginWrite(isLent: false) }

  func beginWrite(isLent: Bool) throws -> WriteTransaction {
    try health.check()
    if options.readOnly { throw LMDBError(.readOnly, "begin of a write transaction", detail: path) }
    try writers.acquire()
    do {
      // The writer before this one may have left the environment dead.
      try health.check()
      try growAhead()
      checkReadersNowAndThen()
      let begun = try whileMarkedWaiting { try beginHandle(0) }
      do {
        try files.checkNowAndThen()
      } catch {
        mdb_txn_abort(begun)
        ledger.leave()
        throw error
      }
      threads.writer.hold()
      return WriteTransaction(handle: begun, environment: self, isLent: isLent)
    } catch {
      writers.release()
      throw error
    }
  }

  /// Runs `body` in a write transaction and commits it; grows the map and runs it again when it did not fit.
  ///
  /// `body` may run more than once, each time against the state before it. Throws what `body` throws, after
  /// dropping its changes.
  @available(*, noasync, message: "a write transaction stays on one thread: use writerThread")
  package func write<R>(_ body: (WriteTransaction) throws -> R) throws -> R {
    while true {
      let size = mapSize
      let transaction = try beginWrite()
      do {
        let result = try body(transaction)
        try transaction.commit()
        return result
      } catch let error as LMDBError where error.code == .mapFull {
        transaction.abort()
        try growMap(beyond: size)
      } catch {
        transaction.abort()
        throw error
      }
    }
  }

  func writeEnded(isLent: Bool) {
    ledger.leave()
    letOthersWrite(isLent: isLent)
  }

  func letOthersWrite(isLent: Bool) {
    if map.isOverfull.exchange(false, ordering: .acquiringAndReleasing) { cutBack() }
    threads.writer.letGo()
    writers.release()
    if isLent { turns.end() }
  }

  /// Gives back what a transaction for which there was no room wrote after the last page in use: nothing of it was kept, and on a full
  /// disk no one else could write. Best effort, under the write lock; no version has pages there.
  private func cutBack() {
    guard isOpeningProcess, health.isAlive, let begun = try? beginHandle(0) else { return }
    defer {
      mdb_txn_abort(begun)
      ledger.leave()
    }
    var (pages, descriptor, status) = (MDB_stat(), mdb_filehandle_t(), stat())
    guard mdb_env_stat(handle, &pages) == 0, mdb_env_get_fd(handle, &descriptor) == 0, fstat(descriptor, &status) == 0
    else { return }
    let needed = off_t((info.me_last_pgno + 1) * Int(pages.ms_psize))
    if status.st_size > needed { _ = ftruncate(descriptor, needed) }
  }

  // MARK: - Beginning

  /// Begins a transaction inside of the ledger. Adopts a map that another process grew; frees dead reader slots.
  func beginHandle(_ flags: UInt32) throws -> OpaquePointer {
    let isReading = flags & UInt32(MDB_RDONLY) != 0
    var hasCheckedReaders = false
    for _ in 0..<64 {
      let pooled = ledger.enter(reading: isReading)
      var begun = pooled
      let result = pooled.map { mdb_txn_renew($0) } ?? mdb_txn_begin(handle, nil, flags, &begun)
      if result == 0, let begun { return begun }
      if let pooled { mdb_txn_abort(pooled) }
      ledger.leave()
      switch result {
      case MDB_MAP_RESIZED:
        try adoptMap()
      case MDB_READERS_FULL where !hasCheckedReaders:
        hasCheckedReaders = true
        ledger.dropIdle()
        try clearDeadReaders()
      default:
        throw failure(result, isReading ? "mdb_txn_begin" : "mdb_txn_begin (write)")
      }
    }
    throw LMDBError(.mapResized, "mdb_txn_begin", detail: "another process keeps growing \(path)")
  }

  /// Turns a result into an error that says what to do, and remembers that the environment is dead.
  func failure(_ result: Int32, _ operation: String) -> LMDBError {
    var code = LMDBError.Code(rawValue: result)
    // LMDB reports a write that was cut short, as it is at the end of the room, as an input/output error.
    if code == .inputOutput && isOutOfRoom { code = .noSpace }
    let error = LMDBError(code, operation, detail: advice(code))
    if code == .panic { health.condemn(error) }
    if error.isOutOfSpace { map.isOverfull.store(true, ordering: .releasing) }
    if code == .mapFull { map.outgrownSize.store(mapSize, ordering: .relaxed) }
    return error
  }

  private func advice(_ code: LMDBError.Code) -> String {
    switch code {
    case .panic:
      "\(path): a write failed half way or a writing thread ended; close every use of it in this process and reopen"
    case .readersFull:
      "all \(readerSlots) reader slots of \(path) are taken, \(liveReaders.count) by this process"
    case .noSpace, .quotaExceeded, .fileTooLarge:
      "no room to write \(path); nothing of this transaction was kept"
    case .accessDenied, .readOnlyFileSystem:
      "\(path) or its lock file may not be written"
    default: path
    }
  }

  /// True when the file system, or the size a file of this process may have, is used up.
  private var isOutOfRoom: Bool {
    var system = statvfs()
    if statvfs(path, &system) == 0, UInt64(system.f_bavail) * UInt64(system.f_frsize) < 1 << 20 { return true }
    var status = stat()
    guard let limit = fileSizeLimit(), stat(path, &status) == 0 else { return false }
    return UInt64(status.st_size) + 1 << 20 > limit
  }

  /// False in a child that was forked off the process that opened it.
  package var isOpeningProcess: Bool { health.isOpeningProcess }

  /// Throws `forked` in such a child, which must use nothing that it inherited.
  @inline(__always)
  package func checkProcess(_ operation: @autoclosure () -> String) throws { try health.checkProcess(operation()) }

  private func checkReadersNowAndThen() {
    let now = coarseNanoseconds()
    let last = lastReaderCheck.load(ordering: .relaxed)
    guard now &- last > 10_000_000_000 else { return }
    lastReaderCheck.store(now, ordering: .relaxed)
    var dead: Int32 = 0
    mdb_reader_check(handle, &dead)
  }
}
