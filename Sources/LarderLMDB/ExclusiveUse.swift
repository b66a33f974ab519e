import CLMDB
import Foundation

/// The files of a database that nobody has open, in no process; whoever wants to open it waits.
package struct ExclusiveUse {
  /// The data file, its directory resolved.
  package let path: String

  /// Removes the data file. The lock file stays: another process may be about to use it.
  package func removeData() throws {
    try posix("unlink", path) { unlink(path) }
    try synchronizeDirectory(of: path)
  }

  /// Writes the file anew without free pages, and puts it in the place of the old one when it is complete and on the disk.
  ///
  /// Needs room for both. Throws what reading and writing throw; then the file is as it was.
  package func compact() throws {
    let temporary = "\(path).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).copying"
    do {
      try copy(to: temporary)
      try posix("rename", path) { rename(temporary, path) }
      try synchronizeDirectory(of: path)
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Copies through an environment that takes no locks: opening and closing the lock file would give up our own.
  private func copy(to temporary: String) throws {
    var created: OpaquePointer?
    try check(mdb_env_create(&created), "mdb_env_create")
    guard let handle = created else { throw LMDBError(.outOfMemory, "mdb_env_create") }
    defer { mdb_env_close(handle) }
    try check(mdb_env_open(handle, path, UInt32(MDB_NOSUBDIR | MDB_RDONLY | MDB_NOLOCK), 0o600), "mdb_env_open")
    let file = try OwnedDescriptor(path: temporary, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    try check(mdb_env_copyfd2(handle, file.number, UInt32(MDB_CP_COMPACT)), "mdb_env_copyfd2")
    try file.synchronize()
  }
}

extension Environment {
  /// Runs `body` while nobody has the database at a path open. Its data file must exist.
  ///
  /// Throws `inUse` at once when somebody has, in this process or another.
  package static func withExclusiveUse<R>(of path: String, _ body: (ExclusiveUse) throws -> R) throws -> R {
    let path = canonicalPath(path)
    let identity = try FileIdentity(existing: path)
    return try EnvironmentRegistry.shared.excluding(identity, path: path) {
      // Nobody in this process has the lock file open, so that closing it drops no lock but this one.
      let lock = try OwnedDescriptor(path: path + "-lock", flags: O_RDWR | O_CREAT, mode: 0o600)
      var region = flock()
      region.l_type = Int16(F_WRLCK)
      region.l_whence = Int16(SEEK_SET)
      region.l_start = 0
      region.l_len = 1
      guard fcntl(lock.number, F_SETLK, &region) == 0 else {
        throw LMDBError(.inUse, "exclusive use", detail: "\(path) is open in another process")
      }
      let result = Result { try body(ExclusiveUse(path: path)) }
      // After an error, too: the file may have been exchanged before it. Who waits for the lock would take over readers and a
      // transaction number that belong to the old file.
      try posix("ftruncate", path + "-lock") { ftruncate(lock.number, 0) }
      return try result.get()
    }
  }
}
