import Foundation
import LarderStorage

extension SyncSession: StoreSynchronisation {
  package func verifyBeginning() throws {
    guard lockedThread.withLock({ $0 }) != ObjectIdentifier(Thread.current) else {
      throw Realm.Error.make(
        .fail, "A write transaction cannot begin in beforeReset, while the store is locked: write in afterReset.",
        path: store.path)
    }
    guard subscribed.draft != nil else { return }
    throw Realm.Error.make(
      .fail, "A write transaction cannot begin in the block of subscriptions.update { }: write before or after.",
      path: store.path)
  }

  package func verify(_ writer: StoreWriter) throws {
    guard !setup.sendsOutsideWrites else { return }
    // Only what this reads decides, so that others' new sets count as well.
    let record = try SubscriptionSetRecord.newest(in: writer.base)
    try WriteGuard(
      writer: writer, subscriptions: record?.subscriptions ?? [], isUnknown: try ServerSchema.lacks(in: writer.base)
    ).verify()
  }

  package func waitForOpening(_ behavior: Realm.OpenBehavior) async throws {
    switch behavior {
    case .never: return
    case .once where try SyncedOnce.isSet(in: store.snapshot()): return
    case .once, .always: break
    }
    resume()
    try await waitUnlessDisconnected {
      try await self.subscribed.waitForCompletion()
      try await self.wait(for: .download)
    }
    try SyncedOnce.set(in: store)
  }

  /// Waits for something; fails for lost connections where the configuration says so (Y-16).
  private func waitUnlessDisconnected(_ body: @escaping @Sendable () async throws -> Void) async throws {
    guard setup.failsWithoutConnection else { return try await body() }
    let failures = AsyncStream<SyncError>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let path = store.path
    let observation = engine.observe { event in
      guard case .failure(let failure) = event, case .transport = failure else { return }
      failures.continuation.yield(SyncError(failure, path: path))
    }
    defer { observation.invalidate() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await body() }
      group.addTask {
        for await failure in failures.stream { throw failure }
        try await Task.sleep(for: .seconds(1 << 30))
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}

/// The record of a store that says that it was complete once (Y-15).
enum SyncedOnce {
  private static let stateName = "downloaded"

  static func isSet(in snapshot: Snapshot) throws -> Bool { try snapshot.syncState(stateName) != nil }

  static func set(in store: Store) throws {
    guard try !isSet(in: store.snapshot()) else { return }
    let writer = try store.beginWrite()
    do {
      try SyncWriting(writer).setState(stateName, [1])
      try writer.commit()
    } catch {
      writer.cancel()
      throw error
    }
  }
}
