import CLMDB
import Foundation

/// Writes the entries of a file that no program has open to another, table by table in the order of their keys: no page has room left, as
/// pages have after years of changes.
///
/// Takes no locks: opening and closing the lock file would give up those of the process.
package struct CompactCopy {
  /// The result of looking at an entry.
  package enum Change {
    case kept
    /// The copy has this value in place of the one that the file holds.
    case changed([UInt8])
    /// The entry is not copied.
    case left
  }

  /// Says what becomes of each entry.
  package typealias Rewriting = (_ table: Table, _ key: ByteView, _ value: ByteView) throws -> Change

  let source: String
  let target: String
  private let rewriting: Rewriting

  /// Bytes that are written in one transaction.
  private static let portion = 32 << 20

  init(from source: String, to target: String, rewriting: @escaping Rewriting) {
    self.source = source
    self.target = target
    self.rewriting = rewriting
  }

  /// Fills the target, an empty file. Throws what reading and writing throw; a part of it may be left then.
  func run() throws {
    let size = try OwnedDescriptor(path: source, flags: O_RDONLY).status().st_size
    // Entries are closer together than before, though each may get a seal; what is left over is address space only.
    let from = try LocklessEnvironment(source, mapSize: max(Int(size), 1 << 20), flags: MDB_RDONLY)
    let to = try LocklessEnvironment(target, mapSize: Int(size) * 4 + 64 << 20, flags: MDB_NOSYNC)
    let reading = try from.begin(MDB_RDONLY)
    defer { mdb_txn_abort(reading) }
    for name in try tableNames(reading) { try copy(name, reading, to) }
    try check(mdb_env_sync(to.handle, 1), "mdb_env_sync")
  }

  private func tableNames(_ reading: OpaquePointer) throws -> [String] {
    var main: MDB_dbi = 0
    try check(mdb_dbi_open(reading, nil, 0, &main), "mdb_dbi_open")
    var names: [String] = []
    try forEach(main, reading) { key, _ in
      names.append(
        String(decoding: UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size), as: UTF8.self))
    }
    return names
  }

  private func forEach(
    _ table: MDB_dbi, _ reading: OpaquePointer, _ body: (inout MDB_val, inout MDB_val) throws -> Void
  ) throws {
    var opened: OpaquePointer?
    try check(mdb_cursor_open(reading, table, &opened), "mdb_cursor_open")
    guard let cursor = opened else { throw LMDBError(.outOfMemory, "mdb_cursor_open") }
    defer { mdb_cursor_close(cursor) }
    var (key, value) = (MDB_val(), MDB_val())
    var result = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
    while result == 0 {
      try body(&key, &value)
      result = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
    }
    if result != MDB_NOTFOUND { try check(result, "mdb_cursor_get") }
  }

  private func copy(_ name: String, _ reading: OpaquePointer, _ to: LocklessEnvironment) throws {
    var table: MDB_dbi = 0
    try check(mdb_dbi_open(reading, name, 0, &table), "mdb_dbi_open \(name)")
    var writing = try to.begin(0)
    var isOpen = true
    defer { if isOpen { mdb_txn_abort(writing) } }
    func commit() throws {
      isOpen = false
      try check(mdb_txn_commit(writing), "mdb_txn_commit")
    }
    var copied: MDB_dbi = 0
    try check(mdb_dbi_open(writing, name, UInt32(MDB_CREATE), &copied), "mdb_dbi_open \(name)")
    var bytes = 0
    try forEach(table, reading) { key, value in
      if bytes > Self.portion {
        try commit()
        writing = try to.begin(0)
        isOpen = true
        bytes = 0
      }
      bytes += key.mv_size + value.mv_size
      switch try change(of: Table(handle: table, name: name), key, value) {
      case .left: break
      case .kept: try check(mdb_put(writing, copied, &key, &value, UInt32(MDB_APPEND)), "mdb_put")
      case .changed(let bytes):
        try bytes.withUnsafeBytes { buffer in
          var value = MDB_val(mv_size: buffer.count, mv_data: UnsafeMutableRawPointer(mutating: buffer.baseAddress))
          try check(mdb_put(writing, copied, &key, &value, UInt32(MDB_APPEND)), "mdb_put")
        }
      }
    }
    try commit()
  }

  private func change(of table: Table, _ key: MDB_val, _ value: MDB_val) throws -> Change {
    guard let keyBytes = key.mv_data, let valueBytes = value.mv_data else { return .kept }
    return try rewriting(
      table, ByteView(base: keyBytes, count: key.mv_size), ByteView(base: valueBytes, count: value.mv_size))
  }
}

/// An environment without a lock file, closed with its owner: for a file that is used nowhere else.
private final class LocklessEnvironment {
  let handle: OpaquePointer

  init(_ path: String, mapSize: Int, flags: Int32) throws {
    var created: OpaquePointer?
    try check(mdb_env_create(&created), "mdb_env_create")
    guard let handle = created else { throw LMDBError(.outOfMemory, "mdb_env_create") }
    let steps: [() -> Int32] = [
      { mdb_env_set_mapsize(handle, mapSize) },
      { mdb_env_set_maxdbs(handle, 64) },
      { mdb_env_open(handle, path, UInt32(MDB_NOSUBDIR | MDB_NOLOCK | flags), 0o600) },
    ]
    let result: Int32 = steps.lazy.map { $0() }.first { $0 != 0 } ?? 0
    guard result == 0 else {
      mdb_env_close(handle)
      throw LMDBError(.init(rawValue: result), "mdb_env_open", detail: path)
    }
    self.handle = handle
  }

  deinit { mdb_env_close(handle) }

  func begin(_ flags: Int32) throws -> OpaquePointer {
    var begun: OpaquePointer?
    try check(mdb_txn_begin(handle, nil, UInt32(flags), &begun), "mdb_txn_begin")
    guard let transaction = begun else { throw LMDBError(.outOfMemory, "mdb_txn_begin") }
    return transaction
  }
}
