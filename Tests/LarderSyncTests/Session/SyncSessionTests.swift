import Foundation
import LarderLocks
import LarderSyncProtocol
import Testing

@testable import LarderSync

@Suite("Session: one store and its connection")
struct SyncSessionTests {
  @Test("Y-57: There is one session per store, and none for a local store")
  @MainActor func identity() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let session = try #require(realm.syncSession)
    let fromElsewhere = try await Task.detached {
      try opened(fixture.configuration()).syncSession
    }.value
    #expect(fromElsewhere === session)
    #expect(realm.freeze().syncSession === session)
    #expect(try fixture.engine(of: realm).calls.starts == 1)
    #expect(session.parentUser() == fixture.user)
    #expect(fixture.user.allSessions.contains { $0 === session })
    #expect(session.configuration()?.user == fixture.user)
    var local = Realm.Configuration(inMemoryIdentifier: "local-\(UUID())")
    local.objectTypes = [LocalNote.self]
    #expect(try opened(local).syncSession == nil)
  }

  @Test("Y-57: suspend and resume can be called in any order from any thread")
  @MainActor func suspending() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let session = try #require(realm.syncSession)
    #expect(session.state == .active)
    session.suspend()
    session.suspend()
    #expect(session.state == .inactive)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<10 {
        group.addTask { for _ in 0..<100 { if number % 2 == 0 { session.suspend() } else { session.resume() } } }
      }
    }
    session.resume()
    session.resume()
    #expect(session.state == .active)
    session.reconnect()
    #expect(try fixture.engine(of: realm).calls.reconnects == 1)
  }

  @Test("The states of the connection come in order, the present one first")
  @MainActor func connectionStates() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let session = try #require(realm.syncSession)
    let engine = try fixture.engine(of: realm)
    var states = session.connectionStates.makeAsyncIterator()
    #expect(await states.next() == .disconnected)
    engine.change { $0.connection = .connecting }
    #expect(await states.next() == .connecting)
    engine.change { $0.connection = .connected }
    #expect(await states.next() == .connected)
    #expect(session.connectionState == .connected)
    let observed = Shared<[SyncSession.ConnectionState]>([])
    let token = session.observeConnectionState { state in observed.value.withLock { $0.append(state) } }
    try await eventually { observed.value.withLock { $0 } == [.connected] }
    #expect(token.invalidate())
    #expect(!token.invalidate())
  }

  @Test("What is not sent, and when both sides were level, are the engine's")
  @MainActor func unsent() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let session = try #require(realm.syncSession)
    let engine = try fixture.engine(of: realm)
    #expect(session.lastSynced == nil)
    engine.change {
      ($0.unsentCommits, $0.unsentBytes, $0.oldestUnsent, $0.lastSynced) = (3, 900, 5_000, 4_000)
    }
    var changes = session.unsentChanges.makeAsyncIterator()
    let now = await changes.next()
    #expect(now?.commits == 3)
    #expect(now?.bytes == 900)
    #expect(now?.oldest == Date(timeIntervalSince1970: 5))
    #expect(session.lastSynced == Date(timeIntervalSince1970: 4))
  }

  @Test("Y-36: Waits end when the engine's do, and throw when the session ends")
  @MainActor func waits() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let session = try #require(realm.syncSession)
    let engine = try fixture.engine(of: realm)
    let first = Task { try await session.wait(for: .upload) }
    try await eventually { engine.waitingUploads == 1 }
    engine.endWaits(.success(()))
    try await first.value
    let result = Shared<[String]>([])
    session.wait(for: .upload, queue: DispatchQueue(label: "waits")) { error in
      result.value.withLock { $0.append((error as? SyncError).map { "\($0.code)" } ?? "none") }
    }
    try await eventually { engine.waitingUploads == 1 }
    engine.endWaits(.failure(.server(SyncFailure(.tenant, action: .stop, message: "no"))))
    try await eventually { result.value.withLock { $0 } == ["permissionDeniedError"] }
  }

  @Test("Y-58: The engine of a closed store goes on until everything is sent, and a new opening takes it over")
  @MainActor func lingering() async throws {
    let fixture = try await SyncedFixture()
    var engine: ScriptedEngine?
    do {
      let realm = try opened(fixture.configuration())
      engine = try fixture.engine(of: realm)
      engine?.change { $0.unsentCommits = 1 }
    }
    let first = try #require(engine)
    try await eventually { first.waitingUploads == 1 }
    #expect(first.calls.stops == 0)
    do {
      let realm = try opened(fixture.configuration())
      #expect(realm.syncSession?.engine === first)
      first.endWaits(.success(()))
      try await Task.sleep(for: .milliseconds(20))
      #expect(first.calls.stops == 0)
      first.change { $0.unsentCommits = 0 }
    }
    try await eventually { first.calls.stops == 1 }
    #expect(first.calls.starts == 1)
  }

  @Test("Y-52: Logging out ends the session at once, and the store can be used")
  @MainActor func loggingOut() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration { $0.outsideWrites = .sendAnyway })
    let engine = try fixture.engine(of: realm)
    try await fixture.user.logOut()
    #expect(realm.syncSession?.state == .invalid)
    #expect(engine.status.isSuspended)
    #expect(realm.syncSession?.addProgressNotification(for: .upload, mode: .reportIndefinitely) { _ in } == nil)
    try realm.write { _ = realm.create(SyncedPerson.self, value: ["id": 1] as [String: Any]) }
    let again = try await fixture.app.login(credentials: .jwt(token: SyncedFixture.token("ada")))
    #expect(again === fixture.user)
    #expect(realm.syncSession?.state == .active)
    #expect(!engine.status.isSuspended)
    #expect(engine.calls.tokenUpdates == 1)
  }

  @Test("Y-52: A store opens for a user who is logged out, without a connection until the login")
  @MainActor func openingLoggedOut() async throws {
    let fixture = try await SyncedFixture()
    try await fixture.user.logOut()
    let realm = try opened(fixture.configuration())
    #expect(try fixture.engine(of: realm).status.isSuspended)
    try fixture.user.update(token: SyncedFixture.token("ada"))
    #expect(try !fixture.engine(of: realm).status.isSuspended)
  }
}
