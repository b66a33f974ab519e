import Foundation
import Testing

@testable import LarderSync

@Suite("Session: writes outside of subscriptions")
struct WriteGuardTests {
  private func realm(_ fixture: SyncedFixture, _ outside: OutsideWrites = .refuse) throws -> Realm {
    try opened(fixture.configuration { $0.outsideWrites = outside })
  }

  @Test("Y-25: A new object of a class without subscriptions is refused at the commit, with the line that is missing")
  @MainActor func noSubscription() async throws {
    let fixture = try await SyncedFixture()
    let realm = try realm(fixture)
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { realm.create(SyncedPerson.self, value: ["id": 7] as [String: Any]) }
    }
    #expect(error?.code == .noSubscriptionForWrite)
    #expect(error?.className == "SyncedPerson")
    #expect(error?.message.contains("id 7") == true)
    #expect(error?.message.contains("QuerySubscription<SyncedPerson>()") == true)
    #expect(realm.objects(SyncedPerson.self).isEmpty)
    #expect(!realm.isInWriteTransaction)
    realm.subscriptions.changed { realm.subscriptions.append(QuerySubscription<SyncedPerson>()) }
    // A pending subscription counts.
    try realm.write { realm.create(SyncedPerson.self, value: ["id": 7] as [String: Any]) }
    #expect(realm.objects(SyncedPerson.self).count == 1)
  }

  @Test("Y-26: A new object that no query has, by its values at the commit, is refused and the transaction undone")
  @MainActor func outside() async throws {
    let fixture = try await SyncedFixture()
    let realm = try realm(fixture)
    let subscriptions = realm.subscriptions
    let day = Date(timeIntervalSince1970: 86_400)
    subscriptions.changed {
      subscriptions.append(
        QuerySubscription<SyncedPerson> { $0.age > 10 }, QuerySubscription<SyncedPerson> { $0.born > day })
    }
    let error = #expect(throws: Realm.Error.self) {
      try realm.write {
        realm.create(SyncedPerson.self, value: ["id": 1, "age": 11] as [String: Any])
        realm.create(SyncedPerson.self, value: ["id": 2, "age": 3] as [String: Any])
      }
    }
    #expect(error?.code == .noSubscriptionForWrite)
    #expect(error?.message.contains("id 2") == true)
    #expect(error?.message.contains("age > 10") == true)
    #expect(realm.objects(SyncedPerson.self).isEmpty)
    try realm.write {
      let person = realm.create(SyncedPerson.self, value: ["id": 2, "age": 3] as [String: Any])
      person.age = 12
      realm.create(SyncedPerson.self, value: ["id": 3, "born": day.addingTimeInterval(1)] as [String: Any])
      let gone = realm.create(SyncedPerson.self, value: ["id": 4] as [String: Any])
      realm.delete(gone)
    }
    #expect(realm.objects(SyncedPerson.self).count == 2)
    // An object that is there may leave every query.
    try realm.write { realm.object(ofType: SyncedPerson.self, forPrimaryKey: 2)?.age = 1 }
  }

  @Test("Y-26: Commits of tasks and in the background are looked at as well")
  @MainActor func background() async throws {
    let fixture = try await SyncedFixture()
    let realm = try realm(fixture)
    let error = await #expect(throws: Realm.Error.self) {
      try await realm.asyncWrite { _ = realm.create(SyncedPerson.self, value: ["id": 7] as [String: Any]) }
    }
    #expect(error?.code == .noSubscriptionForWrite)
    #expect(realm.objects(SyncedPerson.self).isEmpty)
  }

  @Test("Y-26: With sendAnyway, and for local classes, nothing is refused")
  @MainActor func sendAnyway() async throws {
    let fixture = try await SyncedFixture()
    let realm = try realm(fixture, .sendAnyway)
    try realm.write {
      realm.create(SyncedPerson.self, value: ["id": 7] as [String: Any])
      realm.create(LocalNote.self, value: ["id": 7] as [String: Any])
    }
    #expect(realm.objects(SyncedPerson.self).count == 1)
    let refusing = try opened(fixture.configuration("other"))
    try refusing.write { _ = refusing.create(LocalNote.self, value: ["id": 7] as [String: Any]) }
  }
}
