import CLMDB
import Foundation
import Synchronization

/// How an environment is opened.
package struct EnvironmentOptions: Sendable {
  /// How much a commit promises to survive.
  package enum Durability: Sendable {
    /// Every commit is on the disk when it returns.
    case full
    /// A power cut may lose the last commit, never consistency (`MDB_NOMETASYNC`).
    case relaxed
    /// Nothing is promised after a power cut: for stores that live as long as the process (`MDB_NOSYNC`).
    case none
  }

  package var tables: [String]
  package var durability: Durability = .full
  package var readOnly = false
  /// Size of the reserved address range, in bytes. The file itself starts small.
  package var mapSize = 1 << 40
  package var maximumReaders = 510

  package init(tables: [String]) { self.tables = tables }
}

/// One LMDB environment: one file, its lock file, and its tables.
///
/// Mirrors `mdb_env_create` and `mdb_env_open`. All members may be used from any thread, except that a
/// `WriteTransaction` stays on the thread that began it.
package final class Environment: @unchecked Sendable {
  // Unchecked: `handle` is LMDB's thread-safe environment; everything else mutable is behind `pool`.
  let handle: OpaquePointer
  package let path: String
  package let options: EnvironmentOptions
  private let tables: [String: Table]
  private let pool = Mutex<[UInt]>([])

  /// Opens the environment, creating file and tables where needed.
  package static func open(path: String, options: EnvironmentOptions) throws -> Environment {
    try Environment(path: path, options: options)
  }

  private init(path: String, options: EnvironmentOptions) throws {
    var environment: OpaquePointer?
    try check(mdb_env_create(&environment), "mdb_env_create")
    let handle = environment!
    do {
      try check(mdb_env_set_mapsize(handle, options.mapSize), "mdb_env_set_mapsize")
      try check(mdb_env_set_maxdbs(handle, MDB_dbi(options.tables.count + 20)), "mdb_env_set_maxdbs")
      try check(mdb_env_set_maxreaders(handle, UInt32(options.maximumReaders)), "mdb_env_set_maxreaders")
      var flags = UInt32(MDB_NOSUBDIR | MDB_NOTLS)
      if options.readOnly { flags |= UInt32(MDB_RDONLY) }
      switch options.durability {
      case .full: break
      case .relaxed: flags |= UInt32(MDB_NOMETASYNC)
      case .none: flags |= UInt32(MDB_NOSYNC)
      }
      try check(mdb_env_open(handle, path, flags, 0o600), "mdb_env_open")
      var descriptor: mdb_filehandle_t = 0
      try check(mdb_env_get_fd(handle, &descriptor), "mdb_env_get_fd")
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      var transaction: OpaquePointer?
      try check(
        mdb_txn_begin(handle, nil, options.readOnly ? UInt32(MDB_RDONLY) : 0, &transaction), "mdb_txn_begin")
      var tables: [String: Table] = [:]
      for name in options.tables {
        var dbi: MDB_dbi = 0
        let result = mdb_dbi_open(transaction, name, options.readOnly ? 0 : UInt32(MDB_CREATE), &dbi)
        if result != 0 {
          mdb_txn_abort(transaction)
          try check(result, "mdb_dbi_open \(name)")
        }
        tables[name] = Table(handle: dbi, name: name)
      }
      try check(mdb_txn_commit(transaction), "mdb_txn_commit")
      self.handle = handle
      self.path = path
      self.options = options
      self.tables = tables
    } catch {
      mdb_env_close(handle)
      throw error
    }
  }

  deinit {
    pool.withLock { for address in $0 { mdb_txn_abort(OpaquePointer(bitPattern: address)) } }
    mdb_env_close(handle)
  }

  /// The table of that name; traps for a name that was not in the options.
  package func table(_ name: String) -> Table {
    guard let table = tables[name] else { preconditionFailure("table \(name) was not opened") }
    return table
  }

  /// Begins a read transaction at the newest committed version, warmed for use by any thread.
  package func beginRead() throws -> ReadTransaction {
    var transaction = pool.withLock { $0.popLast() }.flatMap { OpaquePointer(bitPattern: $0) }
    if let pooled = transaction {
      try check(mdb_txn_renew(pooled), "mdb_txn_renew")
    } else {
      try check(mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction), "mdb_txn_begin")
    }
    let begun = transaction!
    for table in tables.values { _ = try tableStatistics(begun, table) }
    return ReadTransaction(handle: begun, environment: self)
  }

  /// Begins the write transaction; waits for the one writer of the file, in whatever process it is.
  package func beginWrite() throws -> WriteTransaction {
    var transaction: OpaquePointer?
    try check(mdb_txn_begin(handle, nil, 0, &transaction), "mdb_txn_begin")
    return WriteTransaction(handle: transaction!, environment: self)
  }

  func recycle(_ transaction: OpaquePointer) {
    mdb_txn_reset(transaction)
    pool.withLock { $0.append(UInt(bitPattern: transaction)) }
  }

  func writeEnded() {}

  /// The id of the last committed transaction, read from shared memory in a few nanoseconds. `mdb_env_info`.
  package var lastTransactionID: UInt64 {
    var info = MDB_envinfo()
    mdb_env_info(handle, &info)
    return UInt64(info.me_last_txnid)
  }
}
