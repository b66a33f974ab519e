import Foundation
import Testing

@testable import Larder
@testable import LarderStorage

/// Writes that change nothing.
@Suite("Writes that change nothing", .timeLimit(.minutes(1))) struct UnchangedWriteTests {
  private static let types: [ObjectBase.Type] = [Person.self, Dog.self, Address.self, Room.self]

  private func version(_ realm: Realm) throws -> UInt64 { try realm.core.store.newestVersion }

  @Test("F-62: an empty write and one of equal values make no version; the Realm's observers are told of both (N-50)")
  func noVersion() throws {
    try onQueue(Self.types) { realm in
      let person = Person(id: 1)
      person.name = "Ada"
      try realm.write { realm.add(person) }
      var told = 0
      let token = realm.observe { _, _ in told += 1 }
      let before = try version(realm)
      try realm.write {}
      #expect(told == 1)
      try realm.write {
        person.name = "Ada"
        person.age = person.age
      }
      #expect(told == 2)
      #expect(try version(realm) == before)
      #expect(person.name == "Ada" && !person.isInvalidated)
      try realm.write { person.name = "Grace" }
      #expect(try version(realm) == before + 1 && told == 3)
      #expect(person.name == "Grace")
      token.invalidate()
    }
  }

  @Test("F-62, N-14: with an observer an assignment of the same value is a modification")
  func observed() throws {
    try onQueue(Self.types) { realm in
      let person = Person(id: 1)
      try realm.write { realm.add(person) }
      var modifications: [[Int]] = []
      let token = realm.objects(Person.self).observe { change in
        if case .update(_, _, _, let modified) = change { modifications.append(modified) }
      }
      realm.refresh()
      try realm.write { person.name = person.name }
      realm.refresh()
      #expect(modifications == [[0]])
      let before = try version(realm)
      try realm.write {}
      realm.refresh()
      #expect(modifications == [[0]])
      #expect(try version(realm) == before)
      token.invalidate()
      try realm.write { person.name = person.name }
      #expect(try version(realm) == before)
    }
  }

  @Test("F-62: a cancelled write before one without changes, and objects made after it")
  func afterCancelling() throws {
    try onQueue(Self.types) { realm in
      realm.beginWrite()
      let dropped = realm.create(Person.self, value: ["id": 5])
      realm.cancelWrite()
      try realm.write {}
      #expect(dropped.isInvalidated)
      try realm.write { realm.add(Person(id: 6)) }
      #expect(realm.objects(Person.self).map(\.id) == [6])
      #expect(dropped.isInvalidated)
    }
  }
}
