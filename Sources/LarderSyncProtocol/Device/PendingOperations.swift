/// The commits that a device keeps: those without a marker wait and mask what the server says of the same cells, the others are there in case
/// the server is replaced by an older one.
struct PendingOperations: Sendable {
  struct Key: Hashable, Sendable {
    var siteVersion: UInt64
    var index: Int
  }

  /// The commits in order, without gaps.
  private(set) var commits: [SyncCommit] = []
  /// The changes since `forgetChanges`: commits that came, became others or were removed, those of which other operations wait, and their objects.
  private(set) var changes = Changes()
  /// Waiting operations by object, in order.
  private var waiting: [ObjectName: [Key]] = [:]

  struct Changes: Sendable {
    var commits: Set<UInt64> = []
    var waits: Set<UInt64> = []
    var objects: Set<ObjectName> = []
  }

  init() {}

  /// Commits in order without gaps, each with the indices of the operations that wait.
  init(_ commits: [(commit: SyncCommit, waiting: [Int])]) {
    self.commits = commits.map(\.commit)
    for (commit, indices) in commits {
      for index in indices {
        waiting[commit.operations[index].object, default: []].append(Key(siteVersion: commit.siteVersion, index: index))
      }
    }
  }

  /// The indices of a commit's operations that wait.
  func waitingIndices(_ commit: SyncCommit) -> [Int] {
    commit.operations.indices.filter { index in
      waiting[commit.operations[index].object]?.contains(Key(siteVersion: commit.siteVersion, index: index)) ?? false
    }
  }

  mutating func forgetChanges() { changes = Changes() }

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
    changes.commits.insert(commit.siteVersion)
    wait(for: commit)
  }

  private mutating func wait(for commit: SyncCommit) {
    changes.waits.insert(commit.siteVersion)
    for (index, operation) in commit.operations.enumerated() {
      waiting[operation.object, default: []].append(Key(siteVersion: commit.siteVersion, index: index))
      changes.objects.insert(operation.object)
    }
  }

  /// Ends the wait of an operation; false when it did not wait.
  mutating func take(_ key: Key, _ object: ObjectName) -> Bool {
    guard let position = waiting[object]?.firstIndex(of: key) else { return false }
    note(key.siteVersion, object)
    waiting[object]!.remove(at: position)
    if waiting[object]!.isEmpty { waiting[object] = nil }
    return true
  }

  /// Ends the wait of an object's operations up to a commit.
  mutating func take(through siteVersion: UInt64, _ object: ObjectName) {
    guard let first = waiting[object]?.first, first.siteVersion <= siteVersion else { return }
    for key in keys(object) where key.siteVersion <= siteVersion { note(key.siteVersion, object) }
    waiting[object]?.removeAll { $0.siteVersion <= siteVersion }
    if waiting[object]?.isEmpty == true { waiting[object] = nil }
  }

  private mutating func note(_ siteVersion: UInt64, _ object: ObjectName) {
    changes.waits.insert(siteVersion)
    changes.objects.insert(object)
  }

  private mutating func noteAll() {
    for commit in commits {
      changes.commits.insert(commit.siteVersion)
      changes.waits.insert(commit.siteVersion)
    }
    changes.objects.formUnion(waiting.keys)
  }

  /// Ends the wait of everything up to a commit.
  mutating func take(through siteVersion: UInt64) {
    for object in objects { take(through: siteVersion, object) }
  }

  mutating func replace(_ key: Key, with edit: SyncEdit) {
    guard let commit = commit(key.siteVersion), let operation = operation(key) else { return }
    var operations = commit.operations
    operations[key.index] = SyncOperation(operation.object, edit)
    changes.commits.insert(key.siteVersion)
    commits[Int(key.siteVersion - commits[0].siteVersion)] = SyncCommit(
      siteVersion: commit.siteVersion, time: commit.time, nonce: commit.nonce, operations: operations)
  }

  /// Gives the commits after one, all of whose operations wait, other operations, which wait as well.
  mutating func rewrite(after siteVersion: UInt64, _ body: (SyncCommit) -> SyncCommit) {
    let first = commits.firstIndex { $0.siteVersion > siteVersion } ?? commits.endIndex
    for object in Set(commits[first...].flatMap { $0.operations.map(\.object) }) {
      waiting[object]?.removeAll { $0.siteVersion > siteVersion }
      if waiting[object]?.isEmpty == true { waiting[object] = nil }
      changes.objects.insert(object)
    }
    for index in commits[first...].indices {
      commits[index] = body(commits[index])
      changes.commits.insert(commits[index].siteVersion)
      wait(for: commits[index])
    }
  }

  /// Takes all operations out of a commit.
  mutating func empty(_ siteVersion: UInt64) {
    guard let commit = commit(siteVersion) else { return }
    for object in Set(commit.operations.map(\.object)) {
      waiting[object]?.removeAll { $0.siteVersion == siteVersion }
      if waiting[object]?.isEmpty == true { waiting[object] = nil }
      changes.objects.insert(object)
    }
    changes.commits.insert(siteVersion)
    changes.waits.insert(siteVersion)
    commits[Int(siteVersion - commits[0].siteVersion)] = SyncCommit(
      siteVersion: siteVersion, time: commit.time, nonce: commit.nonce, operations: [])
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
    changes.commits.formUnion(commits[..<kept].map(\.siteVersion))
    commits.removeFirst(kept)
  }

  /// Forgets everything.
  mutating func removeAll() {
    noteAll()
    commits = []
    waiting = [:]
  }

  /// Lets the commits after one wait, and no others.
  mutating func waitAgain(after siteVersion: UInt64) {
    noteAll()
    waiting = [:]
    for commit in commits where commit.siteVersion > siteVersion { wait(for: commit) }
  }

  /// Gives the commits after one to another site, where they count from 1, and drops the others (MR-16).
  mutating func fork(_ fork: SiteFork) {
    noteAll()
    commits = commits.filter { $0.siteVersion > fork.common }.map { fork.renamed($0) }
    waitAgain(after: 0)
  }
}
