import Foundation
import LarderLocks
import LarderSyncProtocol
import Testing

@testable import LarderSync

final class SyncedKeyless: Object {
  @Persisted var name: String
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite("Configuration: opening synced stores")
struct OpeningTests {
  @Test("Y-44: A class without a primary key makes opening throw; the store opens without it afterwards")
  @MainActor func keyless() async throws {
    let fixture = try await SyncedFixture()
    var configuration = fixture.configuration()
    configuration.objectTypes = [SyncedPerson.self, SyncedPet.self, SyncedKeyless.self]
    let error = #expect(throws: Realm.Error.self) { try opened(configuration) }
    #expect(error?.code == .schemaMismatch && error?.message.contains("SyncedKeyless") == true)
    #expect(try opened(fixture.configuration()).isEmpty)
  }

  @Test("Y-14: initialSubscriptions run in one update for a new store, and not again")
  @MainActor func initial() async throws {
    let fixture = try await SyncedFixture()
    let runs = Shared(0)
    let initial = InitialSubscriptionsConfiguration { set in
      runs.value.withLock { $0 += 1 }
      #expect(set.count == 0)
      set.append(QuerySubscription<SyncedPerson>(name: "a"), QuerySubscription<SyncedPerson>(name: "b"))
      #expect(set.first(named: "b") != nil)
    }
    for _ in 0..<2 {
      let realm = try opened(fixture.configuration(initial: initial))
      #expect(realm.subscriptions.count == 2)
      #expect(realm.subscriptions.version == 1)
    }
    #expect(runs.value.withLock { $0 } == 1)
  }

  @Test("Y-14: With rerunOnOpen they run at the first opening of each process, and replace named ones")
  @MainActor func rerun() async throws {
    let fixture = try await SyncedFixture()
    let runs = Shared(0)
    let initial = InitialSubscriptionsConfiguration(
      callback: { set in
        let run = runs.value.withLock { runs in
          runs += 1
          return runs
        }
        set.append(QuerySubscription<SyncedPerson>(name: "recent", where: "age > %@", run))
      }, rerunOnOpen: true)
    for _ in 0..<2 { _ = try opened(fixture.configuration(initial: initial)) }
    #expect(runs.value.withLock { $0 } == 1)
    // What another process would have.
    let registry = SessionRegistry()
    let realm = try opened(fixture.configuration(initial: initial) { $0.settings.registry = registry })
    #expect(realm.subscriptions.map(\.queryString) == ["age > 2"])
  }

  @Test("Y-14: A query that cannot be subscribed to makes opening throw, and the next opening begins again")
  @MainActor func badInitial() async throws {
    let fixture = try await SyncedFixture()
    let bad = InitialSubscriptionsConfiguration { $0.append(QuerySubscription<SyncedPerson>(where: "pet.id == 3")) }
    let error = #expect(throws: Realm.Error.self) { try opened(fixture.configuration(initial: bad)) }
    #expect(error?.code == .subscriptionFailed)
    let good = InitialSubscriptionsConfiguration { $0.append(QuerySubscription<SyncedPerson>()) }
    let realm = try opened(fixture.configuration(initial: good))
    #expect(realm.subscriptions.count == 1)
  }

  @Test("Y-15: Plain opening and never wait for nothing; always waits, and resumes; once waits until it was there")
  @MainActor func behaviors() async throws {
    let fixture = try await SyncedFixture()
    let initial = InitialSubscriptionsConfiguration { $0.append(QuerySubscription<SyncedPerson>()) }
    let configuration = fixture.configuration(initial: initial)
    let realm = try opened(configuration)
    let engine = try fixture.engine(of: realm)
    _ = try await Realm(configuration: configuration, downloadBeforeOpen: .never)
    engine.suspend()
    engine.holdDownloads()
    let opening = Task { @MainActor in
      _ = try await Realm(configuration: configuration, downloadBeforeOpen: .once)
    }
    try await eventually { !engine.status.isSuspended }
    try engine.complete()
    try await eventually { engine.waitingDownloads == 1 }
    engine.endWaits(.success(()))
    try await opening.value
    _ = try await Realm(configuration: configuration, downloadBeforeOpen: .once)
    let again = Task { @MainActor in
      _ = try await Realm(configuration: configuration, downloadBeforeOpen: .always)
    }
    try await eventually { engine.waitingDownloads == 1 }
    engine.endWaits(.success(()))
    try await again.value
  }

