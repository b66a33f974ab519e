import Foundation

/// Calls back when a writer, in another process and mostly in this one too, has written to a database file.
///
/// On Linux through inotify, within about 20 microseconds; elsewhere, and where the system has no watch left, by
/// looking at the file's times twenty times a second. The callback comes on a background thread, several commits may
/// come as one call, and a call does not prove a commit: compare versions. It must not block for long.
package final class CommitWatcher: Sendable {
  private let stopping: @Sendable () -> Void

  /// Watches the data file at `path`; throws when there is none. Never touches the lock file.
  ///
  /// - Parameter isWritingItself: Whether this process has a write transaction open. No other writer can commit then, so calls
  ///   may come up to four milliseconds later, which keeps the watch out of the way of the process's own commits.
  /// - Parameter foreignUse: What other processes are seen to do with the file. While that is nothing, calls after commits of this process
  ///   may be left out (`WatchMode`).
  package init(
    path: String, isWritingItself: @escaping @Sendable () -> Bool = { false },
    foreignUse: @escaping @Sendable () -> ForeignUse = { ForeignUse(hasReaders: true, commit: 0) },
    onChange: @escaping @Sendable () -> Void
  ) throws {
    guard FileIdentity(path: path) != nil else {
      throw LMDBError(.noSuchFile, "CommitWatcher", detail: path)
    }
    #if os(Linux)
      let observer = FileChangeHub.Observer(
        isWritingItself: isWritingItself, foreignUse: foreignUse, onChange: onChange)
      if let ticket = FileChangeHub.shared.watch(path, observer) {
        stopping = { FileChangeHub.shared.unwatch(ticket) }
        return
      }
    #endif
    let polling = PollingWatch(path: path, onChange: onChange)
    stopping = { polling.stop() }
  }

  deinit { stopping() }

  /// Ends the callbacks; one that is running now may still finish. Harmless when repeated.
  package func stop() { stopping() }
}

/// Watches a file's modification time from a thread of its own.
final class PollingWatch: @unchecked Sendable {
  // Unchecked: `isStopped` is guarded by `condition`, the rest is immutable.
  private let condition = NSCondition()
  private var isStopped = false
  private let path: String
  private let onChange: @Sendable () -> Void

  init(path: String, onChange: @escaping @Sendable () -> Void) {
    self.path = path
    self.onChange = onChange
    let first = stamp()
    let thread = Thread { [self] in follow(from: first) }
    thread.name = "larder-watch"
    thread.start()
  }

  private func follow(from first: [Int]) {
    var last = first
    while wait() {
      let now = stamp()
      if now == last { continue }
      last = now
      onChange()
    }
  }

  func stop() {
    condition.lock()
    isStopped = true
    condition.broadcast()
    condition.unlock()
  }

  /// False when the watch was stopped.
  private func wait() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    if !isStopped { _ = condition.wait(until: Date(timeIntervalSinceNow: 0.05)) }
    return !isStopped
  }

  private func stamp() -> [Int] {
    var status = stat()
    guard stat(path, &status) == 0 else { return [] }
    #if os(Linux)
      return [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, Int(status.st_size)]
    #else
      return [status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec, Int(status.st_size)]
    #endif
  }
}
