import LarderSyncProtocol

/// The commits of a device that may come next, and those that wait for their acknowledgement. A value.
struct UploadWindow: Sendable {
  /// The decision on an upload.
  enum Verdict: Hashable, Sendable {
    /// Its commits are submitted.
    case take
    /// It follows one that the device was asked to send again, and comes again with it.
    case leave
    /// Commits before it are missing.
    case gap(expected: UInt64)
    /// Too many uploads wait, or it has too many commits.
    case tooMany
  }

  private struct Waiting {
    let last: UInt64
    let bytes: Int
  }

  /// The last commit that is durable.
  private(set) var acknowledged: UInt64
  private var received: UInt64
  private var waiting: [Waiting] = []
  private var isSentAgain = false
  private let mostCommits: Int
  private let mostUploads: Int

  /// A window that begins after the last commit that was merged.
  init(after siteVersion: UInt64, limits: SessionLimits) {
    acknowledged = siteVersion
    received = siteVersion
    mostCommits = Int(limits.uploadCommits)
    mostUploads = Int(limits.uploadsInFlight)
  }

  /// Takes the commits of an upload of so many bytes.
  mutating func receive(_ commits: [SyncCommit], bytes: Int) -> Verdict {
    guard let first = commits.first?.siteVersion else { return .take }
    guard commits.count <= mostCommits, waiting.count < mostUploads else { return .tooMany }
    if isSentAgain, first > received + 1 { return .leave }
    guard first >= 1, first <= received + 1 else { return .gap(expected: received + 1) }
    for (offset, commit) in commits.enumerated() where commit.siteVersion != first + UInt64(offset) {
      return .gap(expected: first + UInt64(offset))
    }
    isSentAgain = false
    let last = first + UInt64(commits.count) - 1
    received = max(received, last)
    waiting.append(Waiting(last: last, bytes: bytes))
    return .take
  }

  /// Notes that commits up to one are durable. Returns whether that is news, and the bytes of the uploads that do not wait any more.
  mutating func acknowledge(through siteVersion: UInt64) -> (isNew: Bool, bytes: Int) {
    let isNew = siteVersion > acknowledged
    acknowledged = max(acknowledged, siteVersion)
    received = max(received, acknowledged)
    let done = waiting.prefix { $0.last <= acknowledged }
    waiting.removeFirst(done.count)
    return (isNew, done.reduce(0) { $0 + $1.bytes })
  }

  /// The device is asked to send again what is not durable. Returns the bytes of the uploads that are given up.
  mutating func sendAgain() -> Int {
    let bytes = waiting.reduce(0) { $0 + $1.bytes }
    waiting = []
    received = acknowledged
    isSentAgain = true
    return bytes
  }
}
