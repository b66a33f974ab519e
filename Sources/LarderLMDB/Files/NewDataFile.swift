import CLMDB
import Foundation

/// A data file that is not there yet.
///
/// It gets its name when it is a database, though one without tables: a process that is killed while it makes one leaves nothing under
/// that name, and a file without a byte is never taken for a store in the making.
enum NewDataFile {
  /// Makes a database without tables for the user alone, unless there is a file. An empty one that this process is making under a
  /// temporary name becomes one.
  ///
  /// Throws `noSuchFile` for a missing folder, and what the system says.
  static func make(_ path: String) throws {
    guard FileIdentity(path: path) == nil else {
      if UnfinishedFile.isOwn(path), try OwnedDescriptor(path: path, flags: O_RDONLY).status().st_size == 0 {
        try fill(path)
      }
      return
    }
    let file = try UnfinishedFile(for: path)
    try fill(file.path)
    let bytes = try file.descriptor.read(at: 0, count: 1 << 20)
    do {
      try file.publish(as: path, staysWithoutFlush: true)
    } catch let error as LMDBError where error.code == .fileExists {
      // Another process was quicker.
    } catch let error as LMDBError where error.operation == "link" && hasNoLinks(error.code.rawValue) {
      try write(bytes, to: path)
    }
  }

  /// Has LMDB write the two meta pages of an empty database. No one else knows the file: it needs no lock file.
  private static func fill(_ path: String) throws {
    var created: OpaquePointer?
    try check(mdb_env_create(&created), "mdb_env_create")
    guard let handle = created else { throw LMDBError(.outOfMemory, "mdb_env_create") }
    defer { mdb_env_close(handle) }
    let result = mdb_env_open(handle, path, UInt32(MDB_NOSUBDIR | MDB_NOLOCK), 0o600)
    if result != 0 { throw LMDBError(.init(rawValue: result), "mdb_env_open", detail: path) }
  }

  /// Returns true if the error code says that a file can have only one name in the file system.
  static func hasNoLinks(_ code: Int32) -> Bool { [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(code) }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    do {
      let made = try OwnedDescriptor(path: path, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
      let written = try posix("pwrite", path) { pwrite(made.number, bytes, bytes.count, 0) }
      guard written == bytes.count else { throw LMDBError(.noSpace, "pwrite", detail: path) }
      try made.synchronize()
    } catch let error as LMDBError where error.code == .fileExists {
      // Another process was quicker.
    }
  }
}
