import Foundation
import Testing

@testable import Larder
@testable import LarderStorage

/// Migrations of one class, step by step.
@Suite("Migrations") struct MigrationTests {
  enum V1 {
    class Person: Object {
      @Persisted var first = ""
      @Persisted var last = ""
      @Persisted var age: Int?
      @Persisted var gone = "x"
    }
  }
  enum V2 {
    class Person: Object {
      @Persisted var full = "unknown"
      @Persisted var first = ""
      @Persisted var last = ""
      @Persisted var age: Int
      @Persisted var score = 7
      @Persisted var id: UUID
      @Persisted var tags: List<String>
    }
  }

  private func filled() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let realm = try Realm(configuration: folder.configuration([V1.Person.self], version: 1))
    try realm.write {
      realm.create(V1.Person.self, value: ["first": "Ada", "last": "Lovelace", "age": 36])
      realm.create(V1.Person.self, value: ["first": "Alan", "last": "Turing"])
    }
    return folder
  }

  private func verify(_ realm: Realm) throws {
    let problems = try StoreVerifier.verify(realm.core.currentSnapshot())
    #expect(problems.isEmpty, "\(problems.map(\.description))")
  }

  @Test("M-31, M-39, M-55 a block sees old and new objects and fills a new property from old ones")
  func block() throws {
    let folder = try filled()
    var configuration = folder.configuration([V2.Person.self], version: 2)
    configuration.migrationBlock = { migration, old in
      #expect(old == 1)
      #expect(migration.oldSchema["Person"]?.properties.map(\.name) == ["first", "last", "age", "gone"])
      #expect(migration.newSchema["Person"]?["full"]?.type == .string)
      migration.enumerateObjects(ofType: "Person") { old, new in
        guard let old, let new else {
          Issue.record("an object is missing")
          return
        }
        #expect(old["gone"] as? String == "x")
        new["full"] = "\(old["first"] as? String ?? "") \(old["last"] as? String ?? "")"
      }
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(V2.Person.self).map(\.full) == ["Ada Lovelace", "Alan Turing"])
    try verify(realm)
  }

  @Test("M-43, M-47 values stay when nil becomes impossible, and new properties get their declared defaults")
  func defaults() throws {
    let folder = try filled()
    let realm = try Realm(configuration: folder.configuration([V2.Person.self], version: 2))
    let people = realm.objects(V2.Person.self)
    #expect(people.map(\.age) == [36, 0])
    #expect(people.map(\.score) == [7, 7])
    #expect(people.map(\.full) == ["unknown", "unknown"])
    #expect(Set(people.map(\.id)).count == 2)
    #expect(people.allSatisfy { $0.tags.isEmpty })
    try verify(realm)
  }

  @Test("M-32 the block runs whenever the version rises; M-30 not for a new store; M-68 and not for the same version")
  func whenItRuns() throws {
    let folder = try TemporaryFolder()
    let calls = Calls()
    for version in [UInt64(1), 1, 4, 4] {
      var configuration = folder.configuration([V1.Person.self], version: version)
      configuration.migrationBlock = { _, old in calls.add(old) }
      _ = try Realm(configuration: configuration)
    }
    #expect(calls.all == [1])
    #expect(try schemaVersionAtURL(folder.url.appendingPathComponent("a.larder")) == 4)
  }

  final class Calls: @unchecked Sendable {
    // Unchecked: used by one thread.
    private(set) var all: [UInt64] = []
    func add(_ version: UInt64) { all.append(version) }
  }

  struct Stop: Error {}

  @Test("M-50, M-51 an error thrown by the block comes out of opening and leaves the store as it was")
  func throwing() throws {
    let folder = try filled()
    var configuration = folder.configuration([V2.Person.self], version: 2)
    configuration.migrationBlock = { migration, _ in
      try migration.enumerateObjects(ofType: "Person") { _, new in
        new?["full"] = "changed"
        throw Stop()
      }
    }
    #expect(throws: Stop.self) { _ = try Realm(configuration: configuration) }
    let realm = try Realm(configuration: folder.configuration([V1.Person.self], version: 1))
    #expect(realm.objects(V1.Person.self).map(\.gone) == ["x", "x"])
    try verify(realm)
  }

  @Test("M-56 old objects cannot be set; throwing forms throw, and end the migration when their error is let through")
  func readOnlyOld() throws {
    let folder = try filled()
    var configuration = folder.configuration([V2.Person.self], version: 2)
    configuration.migrationBlock = { migration, _ in
      try migration.enumerateObjects(ofType: "Person") { old, new in
        #expect(throws: Realm.Error.self) { try old?.throwing.setValue("x", forKey: "first") }
        #expect(throws: Realm.Error.self) { try new?.throwing.setValue("x", forKey: "nothing") }
        try new?.throwing.setValue(["no", "number"], forKey: "age")
      }
    }
    let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    #expect(error?.propertyName == "age")
  }

  enum Renamed {
    class Person: Object {
      @Persisted(indexed: true) var given = ""
      @Persisted var last = ""
      @Persisted var age: Int?
      @Persisted var gone = "x"
    }
  }

  @Test("M-63 a renamed property keeps its values; M-37 and may be indexed by then") func rename() throws {
    let folder = try filled()
    var configuration = folder.configuration([Renamed.Person.self], version: 2)
    configuration.migrationBlock = { migration, _ in
      migration.renameProperty(onType: "Person", from: "first", to: "given")
      migration.enumerateObjects(ofType: "Person") { old, new in
        #expect(old?["first"] as? String == new?["given"] as? String)
      }
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Renamed.Person.self).map(\.given) == ["Ada", "Alan"])
    #expect(realm.objects(Renamed.Person.self).where { $0.given == "Alan" }.count == 1)
    try verify(realm)
  }

  @Test("M-65 steps for each version: objects made and deleted before a renaming keep their values")
  func stepsInOrder() throws {
    let folder = try filled()
    var configuration = folder.configuration([Renamed.Person.self], version: 2)
    configuration.migrationBlock = { migration, _ in
      migration.create("Person", value: ["given": "Grace", "last": "Hopper"])
      migration.enumerateObjects(ofType: "Person") { _, new in
        if let new, new["last"] as? String == "Turing" { migration.delete(new) }
      }
      migration.renameProperty(onType: "Person", from: "first", to: "given")
      migration.create("Person", value: ["given": "Edsger"])
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Renamed.Person.self).map(\.given) == ["Ada", "Grace", "Edsger"])
    #expect(realm.objects(Renamed.Person.self).map(\.gone) == ["x", "x", "x"])
    try verify(realm)
  }

  @Test(
    "M-64, E-25 a renaming that cannot be throws from opening, and nothing changes",
    arguments: [
      ("Nobody", "first", "given", "no class 'Nobody'"), ("Person", "nothing", "given", "no property 'nothing'"),
      ("Person", "last", "given", "still has a property 'last'"),
      ("Person", "first", "age", "string in the store and int? now"), ("Person", "first", "other", "does not exist"),
    ])
  func wrongRenames(_ type: String, _ old: String, _ new: String, _ text: String) throws {
    let folder = try filled()
    var configuration = folder.configuration([Renamed.Person.self], version: 2)
    configuration.migrationBlock = { migration, _ in
      migration.renameProperty(onType: type, from: old, to: new)
    }
    let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    #expect(error?.code == .fail && error?.message.contains(text) == true, "\(String(describing: error))")
    let realm = try Realm(configuration: folder.configuration([V1.Person.self], version: 1))
    #expect(realm.objects(V1.Person.self).map(\.first) == ["Ada", "Alan"])
  }

  @Test("M-64 a property renamed twice ends under its last name") func renameTwice() throws {
    let folder = try filled()
    var configuration = folder.configuration([Renamed.Person.self], version: 3)
    configuration.migrationBlock = { migration, _ in
      migration.renameProperty(onType: "Person", from: "first", to: "forename")
      migration.renameProperty(onType: "Person", from: "forename", to: "given")
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Renamed.Person.self).map(\.given) == ["Ada", "Alan"])
    try verify(realm)
  }

  enum Keyed {
    class Person: Object {
      @Persisted(primaryKey: true) var number: Int
      @Persisted var first = ""
    }
  }

  @Test("M-44, M-61 a new primary key is filled by the block, and checked at the end; E-24 duplicates throw")
  func newKey() throws {
    let folder = try filled()
    var configuration = folder.configuration([Keyed.Person.self], version: 2)
    configuration.migrationBlock = { _, _ in }
    let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    #expect(error?.code == .fail && error?.message.contains("'Person.number' has duplicate values (0)") == true)
    configuration.migrationBlock = { migration, _ in
      var number = 10
      migration.enumerateObjects(ofType: "Person") { _, new in
        new?["number"] = number
        number += 1
      }
      migration.create("Person", value: ["number": 5, "first": "Grace"])
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.object(ofType: Keyed.Person.self, forPrimaryKey: 11)?.first == "Alan")
    #expect(realm.object(ofType: Keyed.Person.self, forPrimaryKey: 5)?.first == "Grace")
    #expect(realm.object(ofType: Keyed.Person.self, forPrimaryKey: 0) == nil)
    try realm.write { realm.create(Keyed.Person.self, value: ["number": 12]) }
    try verify(realm)
  }

  enum Retyped {
    class Person: Object {
      @Persisted var first: Int
      @Persisted var last = ""
      @Persisted var age: Double?
      @Persisted var gone: List<String>
    }
  }

  @Test("M-41 a property of another type starts again; the old object has the old values") func retype() throws {
    let folder = try filled()
    var configuration = folder.configuration([Retyped.Person.self], version: 2)
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        #expect(new?["first"] as? Int == 0 && new?["age"] == nil)
        new?["first"] = (old?["first"] as? String)?.count
        new?["age"] = (old?["age"] as? Int).map(Double.init)
        new?["gone"] = [old?["gone"] as? String ?? ""]
      }
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Retyped.Person.self).map(\.first) == [3, 4])
    #expect(realm.objects(Retyped.Person.self).map(\.age) == [36, nil])
    #expect(realm.objects(Retyped.Person.self).map { Array($0.gone) } == [["x"], ["x"]])
    try verify(realm)
  }

  @Test("M-67 the block cannot open the store that is being migrated, but another one") func openingInside() throws {
    let folder = try filled()
    let other = try TemporaryFolder()
    var configuration = folder.configuration([V2.Person.self], version: 2)
    let same = configuration
    let others = other.configuration([V1.Person.self])
    configuration.migrationBlock = { _, _ in
      let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: same) }
      #expect(error?.message.contains("just being opened by this thread") == true)
      _ = try Realm(configuration: others)
    }
    _ = try Realm(configuration: configuration)
  }

  @Test("E-12 a store that this process has open with the old classes is not migrated") func openElsewhere() throws {
    let folder = try filled()
    let realm = try Realm(configuration: folder.configuration([V1.Person.self], version: 1))
    let frozen = realm.freeze()
    let configuration = folder.configuration([V2.Person.self], version: 2)
    let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    #expect(error?.code == .fail && error?.message.contains("different schemaVersion") == true)
    #expect(realm.objects(V1.Person.self).first?.gone == "x")
    withExtendedLifetime(frozen) {}
  }

  @Test("U-12 a report lists every step and every value that would be lost, and changes nothing") func report() throws {
    let folder = try filled()
    var configuration = folder.configuration([Retyped.Person.self], version: 2)
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        if old?["last"] as? String == "Turing", let new { migration.delete(new) }
      }
    }
    let report = try Realm.migrationReport(for: configuration)
    #expect(report.oldSchemaVersion == 1 && report.newSchemaVersion == 2 && !report.deletesStore)
    #expect(report.steps.contains("Property 'Person.first' has been changed from 'string' to 'int'."))
    #expect(
      report.losses.map(\.description) == [
        "Person (object 0): first = 'Ada'", "Person (object 0): age = 36", "Person (object 0): gone = 'x'",
        "Person (object 1)",
      ])
    let realm = try Realm(configuration: folder.configuration([V1.Person.self], version: 1))
    #expect(realm.objects(V1.Person.self).map(\.first) == ["Ada", "Alan"])
  }

  @Test("Objects of a migration are invalid when it is over") func afterwards() throws {
    let folder = try filled()
    let kept = Kept()
    var configuration = folder.configuration([V2.Person.self], version: 2)
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in kept.objects += [old, new].compactMap { $0 } }
    }
    _ = try Realm(configuration: configuration)
    #expect(kept.objects.count == 4)
    #expect(throws: Realm.Error.self) { _ = try kept.objects[1].throwing.value(forKey: "full") }
  }

  final class Kept: @unchecked Sendable {
    // Unchecked: used by one thread.
    var objects: [MigrationObject] = []
  }
}
