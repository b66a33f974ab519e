import Dispatch

extension SyncSession {
  /// The time for which progress is reported.
  public enum ProgressMode: Sendable {
    /// The report goes on until the token is invalidated.
    case reportIndefinitely
    /// The report ends when the work that there was at the call is done.
    case forCurrentlyOutstandingWork
  }

  /// A token that keeps a report of progress going.
  public typealias ProgressNotificationToken = NotificationToken

  /// The progress of a session.
  public struct Progress: Sendable, Equatable {
    /// The phase of a session. Beyond RealmSwift.
    public enum Phase: Sendable {
      /// There is no connection.
      case connecting
      /// The state of objects is received.
      case bootstrapping
      /// The session writes received content into the store.
      case applying
      /// Changes are exchanged as they are made.
      case following

      init(_ phase: EngineStatus.Phase) {
        self =
          switch phase {
          case .connecting: .connecting
          case .bootstrapping: .bootstrapping
          case .applying: .applying
          case .following: .following
          }
      }
    }

    /// The part that is done, from 0 to 1. It does not fall within one bootstrap, and is 1 when that is complete (Y-34).
    public let progressEstimate: Double
    /// The phase of the session. Beyond RealmSwift.
    public let phase: Phase
    let done: Int
    let expected: Int?

    /// Objects of the bootstrap that are received or applied, and how many there are, once that is known. Beyond RealmSwift.
    public var objects: (done: Int, expected: Int?) { (done, expected) }
    /// A Boolean value that says whether nothing is left to do.
    public var isTransferComplete: Bool { progressEstimate >= 1 }
    /// Objects, in place of bytes.
    @available(*, deprecated, message: "Use progressEstimate")
    public var transferredBytes: Int { done }
    /// Objects, in place of bytes.
    @available(*, deprecated, message: "Use progressEstimate")
    public var transferrableBytes: Int { expected ?? done }
    /// The part that is done.
    @available(*, deprecated, renamed: "progressEstimate")
    public var fractionTransferred: Double { progressEstimate }
  }

  /// Calls a block with the progress one way: now, if anything is known, and whenever it changes, on a private serial queue, at most ten times
  /// a second (Y-34, Y-35).
  ///
  /// - Returns: What keeps the report going; nil when the session is invalid.
  public func addProgressNotification(
    for direction: ProgressDirection, mode: ProgressMode, block: @escaping @Sendable (Progress) -> Void
  ) -> ProgressNotificationToken? {
    guard state != .invalid else { return nil }
    let stream = progressStream(direction, mode)
    let queue = DispatchQueue(label: "larder.sync.progress")
    return TaskToken(
      Task {
        for await progress in stream {
          if Task.isCancelled { return }
          queue.async { block(progress) }
          // What comes meanwhile becomes one report.
          if !progress.isTransferComplete { try? await Task.sleep(for: .milliseconds(100)) }
        }
      })
  }

  /// The progress one way, as it changes; for what is outstanding it ends with 1. Beyond RealmSwift.
  public func progress(
    for direction: ProgressDirection, mode: ProgressMode = .reportIndefinitely
  ) -> SyncEvents<Progress> {
    SyncEvents { self.progressStream(direction, mode) }
  }

  private func progressStream(_ direction: ProgressDirection, _ mode: ProgressMode) -> AsyncStream<Progress> {
    let tracker = Shared(ProgressTracker(direction, mode, start: setup.engine.clock.date()))
    let reports = statuses.stream { status in tracker.value.withLock { $0.update(status) } }
    guard mode == .forCurrentlyOutstandingWork else { return reports }
    let (stream, continuation) = AsyncStream<Progress>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      for await report in reports {
        continuation.yield(report)
        if report.isTransferComplete { break }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}
