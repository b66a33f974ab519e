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
}
