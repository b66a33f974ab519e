import Foundation

/// The environments that are open in this process, by the identity of their file.
///
/// A second `mdb_env_open` of one file in a process takes the file's locks away from the first, and snapshots lose
/// their isolation. So there is never one: a second open gets the first environment, or an error when its options
/// differ. An entry stays until `mdb_env_close` has returned.
final class EnvironmentRegistry: @unchecked Sendable {
  // Unchecked: everything mutable is guarded by `condition`.
  static let shared = EnvironmentRegistry()

  private struct Entry {
    /// Nil while it is being opened. An environment takes its entry out as it goes, but in a forked child, which looks at none.
    var environment: UncountedReference<Environment>?
    /// Resolved path, without the final link; its lock file is `path` + "-lock".
    let path: String
    let process: pid_t
  }

  private let condition = NSCondition()
  private var entries: [FileIdentity: Entry] = [:]

  /// Files that are open, being opened or being closed.
  var count: Int {
    condition.lock()
    defer { condition.unlock() }
    return entries.count
  }

  /// The open environment of that file, or the one that `open` makes. Waits for one that is being opened or closed.
  func environment(
    _ identity: FileIdentity, path: String, options: EnvironmentOptions, open: () throws -> Environment
  ) throws -> Environment {
    if let environment = try claim(identity, path) {
      guard environment.options == options else {
        throw LMDBError(.openedDifferently, "open", detail: "\(path) is open with other options; close it first")
      }
      return environment
    }
    do {
      let environment = try open()
      condition.lock()
      entries[identity]?.environment = UncountedReference(environment)
      condition.broadcast()
      condition.unlock()
      return environment
    } catch {
      remove(identity)
      throw error
    }
  }

  /// Runs `body` while the file is open nowhere in this process; throws `inUse` when it is.
  func excluding<R>(_ identity: FileIdentity, path: String, _ body: () throws -> R) throws -> R {
    guard try claim(identity, path) == nil else {
      throw LMDBError(.inUse, "exclusive use", detail: "\(path) is open in this process")
    }
    defer { remove(identity) }
    return try body()
  }

  /// Forgets a file whose environment is closed.
  func remove(_ identity: FileIdentity) {
    condition.lock()
    entries[identity] = nil
    let left = entries.count
    condition.broadcast()
    condition.unlock()
    LargeBlocks.closed(open: left)
  }

  /// The open environment, or nil after entering a claim that `environment` or `remove` must follow.
  private func claim(_ identity: FileIdentity, _ path: String) throws -> Environment? {
    condition.lock()
    defer { condition.unlock() }
    while let entry = entries[identity] {
      if entry.process != getpid() {
        throw LMDBError(.forked, "open", detail: "\(path) was opened by process \(entry.process); exec first")
      }
      if let environment = entry.environment?.retained { return environment }
      condition.wait()
    }
    try waitForPath(path)
    entries[identity] = Entry(environment: nil, path: path, process: getpid())
    return nil
  }

  /// Waits for another file of that name that is being closed; throws when it stays open. Under the lock.
  ///
  /// Both would use the one lock file of that name.
  private func waitForPath(_ path: String) throws {
    let deadline = Date(timeIntervalSinceNow: 1)
    while entries.values.contains(where: { $0.path == path }) {
      if condition.wait(until: deadline) { continue }
      throw LMDBError(
        .fileReplaced, "open",
        detail: "\(path) is another file than the one this process has open under that name; close that one first")
    }
  }
}
