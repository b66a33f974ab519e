import CLMDB
import Foundation

/// The steps from a path to an open LMDB environment.
enum EnvironmentOpening {
  struct Result {
    let handle: OpaquePointer
    let identity: FileIdentity
    let tables: [Table]
    /// All or none.
    let optional: [Table]
  }

  /// Examines and opens. Tries again for up to a second: two processes that open and close at once may both fail.
  static func open(path: String, identity: FileIdentity, options: EnvironmentOptions) throws -> Result {
    var wait: useconds_t = 1_000
    // Pages are walked once a version is pinned: a writer cannot move them then.
    var quick = options
    quick.inspection = .standard
    while true {
      let report = try EnvironmentPreflight.examine(path: path, options: quick)
      guard report.identity == identity else {
        throw LMDBError(.fileReplaced, "mdb_env_open", detail: "\(path) was replaced while it was being opened")
      }
      do {
        return try openOnce(path, report, options)
      } catch let error as LMDBError where isPassing(error.code) && wait <= 512_000 {
        usleep(wait)
        wait *= 2
      }
    }
  }

  private static func isPassing(_ code: LMDBError.Code) -> Bool {
    [.invalid, .invalidArgument, .versionMismatch, .mapResized].contains(code)
      || [EAGAIN, EBUSY].contains(code.rawValue)
  }

  private static func openOnce(
    _ path: String, _ report: EnvironmentPreflight, _ options: EnvironmentOptions
  ) throws -> Result {
    if !isUnlockable(path, options) { LockFile.make(for: path) }
    let handle = try openHandle(path, report, options)
    do {
      try closeOnExec(handle, report.identity, path)
      try walkPages(handle, path, report.walk(options))
      var dead: Int32 = 0
      mdb_reader_check(handle, &dead)
      let tables = try openTables(handle, path, report, options)
      if !options.readOnly && report.neededBytes > report.fileSize { try extendFile(handle) }
      let optional = try openOptionalTables(handle, options.optionalTables)
      return Result(handle: handle, identity: report.identity, tables: tables, optional: optional)
    } catch {
      mdb_env_close(handle)
      throw error
    }
  }

  /// Opens with the wanted map, or with the largest that the process may reserve.
  private static func openHandle(
    _ path: String, _ report: EnvironmentPreflight, _ options: EnvironmentOptions
  ) throws -> OpaquePointer {
    LargeBlocks.prepare(open: Environment.openCount)
    let needed = Int(clamping: report.neededBytes)
    // The file itself is among those that the process has open or is opening.
    var size = MapReservation.size(wanted: options.mapSize, needed: needed, open: Environment.openCount - 1)
    let least = max(1 << 24, MapReservation.grown(from: needed, 1))
    var opened: OpaquePointer?
    while true {
      let isAvailable = MapReservation.isAvailable(size + MapReservation.spare)
      let result = isAvailable ? try openHandle(path, size, options, &opened) : ENOMEM
      if result == 0, let opened { return opened }
      guard result == ENOMEM, size / 4 >= least else { throw openFailure(result, path, options) }
      size /= 4
    }
  }

  /// The result of `mdb_env_open` with a map of that size.
  private static func openHandle(
    _ path: String, _ size: Int, _ options: EnvironmentOptions, _ opened: inout OpaquePointer?
  ) throws -> Int32 {
    var created: OpaquePointer?
    try check(mdb_env_create(&created), "mdb_env_create")
    guard let handle = created else { throw LMDBError(.outOfMemory, "mdb_env_create") }
    let result = configure(handle, path, size, options)
    if result != 0 { mdb_env_close(handle) }
    opened = result == 0 ? handle : nil
    return result
  }

  private static func configure(
    _ handle: OpaquePointer, _ path: String, _ mapSize: Int, _ options: EnvironmentOptions
  ) -> Int32 {
    let steps: [() -> Int32] = [
      { mdb_env_set_mapsize(handle, mapSize) },
      { mdb_env_set_maxdbs(handle, MDB_dbi(options.allTables + EnvironmentOptions.spareTables)) },
      { mdb_env_set_maxreaders(handle, UInt32(options.maximumReaders)) },
      { mdb_env_open(handle, path, flags(options) | (isUnlockable(path, options) ? UInt32(MDB_NOLOCK) : 0), 0o600) },
    ]
    return steps.lazy.map { $0() }.first { $0 != 0 } ?? 0
  }

