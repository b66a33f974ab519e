/// The commits that a device keeps: those without a marker wait and mask what the server says of the same cells, the others are there in case
/// the server is replaced by an older one.
struct PendingOperations: Sendable {
  struct Key: Hashable, Sendable {
    var siteVersion: UInt64
    var index: Int
  }

  /// In order, without gaps.
  private(set) var commits: [SyncCommit] = []
  /// Waiting operations by object, in order.
  private var waiting: [ObjectName: [Key]] = [:]

  var objects: [ObjectName] { Array(waiting.keys) }

  func commit(_ siteVersion: UInt64) -> SyncCommit? {
    guard let first = commits.first?.siteVersion, siteVersion >= first, siteVersion - first < UInt64(commits.count)
    else { return nil }
    return commits[Int(siteVersion - first)]
  }

  func keys(_ object: ObjectName) -> [Key] { waiting[object] ?? [] }

  func isWaiting(_ object: ObjectName) -> Bool { waiting[object] != nil }

  func operation(_ key: Key) -> SyncOperation? {
    guard let commit = commit(key.siteVersion), key.index < commit.operations.count else { return nil }
    return commit.operations[key.index]
  }

  func edits(_ object: ObjectName) -> [SyncEdit] { keys(object).compactMap { operation($0)?.edit } }

  mutating func append(_ commit: SyncCommit) {
    commits.append(commit)
    wait(for: commit)
  }

  private mutating func wait(for commit: SyncCommit) {
    for (index, operation) in commit.operations.enumerated() {
      waiting[operation.object, default: []].append(Key(siteVersion: commit.siteVersion, index: index))
    }
  }

  /// Ends the wait of an operation; false when it did not wait.
  mutating func take(_ key: Key, _ object: ObjectName) -> Bool {
    guard let position = waiting[object]?.firstIndex(of: key) else { return false }
    waiting[object]!.remove(at: position)
    if waiting[object]!.isEmpty { waiting[object] = nil }
    return true
  }

  /// Ends the wait of an object's operations up to a commit.
  mutating func take(through siteVersion: UInt64, _ object: ObjectName) {
    waiting[object]?.removeAll { $0.siteVersion <= siteVersion }
    if waiting[object]?.isEmpty == true { waiting[object] = nil }
  }

  /// Ends the wait of everything up to a commit.
  mutating func take(through siteVersion: UInt64) {
    for object in objects { take(through: siteVersion, object) }
  }

  mutating func replace(_ key: Key, with edit: SyncEdit) {
    guard let commit = commit(key.siteVersion), let operation = operation(key) else { return }
    var operations = commit.operations
    operations[key.index] = SyncOperation(operation.object, edit)
    commits[Int(key.siteVersion - commits[0].siteVersion)] = SyncCommit(
      siteVersion: commit.siteVersion, time: commit.time, nonce: commit.nonce, operations: operations)
  }

  /// Forgets commits up to one, whose operations do not wait any more.
  mutating func release(through siteVersion: UInt64) {
    let kept = commits.firstIndex { $0.siteVersion > siteVersion } ?? commits.count
    let last = commits[..<kept].lastIndex { commit in
      commit.operations.enumerated().contains { index, operation in
        keys(operation.object).contains(Key(siteVersion: commit.siteVersion, index: index))
      }
    }
    guard last == nil else { return }
    commits.removeFirst(kept)
  }

  /// Forgets everything.
  mutating func removeAll() { self = PendingOperations() }

  /// Lets the commits after one wait, and no others.
  mutating func waitAgain(after siteVersion: UInt64) {
    waiting = [:]
    for commit in commits where commit.siteVersion > siteVersion { wait(for: commit) }
  }

  /// Gives the commits after one to another site, where they count from 1, and drops the others (MR-16).
  mutating func fork(_ fork: SiteFork) {
    commits = commits.filter { $0.siteVersion > fork.common }.map { fork.renamed($0) }
    waitAgain(after: 0)
  }
}
