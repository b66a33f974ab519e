import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import Larder

final class LoggedPart: EmbeddedObject {
  @Persisted var weight = 1.5
  @Persisted var label: String
}

final class LoggedThing: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = "none"
  @Persisted var age: Int?
  @Persisted var tags: List<String>
  @Persisted var marks: MutableSet<Int>
  @Persisted var part: LoggedPart?
  @Persisted var other: LoggedThing?
  @Persisted var kind: AnyRealmValue
  @Persisted var when: Date
}

/// Tests of what the change log says of the values of new objects (L-16).
@Suite struct LoggedDefaultsTests {
  private func logged(_ body: (Realm) throws -> Void) throws -> [String: [String: Int]] {
    var configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString)
    configuration.objectTypes = [LoggedThing.self, LoggedPart.self]
    let realm = try Realm(configuration: configuration)
    try realm.write { try body(realm) }
    let snapshot = try realm.core.store.snapshot()
    let record = try #require(try snapshot.store.log.record(snapshot.version, in: snapshot.transaction))
    var result: [String: [String: Int]] = [:]
    for changes in record.classes {
      let entry = try #require(snapshot.schema[changes.classID])
      for run in changes.defaults {
        result[entry.name, default: [:]][try #require(entry.column(run.column)).name] = run.keys.count
      }
    }
    return result
  }

  @Test("L-16: a new object's properties are logged as defaults unless they were given a value")
  func adding() throws {
    let defaults = try logged { realm in
      let thing = LoggedThing()
      thing.id = 1
      thing.name = "none"
      thing.tags.append("a")
      thing.part = LoggedPart(value: ["label": "x"])
      realm.add(thing)
      let other = LoggedThing(value: ["id": 2, "age": 3, "kind": 5, "when": Date()] as [String: Any])
      other.other = thing
      realm.add(other)
    }
    #expect(
      defaults["LoggedThing"] == [
        "name": 1, "age": 1, "tags": 1, "marks": 2, "part": 1, "other": 1, "kind": 1, "when": 1,
      ])
    #expect(defaults["LoggedPart"] == ["weight": 1])
  }

  @Test("L-16: what is assigned in the same transaction after adding is no default")
  func assigning() throws {
    let defaults = try logged { realm in
      let thing = LoggedThing()
      realm.add(thing)
      thing.name = "given"
      thing.tags.append("a")
      thing.setValue(4, forKey: "age")
      thing.part = LoggedPart()
      thing.part?.label = "x"
      realm.create(LoggedThing.self, value: ["id": 0, "when": Date()] as [String: Any], update: .modified)
    }
    #expect(defaults["LoggedThing"] == ["marks": 1, "other": 1, "kind": 1])
    #expect(defaults["LoggedPart"] == ["weight": 1])
  }

  @Test("L-16: objects made by name log what nothing was supplied for, and create-or-update is reported")
  func makingByName() throws {
    var configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString)
    configuration.objectTypes = [LoggedThing.self, LoggedPart.self]
    let realm = try Realm(configuration: configuration)
    try realm.write {
      _ = realm.dynamicCreate("LoggedThing", value: ["id": 1, "name": "a"], update: .all)
      realm.create(LoggedThing.self, value: ["id": 2], update: .modified)
      realm.create(LoggedThing.self, value: ["id": 3])
    }
    let snapshot = try realm.core.store.snapshot()
    let record = try #require(try snapshot.store.log.record(snapshot.version, in: snapshot.transaction))
    let changes = try #require(record.classes.first)
    #expect(changes.intents.map(\.intent) == [.createOrUpdateAll, .createOrUpdateModified])
    #expect(changes.intents.map(\.keys.count) == [1, 1])
    let entry = try #require(snapshot.schema["LoggedThing"])
    let name = try #require(entry.column(named: "name")).id
    #expect(changes.defaults.first { $0.column == name }?.keys.count == 2)
  }
}
