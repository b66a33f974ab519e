import Foundation
import LarderLocks
import Testing

@testable import LarderSync

@Suite("App: removing users and deleting stores") struct UserRemovalTests {
  /// A store that is closed again, with one commit that is not sent.
  @MainActor private func write(_ configuration: Realm.Configuration) throws {
    let realm = try opened(configuration)
    try realm.write { _ = realm.create(SyncedPerson.self, value: ["id": 1]) }
  }

  @Test("Y-30: A store with commits that the server does not have is deleted only when these are discarded")
  @MainActor func unsent() async throws {
    let fixture = try await SyncedFixture()
    let configuration = fixture.configuration { $0.outsideWrites = .sendAnyway }
    #expect(try Realm.deleteFiles(for: configuration) == false)
    do { _ = try opened(configuration) }
    try await closed(fixture, configuration)
    #expect(try Realm.deleteFiles(for: configuration) == true)

    try write(configuration)
    try await closed(fixture, configuration)
    let error = #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: configuration) }
    #expect(error?.code == .fail && error?.message.contains("1 commit not yet on the server") == true)
    #expect(Realm.fileExists(for: configuration))
    #expect(throws: Realm.Error.self) {
      try Realm.deleteFiles(for: configuration, discardingUnsentChanges: false)
    }
    #expect(try Realm.deleteFiles(for: configuration, discardingUnsentChanges: true) == true)
    #expect(!Realm.fileExists(for: configuration))
  }

  /// Waits until nothing has the store open any more.
  private func closed(_ fixture: SyncedFixture, _ configuration: Realm.Configuration) async throws {
    fixture.releaseEngines()
    let path = try #require(configuration.fileURL?.path)
    await SessionRegistry.shared.endLingering(at: path)
    try await eventually { !SyncedFixture.isOpen(path) }
  }

  @Test("Y-52: A removed user is forgotten with its stores; unsent commits and open stores keep it")
  @MainActor func removed() async throws {
    let fixture = try await SyncedFixture()
    let user = fixture.user
    let configuration = fixture.configuration { $0.outsideWrites = .sendAnyway }
    let other = fixture.configuration("other")
    do { _ = try opened(other) }
    try write(configuration)
    do {
      let realm = try opened(configuration)
      let error = await #expect(throws: Realm.Error.self) { try await user.remove() }
      #expect(error?.code == .alreadyOpen)
      #expect(realm.objects(SyncedPerson.self).count == 1)
    }
    try await closed(fixture, configuration)
    let error = await #expect(throws: Realm.Error.self) { try await user.remove() }
    #expect(error?.code == .fail && error?.message.contains("1 commit") == true)
    #expect(user.isLoggedIn && Realm.fileExists(for: other))

    #expect(try Realm.deleteFiles(for: configuration, discardingUnsentChanges: true) == true)
    try await user.remove()
    #expect(user.state == .removed && user.accessToken == nil)
    #expect(fixture.app.allUsers.isEmpty && fixture.app.currentUser == nil)
    #expect(!Realm.fileExists(for: other))
    try await user.remove()
    let again = try await fixture.app.login(credentials: .jwt(token: SyncedFixture.token("ada")))
    #expect(again !== user && again.isLoggedIn)
  }
}
