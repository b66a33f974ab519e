import LarderLocks
import LarderStorage
import LarderSyncProtocol

@testable import LarderSync

/// An engine that does what a test says, over the real store.
final class ScriptedEngine: SyncEngineProtocol {
  struct Calls {
    var starts = 0
    var stops = 0
    var reconnects = 0
    var tokenUpdates = 0
    var refusalsReported = 0
    var subscriptionChanges = 0
  }

  private struct Script {
    var status = EngineStatus()
    var calls = Calls()
    var bodies: [Int: @Sendable (EngineEvent) -> Void] = [:]
    var next = 0
    var uploads: [CheckedContinuation<Void, any Error>] = []
    var downloads: [CheckedContinuation<Void, any Error>] = []
    var answersDownloads = true
  }

  let store: Store
  let configuration: EngineConfiguration
  private let script = Lock(Script())

  init(_ store: Store, _ configuration: EngineConfiguration) {
    self.store = store
    self.configuration = configuration
  }

  var status: EngineStatus { script.withLock { $0.status } }
  var calls: Calls { script.withLock { $0.calls } }

  func observe(_ body: @escaping @Sendable (EngineEvent) -> Void) -> EngineObservation {
    let number = script.withLock { script in
      script.next += 1
      script.bodies[script.next] = body
      return script.next
    }
    return EngineObservation { [weak self] in self?.script.withLock { $0.bodies[number] = nil } }
  }

  func tell(_ event: EngineEvent) {
    let bodies = script.withLock { script in script.bodies.sorted { $0.key < $1.key }.map(\.value) }
    for body in bodies { body(event) }
  }

  func change(_ change: (inout EngineStatus) -> Void) {
    let status = script.withLock { script in
      change(&script.status)
      return script.status
    }
    tell(.status(status))
  }

  func start() { script.withLock { $0.calls.starts += 1 } }
  func suspend() { change { $0.isSuspended = true } }
  func resume() {
    change {
      $0.isSuspended = false
      $0.isInactive = false
    }
  }
  func reconnect() { script.withLock { $0.calls.reconnects += 1 } }
  func stop() async { script.withLock { $0.calls.stops += 1 } }
  func subscriptionsChanged() { script.withLock { $0.calls.subscriptionChanges += 1 } }
  func refusalsReported() { script.withLock { $0.calls.refusalsReported += 1 } }
  func updateToken() { script.withLock { $0.calls.tokenUpdates += 1 } }

  func waitForUpload() async throws {
    try await withCheckedThrowingContinuation { continuation in script.withLock { $0.uploads.append(continuation) } }
  }

  func waitForDownload() async throws {
    if script.withLock({ $0.answersDownloads }) { return }
    try await withCheckedThrowingContinuation { continuation in script.withLock { $0.downloads.append(continuation) } }
  }

  /// Has waits for downloads wait.
  func holdDownloads() { script.withLock { $0.answersDownloads = false } }

  var waitingUploads: Int { script.withLock { $0.uploads.count } }
  var waitingDownloads: Int { script.withLock { $0.downloads.count } }

  /// Ends the waits there are.
  func endWaits(_ result: Result<Void, EngineFailure>) {
    let waiting = script.withLock { script in
      defer { (script.uploads, script.downloads) = ([], []) }
      return script.uploads + script.downloads
    }
    for continuation in waiting { continuation.resume(with: result.mapError { $0 as any Error }) }
  }

  /// Does what the server's acceptance of the newest set does.
  func complete() throws { try settle { $0.completed(version: $0.version) } }

  /// Does what the server's refusal of the newest set does.
  func refuse(_ message: SyncText) throws {
    try settle { $0.refused(version: $0.version, SyncFailure(.query, action: .carryOn, message: message)) }
  }

  private func settle(_ change: (SubscriptionSetRecord) -> SubscriptionSetRecord) throws {
    let writer = try store.beginWrite()
    let writing = try SyncWriting(writer)
    let record = try SubscriptionSetRecord.newest(in: writing, path: store.path) ?? SubscriptionSetRecord()
    try change(record).write(to: writing)
    try writer.commit()
    tell(.subscriptions(version: record.version, error: nil))
  }
}
