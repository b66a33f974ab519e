import CLMDB
import Foundation

/// The write transaction of an environment: begun, used and ended on one OS thread, unless it is lent (`requestWrite`).
///
/// Dropping it without `commit()` aborts it. Mirrors `mdb_txn_begin`, `mdb_put`, `mdb_del`, `mdb_txn_commit`.
/// After `mapFull` it is dead: abort, `growMap(beyond:)`, and do everything again (`Environment.write` does).
package final class WriteTransaction {
  /// The innermost open LMDB transaction: this one, or the open savepoint; nil after the end.
  private var handle: OpaquePointer?
  /// The transactions that wait for the savepoint above them, outermost first.
  private var waiting: [(handle: OpaquePointer, serial: Int)] = []
  /// Names the innermost transaction, for the cursors that belong to it.
  private(set) var serial = 0
  private var lastSerial = 0
  package let environment: Environment
  package let transactionID: UInt64
  private let thread: pthread_t
  /// Used anywhere, ended on the writer thread.
  package let isLent: Bool
  private(set) var sealing: ValueSealing?
  /// True if anything was written, in a savepoint that was undone too.
  @exclusivity(unchecked) package private(set) var hasChanged = false
  /// The values opened since the last change.
  private var held: [ObjectIdentifier: OpenedValue] = [:]
  /// The buffer in which values are sealed before they are stored.
  private var room: [UInt8] = []
  /// The optional tables that this transaction made or opened.
  private var madeTables: [Table] = []
  /// True if the optional tables were there when the transaction began.
  package let knowsOptionalTables: Bool

  init(handle: OpaquePointer, environment: Environment, isLent: Bool) {
    self.handle = handle
    self.isLent = isLent
    self.environment = environment
    self.transactionID = UInt64(mdb_txn_id(handle))
    sealing = environment.sealing
    knowsOptionalTables = !environment.tables.optional.isEmpty
    self.thread = pthread_self()
  }

  deinit { abort() }

  @inline(__always)
  private func live() throws -> OpaquePointer {
    guard let handle, isLent || isOwnThread else { throw unusable() }
    // A child that was forked off has the thread, the lock's number and the file: what it committed would be lost with the parent's commit.
    try environment.checkProcess("write transaction")
    return handle
  }

  private var isOwnThread: Bool { pthread_equal(thread, pthread_self()) != 0 }

  @inline(never)
  private func unusable() -> LMDBError {
    handle == nil
      ? LMDBError(.badTransaction, "write transaction", detail: "it has ended")
      : LMDBError(.wrongThread, "write transaction", detail: "it was begun by another thread")
  }

  // MARK: - Reading

  /// The value stored under a key, or nil; valid until the next change. `mdb_get`.
  @inline(__always)
  package func get(_ table: Table, _ key: KeyBytes) throws -> ByteView? {
    guard let found = try getValue(live(), table, key) else { return nil }
    guard let sealing else { return found }
    return try key.withBytes { try open(found, sealing, table, $0) }
  }

  /// The value that was sealed, valid until the next change.
  func open(
    _ found: ByteView, _ sealing: ValueSealing, _ table: Table, _ key: UnsafeRawBufferPointer
  ) throws -> ByteView {
    guard sealing.seals(table, key) else { return found }
    let value = try sealing.open(found, table, key)
    held[ObjectIdentifier(value)] = value
    return value.view
  }

  /// Seals what this transaction writes from now on, as its environment does: for the one that decides how.
  package func adoptSealing() { sealing = environment.sealing }

  /// Called after each change: views end with it.
  @inline(__always)
  func forgetOpened() {
    hasChanged = true
    if sealing != nil { held.removeAll(keepingCapacity: held.count < 256) }
  }

  /// A cursor that reads this transaction's state. It ends with the transaction or savepoint that made it.
  ///
  /// Values it reads are valid until the next change, unless it is made for another purpose.
  package func cursor(_ table: Table, for purpose: CursorPurpose = .reading) throws -> WriteCursor {
    var cursor: OpaquePointer?
    try check(mdb_cursor_open(live(), table.handle, &cursor), "mdb_cursor_open")
    guard let cursor else { throw LMDBError(.outOfMemory, "mdb_cursor_open") }
    return WriteCursor(handle: cursor, table: table, transaction: self, purpose: purpose)
  }

  package func statistics(_ table: Table) throws -> TableStatistics { try tableStatistics(live(), table) }

  // MARK: - Writing

  /// Stores a value. With `append`, the key must be above every key of the table: else `keyExists`, and the
  /// transaction goes on. `mdb_put`.
  ///
  /// Throws `badValueSize` for a key outside of 1...511 bytes or a value above 16 MiB, and goes on; `mapFull`.
  @inline(__always)
  package func put(_ table: Table, _ key: KeyBytes, _ value: UnsafeRawBufferPointer, append: Bool = false) throws {
    let result = try store(table, key, value, append ? UInt32(MDB_APPEND) : 0)
    if result != 0 { throw failure(result, "mdb_put") }
  }

  /// Stores a value given as an array.
  package func put(_ table: Table, _ key: KeyBytes, _ value: [UInt8], append: Bool = false) throws {
    try value.withUnsafeBytes { try put(table, key, $0, append: append) }
  }

  /// Stores a value unless the key has one; false when it has. `mdb_put` with `MDB_NOOVERWRITE`.
  package func insert(_ table: Table, _ key: KeyBytes, _ value: UnsafeRawBufferPointer) throws -> Bool {
    let result = try store(table, key, value, UInt32(MDB_NOOVERWRITE))
    if result == MDB_KEYEXIST { return false }
    if result != 0 { throw failure(result, "mdb_put") }
    return true
  }

  /// Makes room for a value of `count` bytes and lets `fill` write it in place. `mdb_put` with `MDB_RESERVE`.
  ///
  /// The room is zeroed first: it holds bytes of dropped data otherwise. `fill` must not touch the transaction; when
  /// it throws, the entry is there with what was written.
  package func put(
    _ table: Table, _ key: KeyBytes, count: Int, append: Bool = false,
    _ fill: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws {
    let handle = try live()
    guard count <= SizeLimits.value else { throw badValueSize(count) }
    if sealing != nil {
      var value = [UInt8](repeating: 0, count: count)
      let filled = Result { try value.withUnsafeMutableBytes { try fill($0) } }
      try put(table, key, value, append: append)
      return try filled.get()
    }
    let room = try key.withBytes { bytes in
      guard isPossibleKey(bytes.count) else { throw badKeySize(bytes.count, "mdb_put") }
      var name = MDB_val(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      var data = MDB_val(mv_size: count, mv_data: nil)
      let flags = UInt32(MDB_RESERVE) | (append ? UInt32(MDB_APPEND) : 0)
      let result = mdb_put(handle, table.handle, &name, &data, flags)
      if result != 0 { throw failure(result, "mdb_put") }
      return UnsafeMutableRawBufferPointer(start: data.mv_data, count: count)
    }
    hasChanged = true
    room.initializeMemory(as: UInt8.self, repeating: 0)
    try fill(room)
  }

  @inline(__always)
  private func store(
    _ table: Table, _ key: KeyBytes, _ value: UnsafeRawBufferPointer, _ flags: UInt32
  ) throws -> Int32 {
    let handle = try live()
    guard value.count <= SizeLimits.value else { throw badValueSize(value.count) }
    hasChanged = true
    return try key.withBytes { bytes in
      guard isPossibleKey(bytes.count) else { throw badKeySize(bytes.count, "mdb_put") }
      if let sealing, sealing.seals(table, bytes) { return try storeSealed(sealing, table, bytes, value, flags) }
      var name = MDB_val(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      var data = MDB_val(mv_size: value.count, mv_data: UnsafeMutableRawPointer(mutating: value.baseAddress))
      return mdb_put(handle, table.handle, &name, &data, flags)
    }
  }

  @inline(never)
  private func storeSealed(
    _ sealing: ValueSealing, _ table: Table, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
    _ flags: UInt32
  ) throws -> Int32 {
    let handle = try live()
    let count = value.count + sealing.cipher.overhead
    if room.count < count { room = [UInt8](repeating: 0, count: count) }
    let result = try room.withUnsafeMutableBytes { room in
      let sealed = UnsafeMutableRawBufferPointer(rebasing: room[..<count])
      try sealing.cipher.seal(value, table, key, transaction: transactionID, into: sealed)
      var name = MDB_val(mv_size: key.count, mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress))
      var data = MDB_val(mv_size: count, mv_data: sealed.baseAddress)
      return mdb_put(handle, table.handle, &name, &data, flags)
    }
    forgetOpened()
    return result
  }

  @inline(never)
  private func badValueSize(_ count: Int) -> LMDBError {
    LMDBError(.badValueSize, "mdb_put", detail: "a value has at most \(SizeLimits.value) bytes, not \(count)")
  }

  @inline(never)
  func failure(_ result: Int32, _ operation: String) -> LMDBError { environment.failure(result, operation) }

  /// Removes an entry; false when there was none. `mdb_del`.
  @discardableResult
  package func delete(_ table: Table, _ key: KeyBytes) throws -> Bool {
    let handle = try live()
    return try key.withBytes { bytes in
      guard isPossibleKey(bytes.count) else { throw badKeySize(bytes.count, "mdb_del") }
      var name = MDB_val(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      let result = mdb_del(handle, table.handle, &name, nil)
      if result == MDB_NOTFOUND { return false }
      if result != 0 { throw failure(result, "mdb_del") }
      forgetOpened()
      return true
    }
  }

  /// Removes every entry of a table, which costs its pages rather than its entries. `mdb_drop`.
  package func clear(_ table: Table) throws {
    let result = mdb_drop(try live(), table.handle, 0)
    if result != 0 { throw failure(result, "mdb_drop") }
    forgetOpened()
  }

  /// The environment's optional tables, made where the file has none; everyone can use them once this transaction is committed.
  ///
  /// Not within a savepoint: what that makes would end with it.
  package func makeOptionalTables() throws -> [Table] {
    let known = environment.tables.optional
    if !known.isEmpty { return known }
    if madeTables.isEmpty {
      let (handle, names) = (try live(), environment.options.optionalTables)
      guard waiting.isEmpty else {
        throw LMDBError(.badTransaction, "mdb_dbi_open", detail: "tables cannot be made in a savepoint")
      }
      madeTables = try environment.tables.making { try EnvironmentOpening.openTables(handle, names, create: true) }
      forgetOpened()
    }
    return madeTables
  }

  // MARK: - Savepoints

  /// Runs `body` and keeps its changes, or drops exactly them when it throws. Nests. A child transaction of LMDB.
  ///
  /// Cursors made before cannot be used inside; those made inside end with it. `commit()` inside is an error.
  package func savepoint<R>(_ body: () throws -> R) throws -> R {
    let parent = try live()
    var begun: OpaquePointer?
    let result = mdb_txn_begin(environment.handle, parent, 0, &begun)
    guard result == 0, let child = begun else { throw failure(result, "mdb_txn_begin (savepoint)") }
    waiting.append((parent, serial))
    lastSerial += 1
    serial = lastSerial
    handle = child
    let value: R
    do {
      value = try body()
      _ = try live()
    } catch {
      if handle == child {
        mdb_txn_abort(child)
        returnToParent()
      }
      throw error
    }
    guard handle == child else { throw unusable() }
    let committed = mdb_txn_commit(child)
    returnToParent()
    if committed != 0 { throw failure(committed, "mdb_txn_commit (savepoint)") }
    return value
  }

  private func returnToParent() {
    guard let parent = waiting.popLast() else { return }
    handle = parent.handle
    serial = parent.serial
    forgetOpened()
  }

  // MARK: - The end

  /// Makes every change durable and visible, and ends the transaction. `mdb_txn_commit`.
  ///
  /// When it throws, nothing was kept: `noSpace` and its kin leave the environment usable, `mapFull` asks for a
  /// larger map, `panic` ends the environment. `fileReplaced` when the lock file went away meanwhile.
  ///
  /// - Parameter beforeOthers: Called on the committing thread when the changes are visible and no other writer of this process has
  ///   begun; writers of other processes may have. It must not write.
  @available(*, noasync, message: "a write transaction stays on one thread: use writerThread")
  package func commit(beforeOthers: () -> Void = {}) throws {
    _ = try live()
    // The writer thread has to begin the next transaction, and cannot wait for its flush.
    let mayBeLate = !isLent || !environment.writerThread.isCurrent
    try commit(mayBeLate: mayBeLate, isFollowed: false, beforeOthers)?.wait()
  }

  /// Commits as `commit` does, without waiting for a flush that another writer's may do as well; nil when the commit is durable already.
  ///
  /// - Parameter isFollowed: True if another transaction of this process comes soon that has not been asked for yet.
  @available(*, noasync, message: "a write transaction stays on one thread: use writerThread")
  package func commitSharingFlush(isFollowed: Bool) throws -> LateCommit? {
    try commit(mayBeLate: true, isFollowed: isFollowed) {}
  }

  private func commit(mayBeLate: Bool, isFollowed: Bool, _ beforeOthers: () -> Void) throws -> LateCommit? {
    let handle = try live()
    guard waiting.isEmpty else {
      throw LMDBError(.badTransaction, "mdb_txn_commit", detail: "a savepoint is open")
    }
    if isLent, !isOwnThread {
      return try environment.writerThread.run {
        try commit(mayBeLate: mayBeLate, isFollowed: isFollowed, beforeOthers)
      }
    }
    try environment.files.checkAtCommit()
    let hasChanged = hasChanged
    self.handle = nil
    forgetOpened()
    defer { environment.letOthersWrite(isLent: isLent) }
    let next = mayBeLate ? environment.nextWriter(isFollowed) : .unknown
    let (result, isLate) = environment.commit(handle, transactionID, hasChanged: hasChanged, next: next)
    environment.tables.made(result == 0 ? madeTables : [])
    environment.ledger.leave()
    if result != 0 { throw failure(result, "mdb_txn_commit") }
    // Without a change there is none of that number, and another process may make it.
    if hasChanged { environment.lastOwnTransactionID.store(transactionID, ordering: .releasing) }
    beforeOthers()
    guard isLate else { return nil }
    return LateCommit { [environment, transactionID] in
      try environment.waitForFlush(transactionID, before: next)
    } thread: { [environment] in
      environment.threads.flush
    }
  }

  /// Drops every change, open savepoints included, and ends the transaction; harmless when it has ended.
  /// `mdb_txn_abort`.
  package func abort() {
    guard let innermost = handle else { return }
    handle = nil
    forgetOpened()
    let outermost = waiting.first?.handle ?? innermost
    waiting = []
    guard environment.isOpeningProcess else { return }
    if isLent, !isOwnThread {
      // Ends on the writer thread soon: nothing waits for it here, so a dropped transaction costs its thread nothing.
      let ended = LentHandle(handle: outermost)
      return environment.writerThread.submit { [environment] in
        mdb_txn_abort(ended.handle)
        environment.tables.made([])
        environment.writeEnded(isLent: true)
      }
    }
    guard isOwnThread else {
      // The lock belongs to the other thread: releasing it here fails unseen, and every later writer would hang.
      environment.writers.close(
        because: "a write transaction was dropped on another thread than the one that began it; restart this process")
      return
    }
    mdb_txn_abort(outermost)
    environment.tables.made([])
    environment.writeEnded(isLent: isLent)
  }

  // MARK: - Cursors

  /// Throws unless a cursor of that serial may be used now, on this thread.
  @inline(__always)
  func verify(_ cursor: Int) throws {
    _ = try live()
    if cursor != serial { throw foreignCursor() }
  }

  @inline(never)
  private func foreignCursor() -> LMDBError {
    LMDBError(.badTransaction, "cursor", detail: "it belongs to another savepoint")
  }

  /// True when a cursor of that serial is still allocated and this thread may free it.
  func mayClose(_ cursor: Int) -> Bool {
    handle != nil && cursor == serial && (isLent || isOwnThread)
  }
}

/// A transaction of LMDB on its way to the thread that ends it.
private struct LentHandle: @unchecked Sendable {
  // Unchecked: the sender gives it up.
  let handle: OpaquePointer
}
