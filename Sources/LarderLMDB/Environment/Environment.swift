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
  /// Which file it is; also its name in the process's registry.
  package let identity: FileIdentity
  let ledger = TransactionLedger()
  let writers = WriterGate()
  let turns = WriterTurns()
  private let tables: [String: Table]
  private let tableList: [Table]
  private let lockPath: String
  private let lockIdentity: FileIdentity?
  /// The process that opened it, for messages.
  private let process = getpid()
  /// The same, told without asking the system.
  private let forks = ForkCount.current
  private let death = Lock<LMDBError?>(nil)
  private let thread = Lock<WriterThread?>(nil)
  private let lastReaderCheck = Atomic<UInt64>(0)
  private let lastFileCheck = Atomic<UInt64>(0)
  /// The entries of the files' directory, and how they were when the files were looked at last.
  private let entries: DirectoryEntries?
  private let seenEntries = Lock<DirectoryEntries.Change?>(nil)
  /// The id of the last transaction that this process committed.
  let lastOwnTransactionID = Atomic<UInt64>(0)
  /// The map size that a transaction did not fit into; the next one begins by growing it.
  let outgrownMapSize = Atomic<Int>(0)
  /// Whether there is no map any more: growing it failed half way. Set and read within `ledger.withMap`.
  let isMapLost = Atomic<Bool>(false)
  /// Whether a transaction found no room since the file was cut back last.
  private let isOverfull = Atomic<Bool>(false)
  private let isSealed = Atomic<Bool>(false)
  private let cipher = Lock<ValueSealing?>(nil)

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

  /// Whether opening failed because another process compacted or removed the file meanwhile.
  private static func hasMoved(_ error: LMDBError, _ path: String, _ options: EnvironmentOptions) -> Bool {
    if error.code == .fileReplaced { return error.operation == "mdb_env_open" }
    return error.code == .noSuchFile && !options.readOnly && access(directoryPath(of: path), F_OK) == 0
  }

  private init(_ opened: EnvironmentOpening.Result, _ path: String, _ options: EnvironmentOptions) {
    handle = opened.handle
    identity = opened.identity
    lockPath = path + "-lock"
    lockIdentity = FileIdentity(path: lockPath)
    entries = options.readOnly ? nil : DirectoryEntries(of: path)
    tableList = opened.tables
    tables = Dictionary(uniqueKeysWithValues: opened.tables.map { ($0.name, $0) })
    self.path = path
    self.options = options
  }

  deinit {
    // After a fork the child must neither end the parent's transactions nor clear its reader slots: it leaks.
    guard isOpeningProcess else { return }
    ledger.dropIdle()
    mdb_env_close(handle)
    EnvironmentRegistry.shared.remove(identity)
  }

  /// The table of that name; traps for a name that was not in the options.
  package func table(_ name: String) -> Table {
    guard let table = tables[name] else { preconditionFailure("table \(name) was not opened") }
    return table
  }

  /// The thread that begins, writes and commits for callers that cannot stay on one thread. Made at first use.
  package var writerThread: WriterThread {
    thread.withLock { thread in
      if let thread { return thread }
      let made = WriterThread(name: "larder-writer")
      thread = made
      return made
    }
  }

  // MARK: - Sealing

  /// Passes the values of all transactions that begin from now on through a cipher. Only the first call counts: the values of a
  /// file are sealed in one way.
  package func seal(with made: any ValueCipher) {
    cipher.withLock { $0 = $0 ?? ValueSealing(made) }
    isSealed.store(true, ordering: .releasing)
  }

  /// How values are sealed; nil when they are as they are.
  var sealing: ValueSealing? {
    isSealed.load(ordering: .acquiring) ? cipher.withLock { $0 } : nil
  }

  // MARK: - Reading

  /// Begins a read transaction at the newest committed version, warmed for use by any thread.
  ///
  /// Costs well under a microsecond. Throws `readersFull`, `panic`, `forked`, `readersPinMap`.
  package func beginRead() throws -> ReadTransaction {
    try refuseUnusable()
    // A commit is visible in the meta page a moment before readers are told of it: begin again until they are. A
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
      for table in tableList { try warm(begun, table) }
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

  /// Whether this process made the newest commit.
  package var isNewestOwn: Bool { lastTransactionID == lastOwnTransactionID.load(ordering: .acquiring) }

  /// Whether this process has a write transaction open. No other writer can commit then.
  package var isWriting: Bool { writers.isHeld }

  var info: MDB_envinfo {
    ledger.withMap {
      var info = MDB_envinfo()
      if isMapLost.load(ordering: .relaxed) { return info }
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
    try refuseUnusable()
    if options.readOnly { throw LMDBError(.readOnly, "begin of a write transaction", detail: path) }
    try writers.acquire()
    do {
      // The writer before this one may have left the environment dead.
      try refuseUnusable()
      try growAhead()
      checkReadersNowAndThen()
      let begun = try beginHandle(0)
      do {
        try refuseReplacedFilesNowAndThen()
      } catch {
        mdb_txn_abort(begun)
        ledger.leave()
        throw error
      }
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
    if isOverfull.exchange(false, ordering: .acquiringAndReleasing) { cutBack() }
    writers.release()
    if isLent { turns.end() }
  }

  /// Gives back what a transaction for which there was no room wrote behind the last page in use: nothing of it was kept, and on a full
  /// disk nobody else could write. Best effort, under the write lock; no version has pages there.
  private func cutBack() {
    guard isOpeningProcess, death.withLock({ $0 == nil }), let begun = try? beginHandle(0) else { return }
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

  /// Ten times a second at most: a commit asks again in any case.
  private func refuseReplacedFilesNowAndThen() throws {
    guard DispatchTime.now().uptimeNanoseconds &- lastFileCheck.load(ordering: .relaxed) > 100_000_000 else { return }
    try refuseReplacedFiles()
  }

  /// As `refuseReplacedFiles()`, without looking at the files when a look less than a tenth of a second ago found them and no entry
  /// of their directory has changed since.
  func refuseReplacedFilesAtCommit() throws {
    let age = DispatchTime.now().uptimeNanoseconds &- lastFileCheck.load(ordering: .relaxed)
    if age < 100_000_000, let seen = seenEntries.withLock({ $0 }), seen == entries?.change() { return }
    try refuseReplacedFiles()
  }

  /// Throws `fileReplaced` when the path or the lock file's path has come to mean another file since the open.
  ///
  /// With another lock file a second process would write at the same time, and one of the commits would vanish.
  func refuseReplacedFiles() throws {
    lastFileCheck.store(0, ordering: .relaxed)
    let change = entries?.change()
    guard FileIdentity(path: lockPath) == lockIdentity else {
      throw LMDBError(
        .fileReplaced, "begin of a write transaction",
        detail: "the lock file \(path)-lock was deleted or replaced; close the database in every process")
    }
    guard FileIdentity(path: path) == identity else {
      throw LMDBError(
        .fileReplaced, "begin of a write transaction",
        detail: "\(path) was deleted or replaced; close the database in every process")
    }
    seenEntries.withLock { $0 = change }
    lastFileCheck.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed)
  }

  // MARK: - Beginning

  /// Begins a transaction inside of the ledger. Adopts a map that another process grew; frees dead reader slots.
  private func beginHandle(_ flags: UInt32) throws -> OpaquePointer {
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
    if code == .panic { condemn(error) }
    if error.isOutOfSpace { isOverfull.store(true, ordering: .releasing) }
    if code == .mapFull { outgrownMapSize.store(mapSize, ordering: .relaxed) }
    return error
  }

  /// Makes every later begin throw `error`.
  func condemn(_ error: LMDBError) {
    death.withLock { $0 = $0 ?? error }
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

  /// False in a child that was forked off the process that opened it: what it holds is the parent's.
  var isOpeningProcess: Bool { forks == ForkCount.current }

  func refuseUnusable() throws {
    guard isOpeningProcess else {
      throw LMDBError(.forked, "begin", detail: "\(path) was opened by process \(process); exec before using it")
    }
    if let error = death.withLock({ $0 }) { throw error }
  }

  private func checkReadersNowAndThen() {
    let now = DispatchTime.now().uptimeNanoseconds
    let last = lastReaderCheck.load(ordering: .relaxed)
    guard now &- last > 10_000_000_000 else { return }
    lastReaderCheck.store(now, ordering: .relaxed)
    var dead: Int32 = 0
    mdb_reader_check(handle, &dead)
  }
}
