import Foundation
import LarderLocks
import Synchronization

/// Looks whether the paths of a data file and its lock file still mean the files that were opened.
///
/// With another lock file a second process would write at the same time, and one of the commits would vanish.
struct FileGuard: ~Copyable, Sendable {
  private let path: String
  private let lockPath: String
  private let identity: FileIdentity
  private let lockIdentity: FileIdentity?
  private let lastCheck = Atomic<UInt64>(0)
  /// The files' directory, and how its entries were when the files were looked at last.
  private let directory: SharedDirectory?
  private let seenEntries = Lock<DirectoryEntries.Change?>(nil)

  init(path: String, identity: FileIdentity, readOnly: Bool) {
    self.path = path
    self.identity = identity
    lockPath = path + "-lock"
    lockIdentity = FileIdentity(path: lockPath)
    directory = readOnly ? nil : SharedDirectory.of(path)
  }

  /// Calls `check()` ten times a second at most: a commit calls it in any case.
  func checkNowAndThen() throws {
    guard coarseNanoseconds() &- lastCheck.load(ordering: .relaxed) > 100_000_000 else { return }
    try check()
  }

  /// Does the work of `check()`, but without looking at the files when a look less than a tenth of a second ago found them and no entry of their
  /// directory has changed since.
  func checkAtCommit() throws {
    let age = coarseNanoseconds() &- lastCheck.load(ordering: .relaxed)
    if age < 100_000_000, let seen = seenEntries.withLock({ $0 }), seen == directory?.entries.change() { return }
    try check()
  }

  /// Throws `fileReplaced` when the path or the lock file's path has come to mean another file since the open.
  func check() throws {
    lastCheck.store(0, ordering: .relaxed)
    let change = directory?.entries.change()
    guard FileIdentity(path: lockPath) == lockIdentity else {
      throw LMDBError(
        .fileReplaced, "begin of a write transaction",
        detail: "the lock file \(lockPath) was deleted or replaced; close the database in every process")
    }
    guard FileIdentity(path: path) == identity else {
      throw LMDBError(
        .fileReplaced, "begin of a write transaction",
        detail: "\(path) was deleted or replaced; close the database in every process")
    }
    seenEntries.withLock { $0 = change }
    lastCheck.store(coarseNanoseconds(), ordering: .relaxed)
  }
}
