import Foundation

/// The files of a database that no program has open, in no process; what wants to open it waits.
package struct ExclusiveUse {
  /// The data file, its directory resolved.
  package let path: String

  /// Removes the data file. The lock file stays: another process may be about to use it. After `folderNotFlushed` it is removed.
  package func removeData() throws {
    try posix("unlink", path) { unlink(path) }
    try flushFolder("it is removed")
  }

  /// Flushes the folder after the entry of the file has changed, which nothing takes back. Throws `folderNotFlushed`.
  private func flushFolder(_ change: String) throws {
    do {
      try synchronizeDirectory(of: path)
    } catch {
      throw LMDBError(.folderNotFlushed, "fsync", detail: "\(change), \(error)")
    }
  }

  /// Gives the data file another path of the same file system. The lock file stays, as in `removeData`.
  package func moveData(to target: String) throws {
    try posix("rename", path) { rename(path, target) }
    try synchronizeDirectory(of: target)
    try synchronizeDirectory(of: path)
  }

  /// Rewrites the file without free pages, and puts it in the place of the old one when it is complete and on the disk.
  ///
  /// It keeps its owner, group and mode. Needs room for both. Throws `ownerKept` when it could not keep them, and what reading and writing
  /// throw; then the file is as it was. After `folderNotFlushed` it is the new one.
  ///
  /// - Parameters:
  ///   - rewriting: Says what becomes of an entry. Gets the entries of each table in the order of their keys, the values as the
  ///     file holds them.
  ///   - completing: Gets the path of the new file, to which it may add what it likes. It closes the file again.
  package func compact(
    rewriting: @escaping CompactCopy.Rewriting = { _, _, _ in .kept },
    completing: (_ temporary: String) throws -> Void = { _ in }
  ) throws {
    let file = try UnfinishedFile(for: path)
    try keepOwner(of: try OwnedDescriptor(path: path, flags: O_RDONLY).status(), file.descriptor)
    try CompactCopy(from: path, to: file.path, rewriting: rewriting).run()
    try completing(file.path)
    try file.descriptor.synchronize()
    try posix("rename", path) { rename(file.path, path) }
    try flushFolder("it is the new one")
  }

  private func keepOwner(of old: stat, _ file: borrowing OwnedDescriptor) throws {
    guard faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 else {
      throw LMDBError(.ownerKept, "compact", detail: "it may not be written by this user")
    }
    let made = try file.status()
    if made.st_uid != old.st_uid || made.st_gid != old.st_gid {
      guard fchown(file.number, old.st_uid, old.st_gid) == 0 else {
        throw LMDBError(
          .ownerKept, "compact",
          detail: "it belongs to user \(old.st_uid) and group \(old.st_gid), and would not any more")
      }
    }
    try posix("fchmod", path) { fchmod(file.number, old.st_mode & 0o7777) }
  }
}

extension Environment {
  /// Runs `body` while no program has the database at a path open. Its data file must exist.
  ///
  /// Throws `inUse` when something has, in this process or another; in another after a fifth of a second, in which a process that only keeps
  /// it open lets go of it (`ExclusiveRequest`).
  package static func withExclusiveUse<R>(of path: String, _ body: (ExclusiveUse) throws -> R) throws -> R {
    let path = canonicalPath(path)
    let identity = try FileIdentity(existing: path)
    return try EnvironmentRegistry.shared.excluding(identity, path: path) {
      // Nothing in this process has the lock file open, so that closing it drops no lock but this one.
      LockFile.make(for: path)
      let lock = try OwnedDescriptor(path: path + "-lock", flags: O_RDWR | O_CREAT, mode: 0o600)
      var region = flock()
      region.l_type = Int16(F_WRLCK)
      region.l_whence = Int16(SEEK_SET)
      region.l_start = 0
      region.l_len = 1
      guard
        fcntl(lock.number, F_SETLK, &region) == 0
          || ExclusiveRequest.wait(path, { fcntl(lock.number, F_SETLK, &region) == 0 })
      else {
        throw LMDBError(.inUse, "exclusive use", detail: "\(path) is open in another process")
      }
      // Who waits for the lock would take over readers and a transaction number that belong to the old file. Emptied before the
      // file is exchanged, since the process may be killed right after.
      try posix("ftruncate", path + "-lock") { ftruncate(lock.number, 0) }
      return try body(ExclusiveUse(path: path))
    }
  }
}
