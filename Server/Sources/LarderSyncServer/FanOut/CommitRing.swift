import DequeModule

/// The newest commits of a log, without gaps.
struct CommitRing: Sendable {
  /// The version of the last one; that of the log when the ring is empty.
  private(set) var head: UInt64
  private var commits: Deque<LoggedCommit> = []
  private let capacity: Int
  private let mostBytes: Int
  /// The bytes of the log that the commits are of.
  private(set) var bytes = 0

  /// A ring at a version, of at most so many commits, which are of so many bytes of the log. The newest commit is there however large it is.
  init(head: UInt64, capacity: Int, bytes: Int = .max) {
    self.head = head
    self.capacity = max(1, capacity)
    mostBytes = bytes
  }

  /// The version before the first commit that is there.
  var floor: UInt64 { head - UInt64(commits.count) }

  /// The random number of the commit at a version; nil for one that is not in the ring.
  func nonce(at version: UInt64) -> UInt64? {
    guard version > floor, version <= head else { return nil }
    return commits[Int(version - floor) - 1].merged.nonce
  }

  /// Adds a commit, which has to be the next one. False when it is not.
  mutating func append(_ commit: LoggedCommit) -> Bool {
    guard commit.version == head + 1 else { return false }
    commits.append(commit)
    bytes += commit.loggedBytes
    head = commit.version
    while commits.count > 1, commits.count > capacity || bytes > mostBytes {
      bytes -= commits.removeFirst().loggedBytes
    }
    return true
  }

  /// The last version of a batch that begins after a version and is full at so many bytes; it has at least one commit. Nil when the ring does not
  /// reach back to there, or has nothing newer.
  func end(after version: UInt64, bytes: Int) -> UInt64? {
    guard version >= floor, version < head else { return nil }
    var rest = bytes
    var index = Int(version - floor)
    while index < commits.count {
      rest -= commits[index].bytes
      index += 1
      if rest <= 0 { break }
    }
    return floor + UInt64(index)
  }

  /// Calls a body with each commit after a version, up to another one.
  mutating func forEach(after version: UInt64, through end: UInt64, _ body: (inout LoggedCommit) -> Void) {
    guard version >= floor, end <= head, version < end else { return }
    let start = floor
    for index in Int(version - start)..<Int(end - start) { body(&commits[index]) }
  }
}
