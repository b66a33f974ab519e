import Foundation

/// The lock file beside a data file.
enum LockFile {
  /// Makes it, where there is none, with the owner, group and mode of the data file: LMDB would make one for the first process alone, and
  /// lock out those whose file it is when that was another user.
  ///
  /// Best effort; LMDB says what is wrong. Nothing in this process may have the database open.
  static func make(for path: String) {
    var data = stat()
    guard lstat(path, &data) == 0,
      let lock = try? OwnedDescriptor(path: path + "-lock", flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600),
      let made = try? lock.status()
    else { return }
    if made.st_uid != data.st_uid || made.st_gid != data.st_gid {
      // The group alone may be given by others than root, to one of their own.
      if fchown(lock.number, data.st_uid, data.st_gid) != 0 { _ = fchown(lock.number, uid_t.max, data.st_gid) }
    }
    // Its owner writes it even when he only reads the data.
    _ = fchmod(lock.number, data.st_mode & 0o666 | 0o600)
  }

  /// Returns true if the lock file is there and this user may not use it.
  static func isDenied(_ path: String) -> Bool {
    let lock = path + "-lock"
    return access(lock, F_OK) == 0 && faccessat(AT_FDCWD, lock, R_OK | W_OK, AT_EACCESS) != 0
  }
}
