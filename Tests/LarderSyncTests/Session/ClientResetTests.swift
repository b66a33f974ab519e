import Foundation
import LarderStorage
import Testing

@testable import LarderSync

@Suite("Client resets of a program")
struct ClientResetTests {
  private typealias Block = @Sendable (Realm) -> Void
  private typealias Blocks = @Sendable (Realm, Realm) -> Void

  @Test(
    "F-113, Y-40: The blocks of a mode are given the Realm before and after a reset, and cannot write before",
    arguments: ["discard", "recover", "both"])
  @MainActor func blocks(_ mode: String) async throws {
    struct Seen {
      var before: [Int] = []
      var after: [[Int]] = []
      var error: Realm.Error.Code?
    }
    let seen = Shared(Seen())
    let fixture = try await SyncedFixture()
    let configuration = Shared<Realm.Configuration?>(nil)
    let before: Block = { realm in
      let ids = Array(realm.objects(SyncedPet.self).map(\.id))
      seen.value.withLock { $0.before = ids }
      do {
        let other = try Realm(configuration: try #require(configuration.value.withLock { $0 }))
        try other.write { other.add(SyncedPet()) }
      } catch { seen.value.withLock { $0.error = (error as? Realm.Error)?.code } }
    }
    let after: Blocks = { before, after in
      let ids = [before, after].map { Array($0.objects(SyncedPet.self).map(\.id)) }
      seen.value.withLock { $0.after = ids }
    }
    let chosen: ClientResetMode =
      switch mode {
      case "discard": .discardUnsyncedChanges(beforeReset: before, afterReset: after)
      case "recover": .recoverUnsyncedChanges(beforeReset: before, afterReset: after)
      default: .recoverOrDiscardUnsyncedChanges(beforeReset: before, afterReset: after)
      }
    let synced = fixture.synced(fixture.user.flexibleSyncConfiguration(name: "store", clientResetMode: chosen)) {
      $0.outsideWrites = .sendAnyway
    }
    configuration.value.withLock { $0 = synced }
    let realm = try opened(synced)
    try realm.write { realm.create(SyncedPet.self, value: ["id": 1]) }
    let engine = try fixture.engine(of: realm)
    let store = engine.store
    let plan = engine.configuration.reset
    let modes: [String: ResetPlan.Mode] = ["discard": .discard, "recover": .recover, "both": .recoverOrDiscard]
    #expect(plan.mode == modes[mode] && plan.isHeard(store))
    try await Task.detached {
      try plan.around(store) { locked in
        try locked()
        try OtherDevice.write(store) { $0.replace(OtherDevice.name("SyncedPet", 2), with: []) }
      }
    }.value
    #expect(seen.value.withLock { $0.before } == [1])
    #expect(seen.value.withLock { $0.after } == [[1], [1, 2]])
    #expect(seen.value.withLock { $0.error } == .fail)
  }

  @Test("F-113, Y-43: The handler of a manual reset gets the error, and its token puts the store aside")
  @MainActor func manual() async throws {
    let fixture = try await SyncedFixture()
    let errors = Shared<[SyncError]>([])
    let handler: ErrorReportingBlock = { error, _ in
      if let error = error as? SyncError { errors.value.withLock { $0.append(error) } }
    }
    fixture.app.syncManager.errorHandler = { _, _ in Issue.record("the handler of all sessions") }
    let configuration = fixture.synced(
      fixture.user.flexibleSyncConfiguration(name: "store", clientResetMode: .manual(errorHandler: handler))
    ) { $0.outsideWrites = .sendAnyway }
    let path = try fill(fixture, configuration, errors)
    fixture.releaseEngines()
    let error = try #require(errors.value.withLock { $0.first })
    let (copy, token) = try #require(error.clientResetInfo())
    #expect(error.code == .clientResetError && !FileManager.default.fileExists(atPath: copy))
    try SyncSession.handleError(token)
    let realm = try opened(configuration)
    #expect(realm.objects(SyncedPet.self).isEmpty)
    var old = configuration
    old.syncConfiguration = nil
    old.fileURL = URL(fileURLWithPath: copy)
    old.readOnly = true
    #expect(try opened(old).objects(SyncedPet.self).map(\.id) == [1])
    // A Realm of the new store keeps it where it is, and the reset of the old one is over.
    #expect(throws: Realm.Error.self) { try SyncSession.handleError(SyncErrorActionToken(path: path)) }
    try SyncSession.handleError(SyncErrorActionToken(path: path, isDone: true))
    #expect(FileManager.default.fileExists(atPath: path))
  }

  /// Makes a store with a pet, and has its engine ask for a reset.
  @MainActor private func fill(
    _ fixture: SyncedFixture, _ configuration: Realm.Configuration, _ errors: Shared<[SyncError]>
  ) throws -> String {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.create(SyncedPet.self, value: ["id": 1]) }
    let engine = try fixture.engine(of: realm)
    #expect(engine.configuration.reset.mode == .manual)
    let copy = try RecoveryFiles(of: engine.store.path).beginAgain()
    engine.tell(.failure(.reset(ResetNotice(cause: "x", copy: copy, isDone: false))))
    for _ in 0..<1_000 where errors.value.withLock({ $0.isEmpty }) { Thread.sleep(forTimeInterval: 0.01) }
    return engine.store.path
  }

