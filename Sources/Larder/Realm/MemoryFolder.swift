import Foundation
import LarderStorage

/// The folder of this process's in-memory stores, and what processes that were killed left of theirs.
///
/// A process locks a file in its folder as long as it uses it. The system gives the lock back however the process ends: so the next
/// process that makes a folder knows which ones no one uses, also where process numbers of several containers meet. Used by one thread at
/// a time.
enum MemoryFolder {
  /// The path of the folder, made or not.
  static let path: String = {
    let random = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    return "\(base)/\(prefix)\(process)-\(random)"
  }()

  /// A memory file system, where there is one.
  static let base = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()

  private static let prefix = "larder-"
  private static let process = getpid()
  private static let ownerName = "owner"
  /// The locked file while the folder is there.
  nonisolated(unsafe) private static var owner: Int32?

  /// Makes the folder, unless it is there, and removes those that no one uses any more.
  static func make() throws {
    if owner != nil { return }
    removeAbandoned()
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw failure() }
    let file = "\(path)/\(ownerName)"
    // It gets its name when it is locked: others look for the name.
    let made = open(file + ".new", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard made >= 0 else { throw failure() }
    guard flock(made, LOCK_EX | LOCK_NB) == 0, rename(file + ".new", file) == 0 else {
      close(made)
      throw failure()
    }
    owner = made
  }

  /// Removes the folder when no store is in it.
  static func removeEmpty() {
    guard let made = owner else { return }
    owner = nil
    unlink("\(path)/\(ownerName)")
    rmdir(path)
    close(made)
  }

  /// Removes the folder with everything in it, at the end of the process. A child of `fork()` inherits the handler but not the folder.
  static func removeAtExit() {
    if getpid() == process { try? FileManager.default.removeItem(atPath: path) }
  }

  private static func failure() -> Realm.Error {
    let text = String(cString: strerror(errno))
    return .make(.fileAccess, "Cannot make the folder '\(path)' of in-memory Realms: \(text).", path: path)
  }

  // MARK: - What killed processes left

  private static func removeAbandoned() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? [] where name.hasPrefix(prefix) {
      let folder = "\(base)/\(name)"
      if isAbandoned(folder) || isOldAndAbandoned(folder, name) { try? FileManager.default.removeItem(atPath: folder) }
    }
  }

  /// Returns true if a folder of this user has an owner's file that no one has locked.
  private static func isAbandoned(_ folder: String) -> Bool {
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
      return false
    }
    let file = open("\(folder)/\(ownerName)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    defer { close(file) }
    return flock(file, LOCK_EX | LOCK_NB) == 0
  }

  /// The same of a folder that an earlier version made: it is named after its process alone, and has no owner's file.
  private static func isOldAndAbandoned(_ folder: String, _ name: String) -> Bool {
    var status = stat()
    guard let number = pid_t(name.dropFirst(prefix.count)), number > 0, lstat(folder, &status) == 0,
      status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), access("\(folder)/\(ownerName)", F_OK) != 0
    else { return false }
    return kill(number, 0) != 0 && errno == ESRCH
  }
}
