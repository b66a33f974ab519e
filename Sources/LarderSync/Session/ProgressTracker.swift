import LarderSyncProtocol

/// The progress that a program is notified of, computed from an engine's status. A value, without clock (Y-34, Y-35).
struct ProgressTracker: Hashable, Sendable {
  let direction: SyncSession.ProgressDirection
  let mode: SyncSession.ProgressMode
  /// The time when it was registered, in milliseconds since 1970: what is older is to be sent.
  let start: UInt64
  private(set) var isFinished = false
  /// The lower bound of the estimate, within a bootstrap or until everything is sent.
  private var floor = 0.0
  private var isLevel = false
  /// Commits there were to send.
  private var total = 0

  init(_ direction: SyncSession.ProgressDirection, _ mode: SyncSession.ProgressMode, start: UInt64) {
    self.direction = direction
    self.mode = mode
    self.start = start
  }

  /// Returns the progress to report for a status; nil while nothing is known, and after the end.
  mutating func update(_ status: EngineStatus) -> SyncSession.Progress? {
    guard !isFinished, status.connection == .connected, status.phase != .connecting else { return nil }
    let estimate = direction == .download ? download(status) : upload(status)
    if mode == .forCurrentlyOutstandingWork, estimate >= 1 { isFinished = true }
    return SyncSession.Progress(
      progressEstimate: estimate, phase: .init(status.phase), done: status.objectsDone, expected: status.objectsExpected
    )
  }

  private mutating func download(_ status: EngineStatus) -> Double {
    if status.phase == .following {
      isLevel = true
      return 1
    }
    if isLevel { (isLevel, floor) = (false, 0) }
    let expected = Double(status.objectsExpected ?? 0)
    let part = expected > 0 ? min(1, Double(status.objectsDone) / expected) : 0
    let estimate = status.phase == .bootstrapping ? 0.8 * part : 0.8 + 0.2 * part
    // Complete is what `following` says alone.
    floor = max(floor, min(estimate, 0.999))
    return floor
  }

  private mutating func upload(_ status: EngineStatus) -> Double {
    let isSent = status.oldestUnsent.map { mode == .forCurrentlyOutstandingWork && $0 > start } ?? true
    guard status.unsentCommits > 0, !isSent else {
      (total, floor) = (0, 0)
      return 1
    }
    total = max(total, status.unsentCommits)
    floor = max(floor, min(0.999, 1 - Double(status.unsentCommits) / Double(total)))
    return floor
  }
}