  /// The only flag sets in use. Never a writable map: a full disk would kill the process, a stray pointer the data.
  private static func flags(_ options: EnvironmentOptions) -> UInt32 {
    var flags = MDB_NOSUBDIR | MDB_NOTLS
    if options.readOnly { flags |= MDB_RDONLY }
    switch options.durability {
    case .full: break
    case .relaxed: flags |= MDB_NOMETASYNC
    case .none: flags |= MDB_NOSYNC
    }
    return UInt32(flags)
  }

  /// Returns true if a reader can do without a lock file because none can have been made: the folder may not be written. A program that may write it
  /// must not write the store meanwhile.
  private static func isUnlockable(_ path: String, _ options: EnvironmentOptions) -> Bool {
    options.readOnly && access(path + "-lock", F_OK) != 0
      && faccessat(AT_FDCWD, directoryPath(of: path), W_OK, AT_EACCESS) != 0
  }

  private static func openFailure(_ result: Int32, _ path: String, _ options: EnvironmentOptions) -> LMDBError {
    let code = LMDBError.Code(rawValue: result)
    switch code {
    case .accessDenied where LockFile.isDenied(path):
      return LMDBError(.lockFileDenied, "mdb_env_open", detail: "\(path)-lock")
    case .accessDenied where options.readOnly:
      return LMDBError(code, "mdb_env_open", detail: "\(path): readers too must be able to write \(path)-lock")
    case .accessDenied, .readOnlyFileSystem:
      return LMDBError(code, "mdb_env_open", detail: "\(path) or its lock file may not be written")
    case .outOfMemory:
      return LMDBError(
        .noAddressSpace, "mdb_env_open", detail: "\(Environment.openCount - 1) other stores are open in this process")
    default:
      return LMDBError(code, "mdb_env_open", detail: path)
    }
  }

  /// Checks the pages of a version that is pinned meanwhile, before LMDB believes any: it looks at none of them when it opens.
  private static func walkPages(
    _ handle: OpaquePointer, _ path: String, _ walk: EnvironmentPreflight.Walk
  ) throws {
    if walk == .nothing { return }
    // The second commit after a version overwrites its meta page: then a newer one is pinned.
    for _ in 0..<100 {
      let isDone = try withTransaction(handle, readOnly: true) { transaction in
        let file = try PageFile(path: path)
        let metas = try file.metaPages()
        let pinned = UInt64(mdb_txn_id(transaction))
        guard let meta = [metas.0, metas.1].first(where: { $0.transactionID == pinned }) else { return false }
        try meta.validate()
        var walker = try PageWalker(file: file, meta: meta)
        if case .trees(let limit) = walk { try walker.walkTrees(limit: limit) } else { _ = try walker.walk() }
        return true
      }
      if isDone { return }
    }
    throw LMDBError(.init(rawValue: EBUSY), "page walk", detail: "\(path): other processes write without a pause")
  }

