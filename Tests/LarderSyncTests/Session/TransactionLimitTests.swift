import Foundation
import LarderSyncProtocol
import Testing

@testable import LarderSync

@Suite("Session: writes that are above a limit", .timeLimit(.minutes(5)))
struct TransactionLimitTests {
  private static func text(_ bytes: Int) -> String { String(repeating: "t", count: bytes) }

  @MainActor private func realm(_ fixture: SyncedFixture) throws -> Realm {
    let realm = try opened(fixture.configuration { $0.outsideWrites = .sendAnyway })
    return realm
  }

  private static func write(_ realm: Realm, _ half: String) {
    let person = realm.create(SyncedPerson.self, value: ["id": 7, "name": half] as [String: Any], update: .modified)
    person.tags.append(half)
  }

  @Test("F-105: A transaction that cannot be sent is refused at the commit with its size and its largest object")
  @MainActor func transaction() async throws {
    let fixture = try await SyncedFixture()
    let realm = try realm(fixture)
    let half = Self.text(SyncLimit.transactionBytes.most / 2 + 1)
    let error = #expect(throws: Realm.Error.self) { try realm.write { Self.write(realm, half) } }
    #expect(error?.code == .transactionTooLarge && error?.className == "SyncedPerson")
    #expect(error?.message.contains("'SyncedPerson' 7") == true)
    #expect(realm.objects(SyncedPerson.self).isEmpty && !realm.isInWriteTransaction)
    let asynchronous = await #expect(throws: Realm.Error.self) {
      try await realm.asyncWrite { Self.write(realm, half) }
    }
    #expect(asynchronous?.code == .transactionTooLarge)
    #expect(realm.objects(SyncedPerson.self).isEmpty)
    // The next one is as any other.
    try realm.write { _ = realm.create(SyncedPerson.self, value: ["id": 7] as [String: Any]) }
    #expect(realm.objects(SyncedPerson.self).count == 1)
  }

  @Test("F-105, F-106: A value that is too long is refused at the commit, and local classes have no such limit")
  @MainActor func value() async throws {
    let fixture = try await SyncedFixture()
    let realm = try realm(fixture)
    let long = Self.text(SyncLimit.value.most + 1)
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { _ = realm.create(SyncedPerson.self, value: ["id": 1, "name": long] as [String: Any]) }
    }
    #expect(error?.code == .invalidInput && error?.message.contains("\(SyncLimit.value.most)") == true)
    try realm.write {
      // What stays on the device is not looked at.
      _ = realm.create(SyncedPerson.self, value: ["id": 1, "draft": long] as [String: Any])
      _ = realm.create(LocalNote.self, value: ["id": 1] as [String: Any])
    }
    #expect(realm.objects(SyncedPerson.self).count == 1)
  }
}