  @Test("Y-16: With cancelAsyncOpenOnNonFatalErrors a lost connection ends opening, and without it does not")
  @MainActor func lostConnection() async throws {
    let fixture = try await SyncedFixture()
    let configuration = fixture.synced(
      fixture.user.flexibleSyncConfiguration(
        cancelAsyncOpenOnNonFatalErrors: true,
        initialSubscriptions: { $0.append(QuerySubscription<SyncedPerson>()) }))
    let realm = try opened(configuration)
    let engine = try fixture.engine(of: realm)
    let opening = Task { @MainActor in
      _ = try await Realm(configuration: configuration, downloadBeforeOpen: .always)
    }
    let failing = Task {
      while !Task.isCancelled {
        engine.tell(.failure(.transport(.unreachable("no route"))))
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    let error = await #expect(throws: SyncError.self) { try await opening.value }
    failing.cancel()
    #expect(error?.code == .connectionFailed)
    #expect(error?.message.contains("no route") == true)
  }

  @Test("Y-16: A refused query ends opening that waits")
  @MainActor func refusedQuery() async throws {
    let fixture = try await SyncedFixture()
    let initial = InitialSubscriptionsConfiguration { $0.append(QuerySubscription<SyncedPerson>()) }
    let configuration = fixture.configuration(initial: initial)
    let realm = try opened(configuration)
    try fixture.engine(of: realm).refuse("no")
    let error = await #expect(throws: Realm.Error.self) {
      _ = try await Realm(configuration: configuration, downloadBeforeOpen: .always)
    }
    #expect(error?.code == .subscriptionFailed)
  }

  @Test("Y-17: A cancelled opening does not call back, and the store stays")
  func cancelledTask() async throws {
    let fixture = try await SyncedFixture()
    let initial = InitialSubscriptionsConfiguration { $0.append(QuerySubscription<SyncedPerson>()) }
    let configuration = fixture.configuration(initial: initial)
    let queue = DispatchQueue(label: "opening")
    let calls = Shared(0)
    let task = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { _ in
      calls.value.withLock { $0 += 1 }
    }
    try await eventually { SessionRegistry.shared.sessions.contains { $0.setup.user === fixture.user } }
    task.cancel()
    let second = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
      if case .success(let realm) = result, realm.subscriptions.count == 1 { calls.value.withLock { $0 += 10 } }
    }
    try await eventually {
      let session = SessionRegistry.shared.sessions.first { $0.setup.user === fixture.user }
      if let engine = session?.engine as? ScriptedEngine { try engine.complete() }
      return calls.value.withLock { $0 } == 10
    }
    queue.sync {}
    #expect(calls.value.withLock { $0 } == 10)
    withExtendedLifetime(second) {}
  }

  @Test("Y-34: The progress of a task of asyncOpen does not fall, and ends with 1")
  func openingProgress() async throws {
    let fixture = try await SyncedFixture()
    let task = Realm.asyncOpen(
      configuration: fixture.configuration(), callbackQueue: DispatchQueue(label: "opening")
    ) { _ in }
    let estimates = Shared<[Double]>([])
    let following = Task {
      for await report in task.progress { estimates.value.withLock { $0.append(report.progressEstimate) } }
    }
    try await eventually { SessionRegistry.shared.sessions.contains { $0.setup.user === fixture.user } }
    let session = try #require(SessionRegistry.shared.sessions.first { $0.setup.user === fixture.user })
    let engine = try #require(session.engine as? ScriptedEngine)
    for done in 0..<4 {
      engine.change {
        ($0.connection, $0.phase, $0.objectsDone, $0.objectsExpected) = (.connected, .bootstrapping, done, 4)
      }
    }
    try await eventually { estimates.value.withLock { !$0.isEmpty } }
    engine.change { $0.phase = .following }
    await following.value
    let all = estimates.value.withLock { $0 }
    #expect(all == all.sorted())
    #expect(all.last == 1)
  }

  @Test("Y-54: A store of another user, or of another tenant, is not opened")
  @MainActor func owners() async throws {
    let fixture = try await SyncedFixture()
    let other = try await fixture.app.login(credentials: .jwt(token: SyncedFixture.token("bob")))
    let url = URL(fileURLWithPath: fixture.directory.file("shared.realm"))
    var mine = fixture.configuration()
    mine.fileURL = url
    var theirs = fixture.synced(other.flexibleSyncConfiguration())
    theirs.fileURL = url
    do {
      let realm = try opened(mine)
      let error = #expect(throws: Realm.Error.self) { try opened(theirs) }
      #expect(error?.code == .incompatibleSession)
      withExtendedLifetime(realm) {}
    }
    let error = #expect(throws: Realm.Error.self) { try opened(theirs) }
    #expect(error?.code == .incompatibleSession)
    var local = Realm.Configuration(fileURL: url)
    local.objectTypes = mine.objectTypes
    let asLocal = #expect(throws: Realm.Error.self) { try opened(local) }
    #expect(asLocal?.code == .incompatibleHistories)
    local.readOnly = true
    let readOnly = local
    fixture.releaseEngines()
    // The engine lets go of the store when nothing is left to send.
    try await eventually { (try? opened(readOnly)) != nil }
  }

  @Test("Y-54: Configurations of different users, tenants and roles are not equal")
  func equality() async throws {
    let fixture = try await SyncedFixture()
    #expect(fixture.configuration() == fixture.configuration())
    var never = fixture.configuration { $0.role = .never }
    #expect(never != fixture.configuration())
    never.syncConfiguration = nil
    #expect(never != fixture.configuration())
    let tenant = fixture.user.flexibleSyncConfiguration(name: "store", tenant: "x")
    #expect(tenant.syncConfiguration?.tenant == "x")
    #expect(tenant.syncConfiguration?.user == fixture.user)
    #expect(fixture.synced(tenant) != fixture.configuration())
  }

  @Test("Y-66: With the role never there is no connection, and everything else works")
  @MainActor func roleNever() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration { $0.role = .never })
    #expect(try fixture.engine(of: realm).status.isSuspended)
    realm.subscriptions.changed { realm.subscriptions.append(QuerySubscription<SyncedPerson>()) }
    try realm.write { _ = realm.create(SyncedPerson.self, value: ["id": 1] as [String: Any]) }
    #expect(realm.syncSession?.state == .inactive)
    realm.syncSession?.resume()
    #expect(try fixture.engine(of: realm).status.isSuspended)
  }
}
