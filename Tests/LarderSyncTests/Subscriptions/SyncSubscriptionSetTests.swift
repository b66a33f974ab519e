import Foundation
import LarderLocks
import LarderSyncProtocol
import Testing

@testable import LarderSync

@Suite("Subscriptions: sets of a store")
struct SyncSubscriptionSetTests {
  @Test("Y-1: An update that changes something makes the next version, one that changes nothing makes none")
  @MainActor func versions() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let subscriptions = realm.subscriptions
    #expect(subscriptions.version == 0)
    #expect(subscriptions.state == .complete)
    subscriptions.changed { subscriptions.append(QuerySubscription<SyncedPerson>()) }
    #expect(subscriptions.version == 1)
    #expect(subscriptions.count == 1)
    subscriptions.changed {}
    subscriptions.changed { subscriptions.append(QuerySubscription<SyncedPerson>()) }
    #expect(subscriptions.version == 1)
    #expect(try fixture.engine(of: realm).calls.subscriptionChanges == 1)
  }

  @Test("Y-2: A set is pending until the engine completes it")
  @MainActor func states() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let subscriptions = realm.subscriptions
    subscriptions.changed { subscriptions.append(QuerySubscription<SyncedPerson>()) }
    #expect(subscriptions.state == .pending)
    var states = subscriptions.states.makeAsyncIterator()
    #expect(await states.next() == .pending)
    try fixture.engine(of: realm).complete()
    #expect(await states.next() == .complete)
    #expect(subscriptions.state == .complete)
  }

  @Test("Y-3: An older version that was not complete is superseded, one that was stays complete")
  @MainActor func superseded() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let other = realm.subscriptions
    let first = realm.subscriptions
    first.changed { first.append(QuerySubscription<SyncedPerson>()) }
    let second = realm.subscriptions
    second.changed { second.append(QuerySubscription<SyncedPet>()) }
    #expect(first.state == .superseded)
    #expect(second.state == .pending)
    try fixture.engine(of: realm).complete()
    #expect(first.state == .superseded)
    #expect(second.state == .complete)
    // An update of any value starts from the newest set.
    other.changed { other.append(QuerySubscription<SyncedPet>(name: "pets")) }
    #expect(other.count == 3)
    #expect(second.state == .complete)
  }

  @Test("Y-4: A wait for a superseded version ends with the newest one")
  @MainActor func waiters() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let subscriptions = realm.subscriptions
    let ends = Shared<[Int]>([])
    subscriptions.changed {
      subscriptions.append(QuerySubscription<SyncedPerson>())
    } onComplete: { error in
      #expect(error == nil)
      ends.value.withLock { $0.append(1) }
    }
    subscriptions.changed { subscriptions.append(QuerySubscription<SyncedPet>()) }
    #expect(ends.value.withLock { $0 }.isEmpty)
    try fixture.engine(of: realm).complete()
    try await eventually { ends.value.withLock { $0 } == [1] }
  }

  @Test("Y-5: A refused set keeps its error, and the next update starts from it")
  @MainActor func refused() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let engine = try fixture.engine(of: realm)
    let subscriptions = realm.subscriptions
    let failures = Shared<[Realm.Error]>([])
    subscriptions.changed {
      subscriptions.append(QuerySubscription<SyncedPerson>(name: "old", where: "age > 3"))
    } onComplete: { error in
      if let error = error as? Realm.Error { failures.value.withLock { $0.append(error) } }
    }
    try engine.refuse("age is not queryable")
    try await eventually { failures.value.withLock { $0.count } == 1 }
    let failure = try #require(failures.value.withLock { $0.first })
    #expect(failure.code == .subscriptionFailed)
    #expect(failure.message.contains("age is not queryable"))
    #expect((subscriptions.error as? SyncError)?.code == .invalidFlexibleSyncSubscriptions)
    subscriptions.changed { subscriptions.remove(named: "old") }
    #expect(subscriptions.count == 0)
    #expect(subscriptions.state == .pending)
  }

  @Test("Y-6: Nested updates, updates within a write, writes within an update, and changes outside of one are refused")
  @MainActor func misuses() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let subscriptions = realm.subscriptions
    try subscriptions.throwing.update {
      #expect(throws: Realm.Error.self) { try subscriptions.throwing.update {} }
      #expect(throws: Realm.Error.self) { try realm.write {} }
      #expect(throws: Realm.Error.self) { try realm.write(timeout: 1) {} }
    }
    try realm.write { #expect(throws: Realm.Error.self) { try subscriptions.throwing.update {} } }
    #expect(throws: Realm.Error.self) { try subscriptions.throwing.append(QuerySubscription<SyncedPerson>()) }
    let frozen = realm.freeze()
    #expect(throws: Realm.Error.self) { try frozen.subscriptions.throwing.update {} }
    #expect(subscriptions.version == 0)
  }

  @Test("Y-6: What a block throws undoes what it did")
  @MainActor func throwingBlock() async throws {
    struct Stop: Error {}
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let subscriptions = realm.subscriptions
    #expect(throws: Stop.self) {
      try subscriptions.throwing.update {
        subscriptions.append(QuerySubscription<SyncedPerson>())
        #expect(subscriptions.count == 1)
        throw Stop()
      }
    }
    #expect(subscriptions.count == 0)
    try realm.write {}
  }

  @Test("Y-7: A set is there after the store was closed")
  @MainActor func restart() async throws {
    let fixture = try await SyncedFixture()
    do {
      let realm = try opened(fixture.configuration())
      let subscriptions = realm.subscriptions
      subscriptions.changed {
        subscriptions.append(
          QuerySubscription<SyncedPerson>(name: "young") { $0.born > Date(timeIntervalSince1970: 1_000) })
      }
    }
    let realm = try opened(fixture.configuration())
    let found = try #require(realm.subscriptions.first(named: "young"))
    #expect(found.objectType == "SyncedPerson")
    #expect(found.queryString.hasPrefix("born > "))
    #expect(
      realm.subscriptions.first(ofType: SyncedPerson.self) { $0.born > Date(timeIntervalSince1970: 1_000) }?.name
        == "young")
  }

  @Test("Y-9: A name that is taken by another query throws, and changes nothing")
  @MainActor func conflict() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let subscriptions = realm.subscriptions
    subscriptions.changed { subscriptions.append(QuerySubscription<SyncedPerson>(name: "x") { $0.age > 3 }) }
    let error = #expect(throws: Realm.Error.self) {
      try subscriptions.throwing.update {
        try subscriptions.throwing.append(QuerySubscription<SyncedPet>(name: "x"))
      }
    }
    #expect(error?.code == .invalidInput)
    #expect(error?.message.contains("age > 3") == true)
    #expect(subscriptions.version == 1)
  }

  @Test("Y-10: updateQuery keeps the place and the creation, and not the query")
  @MainActor func updateQuery() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let subscriptions = realm.subscriptions
    subscriptions.changed {
      subscriptions.append(
        QuerySubscription<SyncedPerson>(name: "a") { $0.age > 3 }, QuerySubscription<SyncedPerson>(name: "b"))
    }
    let before = try #require(subscriptions.first)
    subscriptions.changed { subscriptions.first(named: "a")?.updateQuery(to: "age > %@", 4) }
    let after = try #require(subscriptions.first)
    #expect(after.name == "a")
    #expect(after.createdAt == before.createdAt)
    #expect(after.updatedAt >= before.updatedAt)
    #expect(after.queryString == "age > 4")
    subscriptions.changed { subscriptions[1]?.updateQuery(toType: SyncedPerson.self) { $0.name == "x" } }
    #expect(subscriptions.last?.queryString == "name == 'x'")
  }

  @Test("Y-11: Subscriptions are removed by name, query, value and class, and all of them")
  @MainActor func removing() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let subscriptions = realm.subscriptions
    subscriptions.changed {
      for name in ["a", "b", "c"] {
        subscriptions.append(QuerySubscription<SyncedPerson>(name: name, where: "name == %@", name))
      }
      subscriptions.append(QuerySubscription<SyncedPerson>(), QuerySubscription<SyncedPerson> { $0.age > 7 })
      subscriptions.append(QuerySubscription<SyncedPet>())
    }
    #expect(subscriptions.map(\.name) == ["a", "b", "c", nil, nil, nil])
    subscriptions.changed {
      subscriptions.remove(named: "a")
      subscriptions.remove(named: "nothing")
      subscriptions.remove(ofType: SyncedPerson.self, where: "name == 'b'")
      subscriptions.remove(ofType: SyncedPerson.self) { $0.age > 8 }
      if let found = subscriptions.first(ofType: SyncedPerson.self, where: "age > 7") { subscriptions.remove(found) }
    }
    #expect(subscriptions.map(\.name) == ["c", nil, nil])
    subscriptions.changed { subscriptions.removeAll(ofType: SyncedPet.self) }
    #expect(subscriptions.count == 2)
    subscriptions.changed { subscriptions.removeAll(unnamedOnly: true) }
    #expect(subscriptions.map(\.name) == ["c"])
    subscriptions.changed { subscriptions.removeAll() }
    #expect(subscriptions.count == 0)
    #expect(subscriptions.state == .pending)
  }
}