  @Test("F-113: Without a mode, what was not sent is recovered")
  @MainActor func usual() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    #expect(try fixture.engine(of: realm).configuration.reset.mode == .recover)
  }

  @Test("Y-43: A manual reset begins when every Realm is closed; the store is kept as a copy, and the next one is new")
  @MainActor func manualOnceClosed() async throws {
    let fixture = try await SyncedFixture()
    let configuration = fixture.configuration { $0.outsideWrites = .sendAnyway }
    func failed() throws -> (copy: String, token: SyncError.ActionToken) {
      let realm = try opened(configuration)
      try realm.write { realm.create(SyncedPet.self, value: ["id": 1]) }
      let path = SyncAccess(realm).store.path
      let copy = try RecoveryFiles(of: path).beginAgain()
      let error = SyncError(.reset(ResetNotice(cause: "restored", copy: copy, isDone: false)), path: path)
      #expect(error.code == .clientResetError)
      let info = try #require(error.clientResetInfo())
      #expect(info.0 == copy)
      let open = #expect(throws: Realm.Error.self) { try SyncSession.handleError(info.1) }
      #expect(open?.code == .alreadyOpen)
      withExtendedLifetime(realm) {}
      return info
    }
    let (copy, token) = try failed()
    fixture.releaseEngines()
    try SyncSession.handleError(token)
    try await eventually { FileManager.default.fileExists(atPath: copy) }
    #expect(try opened(configuration).isEmpty)
    var kept = Realm.Configuration(fileURL: URL(fileURLWithPath: copy))
    kept.objectTypes = configuration.objectTypes
    kept.readOnly = true
    #expect(try opened(kept).objects(SyncedPet.self).map(\.id) == [1])
  }

  @Test("Y-43: A store is put aside while the program blocks all threads of Swift's tasks")
  @MainActor func blockedThreads() async throws {
    let fixture = try await SyncedFixture()
    let configuration = fixture.configuration { $0.outsideWrites = .sendAnyway }
    func path() throws -> String {
      let realm = try opened(configuration)
      try realm.write { realm.create(SyncedPet.self, value: ["id": 1]) }
      return SyncAccess(realm).store.path
    }
    let path = try path()
    fixture.releaseEngines()
    try blockingTasks {
      try SyncSession.handleError(SyncErrorActionToken(path: path))
      #expect(try opened(configuration).objects(SyncedPet.self).isEmpty)
    }
  }

  /// Runs a body while every thread that runs Swift's tasks waits for its end.
  @MainActor private func blockingTasks(_ body: () throws -> Void) throws {
    let (started, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let count = ProcessInfo.processInfo.activeProcessorCount
    for _ in 0..<count {
      Task.detached {
        started.signal()
        end.wait()
      }
    }
    for _ in 0..<count { started.wait() }
    defer { for _ in 0..<count { end.signal() } }
    try body()
  }
}
