import LarderLMDB

extension Snapshot {
  /// Returns what changed since an older version, as one net change; one that is not complete when the log is no longer there.
  ///
  /// While a snapshot of the older version lives, the log keeps what this needs.
  package func changes(since older: UInt64) throws -> ChangeSummary {
    try storageErrors(store.path) { try store.log.summary(after: older, upTo: version, in: transaction) }
  }
}

extension Snapshot {
  /// Returns what changed since an earlier moment: by versions, and what was assigned by writes of this process that changed nothing.
  package func changes(since earlier: Moment) throws -> ChangeSummary {
    let (first, last) = (earlier.unchangedWrites, moment.unchangedWrites)
    guard first < last else { return try changes(since: earlier.version) }
    guard let assigned = store.unchangedAssignments(after: first, upTo: last) else {
      return ChangeSummary(older: earlier.version, newer: version, isComplete: false)
    }
    return try storageErrors(store.path) {
      try store.log.summary(after: earlier.version, upTo: version, with: assigned, in: transaction)
    }
  }
}

/// Watches a store's file for commits of any process, until it is dropped.
package final class CommitWatch: Sendable {
  private let watcher: CommitWatcher

  fileprivate init(_ watcher: CommitWatcher) { self.watcher = watcher }
}

extension Store {
  /// Calls `handler` on a background thread soon after another process has committed; several commits may be one call, and
  /// a call does not prove a commit. Commits of this process are what `addCommitHandler(_:)` tells of.
  package func watchCommits(_ handler: @escaping @Sendable () -> Void) throws -> CommitWatch {
    try storageErrors(path) {
      let reference = environment.reference
      let watcher = try CommitWatcher(path: path) {
        reference.object?.isWriting ?? false
      } foreignUse: {
        reference.object?.foreignUse ?? ForeignUse(hasReaders: false, commit: 0)
      } onChange: {
        if let environment = reference.object, !environment.isNewestOwn { handler() }
      }
      return CommitWatch(watcher)
    }
  }
}
