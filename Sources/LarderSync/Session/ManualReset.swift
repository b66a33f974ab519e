import Foundation
import LarderLocks
import LarderStorage

/// Puts a store aside, so that its next opening makes a new one (Y-43).
struct ManualReset {
  let path: String
  let registry: SessionRegistry

  private static let moving = Lock(())

  init(_ path: String, _ registry: SessionRegistry = .shared) {
    self.path = RecoveryFiles(of: path).path
    self.registry = registry
  }

  /// Puts the store aside now, or as soon as its session has let go of it, and before anything opens it.
  ///
  /// - Throws: `Realm.Error.alreadyOpen` while there is a Realm of the store in this process.
  func begin() throws {
    guard !SyncAccess.hasRealms(at: path) else {
      throw Realm.Error.make(
        .alreadyOpen, "'\(path)' is open: close every Realm of it before its client reset.", path: path)
    }
    try orRealmError(path: path) { _ = try RecoveryFiles(of: path).beginAgain() }
    registry.release(path)
    guard try !move() else { return }
    Task(executorPreference: StoreTaskExecutor.shared) { [self] in
      for _ in 0..<1_000 where try !move() { try await Task.sleep(for: .milliseconds(20)) }
    }
  }

  /// Puts the store aside if that is due, before it is opened.
  func finish() throws {
    guard RecoveryFiles(of: path).noted != nil, !SyncAccess.hasRealms(at: path) else { return }
    registry.release(path)
    // A session of this process lets go of it in a task.
    for _ in 0..<2_000 {
      if try move() { return }
      Thread.sleep(forTimeInterval: 0.01)
    }
    Logger.shared.log(
      .warn, "'\(path)' waits for its client reset: it is open in another process, and is opened as it is.")
  }

  /// Moves the files. Returns true if nothing is left to be moved.
  private func move() throws -> Bool {
    try orRealmError(path: path) {
      do {
        try Self.moving.withLock { _ in _ = try RecoveryFiles(of: path).move() }
        return true
      } catch let error as StorageError where error.code == .alreadyOpen {
        return false
      }
    }
  }
}

extension SyncSession {
  /// Puts the store of a client reset aside, where `SyncError.clientResetInfo()` says, so that the next opening makes a new one and gets
  /// everything from the server. Does nothing for a reset that is done.
  ///
  /// ```swift
  /// if let (path, token) = error.clientResetInfo() {
  ///   SyncSession.immediatelyHandleError(token)
  /// }
  /// ```
  ///
  /// Misuse while there is a Realm of the store. From any thread.
  public static func immediatelyHandleError(_ token: SyncError.ActionToken) {
    orMisuse { try handleError(token) }
  }

  /// Does the same as `immediatelyHandleError(_:)`, and throws `Realm.Error.alreadyOpen` while there is a Realm of the store. Beyond RealmSwift.
  public static func handleError(_ token: SyncError.ActionToken) throws {
    if !token.isDone { try ManualReset(token.path).begin() }
  }

  /// Runs something on this thread that may not write to the store: the lock is held.
  func withoutWriting(_ body: () -> Void) {
    lockedThread.withLock { $0 = ObjectIdentifier(Thread.current) }
    defer { lockedThread.withLock { $0 = nil } }
    body()
  }
}
