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

  @Test("F-113: Without a mode, what was not sent is recovered")
  @MainActor func usual() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    #expect(try fixture.engine(of: realm).configuration.reset.mode == .recover)
  }

  @Test("Y-43: A manual reset begins when every Realm is closed; the store is kept as a copy, and the next one is new")
  @MainActor func manual() async throws {
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
}
