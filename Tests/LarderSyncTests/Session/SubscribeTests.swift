import Foundation
import LarderLocks
import Testing

@testable import LarderSync

@Suite("Session: subscribing to results")
struct SubscribeTests {
  @Test("Y-12: The filters of a chain are joined, sorting does not matter, and the results remember their subscription")
  @MainActor func chains() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let people = realm.objects(SyncedPerson.self).where { $0.age > 3 }.filter("name == %@", "a").sorted(
      byKeyPath: "name")
    let results = try await people.subscribe(waitForSync: .never)
    #expect(realm.subscriptions.map(\.queryString) == ["age > 3 AND name == 'a'"])
    #expect(results.count == 0)
    results.unsubscribe()
    #expect(realm.subscriptions.count == 0)
    results.unsubscribe()
    #expect(realm.subscriptions.version == 2)
  }

  @Test("Y-12: Results that are no class's objects under a filter are refused before anything is stored")
  @MainActor func refused() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let people = realm.objects(SyncedPerson.self)
    for results in [people.distinct(by: ["name"]), people.limit(3), people.freeze()] {
      let error = await #expect(throws: Realm.Error.self) { _ = try await results.subscribe() }
      #expect(error?.code == .subscriptionFailed)
    }
    #expect(realm.subscriptions.version == 0)
  }

  @Test("Y-12: onCreation waits for a new subscription and not for one that is there")
  @MainActor func onCreation() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let engine = try fixture.engine(of: realm)
    let people = realm.objects(SyncedPerson.self)
    let hasReturned = Shared(false)
    let waiting = Task { @MainActor in
      _ = try await people.subscribe(name: "all")
      hasReturned.value.withLock { $0 = true }
    }
    try await eventually { engine.calls.subscriptionChanges == 1 }
    // Pending, and there: the second call has nothing to wait for.
    _ = try await people.subscribe(name: "all")
    #expect(!hasReturned.value.withLock { $0 })
    try engine.complete()
    try await waiting.value
    #expect(realm.subscriptions.count == 1)
  }

  @Test("Y-12: always waits for what the server has")
  @MainActor func always() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let engine = try fixture.engine(of: realm)
    let people = realm.objects(SyncedPerson.self)
    _ = try await people.subscribe(waitForSync: .never)
    try engine.complete()
    engine.holdDownloads()
    let waiting = Task { @MainActor in _ = try await people.subscribe(waitForSync: .always) }
    try await eventually { engine.waitingDownloads == 1 }
    engine.endWaits(.success(()))
    try await waiting.value
  }

  @Test("Y-10: Subscribing under a taken name replaces its query, also of another class")
  @MainActor func replacing() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    _ = try await realm.objects(SyncedPerson.self).subscribe(name: "x", waitForSync: .never)
    _ = try await realm.objects(SyncedPerson.self).subscribe(waitForSync: .never)
    _ = try await realm.objects(SyncedPet.self).subscribe(name: "x", waitForSync: .never)
    #expect(realm.subscriptions.map(\.objectType) == ["SyncedPet", "SyncedPerson"])
  }

  @Test("Y-13: A wait ends with ETIMEDOUT after its time, and the subscription stays")
  @MainActor func timeout() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let error = await #expect(throws: NSError.self) {
      _ = try await realm.objects(SyncedPerson.self).subscribe(timeout: 0.05)
    }
    #expect(error?.domain == NSPOSIXErrorDomain)
    #expect(error?.code == Int(POSIXErrorCode.ETIMEDOUT.rawValue))
    #expect(error?.localizedDescription.contains("0.05") == true)
    #expect(realm.subscriptions.count == 1)
    #expect(realm.subscriptions.state == .pending)
  }

  @Test("Y-13: A cancelled wait throws CancellationError, and the subscription stays")
  @MainActor func cancelled() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let engine = try fixture.engine(of: realm)
    let people = realm.objects(SyncedPerson.self)
    let waiting = Task { @MainActor in _ = try await people.subscribe() }
    try await eventually { engine.calls.subscriptionChanges == 1 }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(realm.subscriptions.count == 1)
  }

  @Test("Y-13: A wait ends with the error of a session that becomes invalid")
  @MainActor func invalid() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let engine = try fixture.engine(of: realm)
    let people = realm.objects(SyncedPerson.self)
    let waiting = Task { @MainActor in _ = try await people.subscribe() }
    try await eventually { engine.calls.subscriptionChanges == 1 }
    try await fixture.user.logOut()
    let error = await #expect(throws: SyncError.self) { try await waiting.value }
    #expect(error?.code == .clientUserError)
  }

  @Test("Y-13: unsubscribe removes the unnamed subscription of its query, never a named one that it did not make")
  @MainActor func unsubscribing() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let people = realm.objects(SyncedPerson.self)
    let named = try await people.subscribe(name: "x", waitForSync: .never)
    _ = try await people.subscribe(waitForSync: .never)
    people.unsubscribe()
    people.unsubscribe()
    #expect(realm.subscriptions.map(\.name) == ["x"])
    named.unsubscribe()
    #expect(realm.subscriptions.count == 0)
  }
}