  /// LMDB opens the data file without close-on-exec, and may have waited before: it must be the file that was examined.
  private static func closeOnExec(_ handle: OpaquePointer, _ identity: FileIdentity, _ path: String) throws {
    var descriptor: mdb_filehandle_t = 0
    try check(mdb_env_get_fd(handle, &descriptor), "mdb_env_get_fd")
    var status = stat()
    try posix("fstat", path) { fstat(descriptor, &status) }
    guard FileIdentity(status) == identity else {
      throw LMDBError(.fileReplaced, "mdb_env_open", detail: "\(path) was replaced while it was being opened")
    }
    try posix("fcntl", "FD_CLOEXEC") { fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
  }

  // MARK: - Tables

  /// Opens every table once, for the life of the environment; without waiting for a writer when all are there.
  private static func openTables(
    _ handle: OpaquePointer, _ path: String, _ report: EnvironmentPreflight, _ options: EnvironmentOptions
  ) throws -> [Table] {
    // Both in one transaction: another process may be creating them.
    var isNew = false
    let found = try withTransaction(handle, readOnly: true) { transaction in
      isNew = try isEmpty(transaction)
      return try openTables(transaction, options.tables, create: false)
    }
    if found.count == options.tables.count { return found }
    if found.isEmpty && !isNew {
      throw LMDBError(.notADatabase, "open", detail: "\(path) holds the LMDB tables of another program")
    }
    if options.readOnly {
      let names = Set(found.map(\.name))
      let missing = options.tables.filter { !names.contains($0) }.joined(separator: ", ")
      throw LMDBError(.notADatabase, "open", detail: "\(path) lacks the tables \(missing)")
    }
    return try withTransaction(handle, readOnly: false) { try openTables($0, options.tables, create: true) }
  }

  static func openTables(_ transaction: OpaquePointer, _ names: [String], create: Bool) throws -> [Table] {
    var tables: [Table] = []
    for name in names {
      var number: MDB_dbi = 0
      let result = mdb_dbi_open(transaction, name, create ? UInt32(MDB_CREATE) : 0, &number)
      if result == MDB_NOTFOUND && !create { continue }
      if result == MDB_INCOMPATIBLE {
        throw LMDBError(.notADatabase, "open", detail: "\(name) is no table: another program's file")
      }
      try check(result, "mdb_dbi_open \(name)")
      tables.append(try plain(Table(handle: number, name: name), transaction))
    }
    return tables
  }

  /// Opens the tables that a file has all of or none; none where it lacks one.
  private static func openOptionalTables(_ handle: OpaquePointer, _ names: [String]) throws -> [Table] {
    guard !names.isEmpty else { return [] }
    let found = try withTransaction(handle, readOnly: true) { try openTables($0, names, create: false) }
    return found.count == names.count ? found : []
  }

  /// Refuses a table that was made with flags: sorted duplicates are unsafe, and foreign orders would be broken.
  private static func plain(_ table: Table, _ transaction: OpaquePointer) throws -> Table {
    var flags: UInt32 = 0
    try check(mdb_dbi_flags(transaction, table.handle, &flags), "mdb_dbi_flags")
    guard flags == 0 else {
      throw LMDBError(.notADatabase, "open", detail: "table \(table.name) has flags \(flags): another program's file")
    }
    return table
  }

  private static func isEmpty(_ transaction: OpaquePointer) throws -> Bool {
    var main: MDB_dbi = 0
    try check(mdb_dbi_open(transaction, nil, 0, &main), "mdb_dbi_open")
    var stat = MDB_stat()
    try check(mdb_stat(transaction, main, &stat), "mdb_stat")
    return stat.ms_entries == 0
  }

  /// Makes the file as long as its last page says, so that the next preflight need not read the free list.
  ///
  /// Best effort, under the write lock. The added pages are free ones that nothing reads.
  private static func extendFile(_ handle: OpaquePointer) throws {
    try withTransaction(handle, readOnly: false) { transaction in
      var info = MDB_envinfo()
      var stat = MDB_stat()
      var descriptor: mdb_filehandle_t = 0
      var status = Foundation.stat()
      guard mdb_env_info(handle, &info) == 0, mdb_env_stat(handle, &stat) == 0,
        mdb_env_get_fd(handle, &descriptor) == 0, fstat(descriptor, &status) == 0
      else { return }
      let needed = off_t((info.me_last_pgno + 1) * Int(stat.ms_psize))
      if needed > status.st_size { _ = ftruncate(descriptor, needed) }
    }
  }

  /// Runs `body` in a transaction of its own and commits it: handles of tables opened in it live on.
  private static func withTransaction<R>(
    _ handle: OpaquePointer, readOnly: Bool, _ body: (OpaquePointer) throws -> R
  ) throws -> R {
    var begun: OpaquePointer?
    try check(mdb_txn_begin(handle, nil, readOnly ? UInt32(MDB_RDONLY) : 0, &begun), "mdb_txn_begin")
    guard let transaction = begun else { throw LMDBError(.outOfMemory, "mdb_txn_begin") }
    let result: R
    do {
      result = try body(transaction)
    } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    // A commit that fails has freed the transaction.
    try check(mdb_txn_commit(transaction), "mdb_txn_commit")
    return result
  }
}
