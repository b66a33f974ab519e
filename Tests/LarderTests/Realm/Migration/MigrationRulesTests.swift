import Foundation
import Testing

@testable import Larder
@testable import LarderStorage

/// Rules of schemas and migrations that the other suites do not name.
@Suite("Rules of migrations") struct MigrationRulesTests {
  enum Old {
    class Item: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var name = ""
      @Persisted var note: String?
      @Persisted var friend: Item?
    }
    class Extra: Object { @Persisted var number: Int }
  }
  enum New {
    class Item: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var name = ""
      @Persisted var note: String?
      @Persisted var friend: Item?
      @Persisted var added = 3
    }
    class Fresh: Object { @Persisted var number: Int }
  }
  enum Ignoring {
    class Item: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var name = ""
      var note: String?
      @Persisted var friend: Item?
    }
  }
  enum Renaming {
    class Item: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var name = ""
      @Persisted var remark: String?
      @Persisted var friend: Item?
    }
  }
  enum Mapping {
    class Item: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var name = ""
      @Persisted var remark: String?
      @Persisted var friend: Item?

      override class func propertiesMapping() -> [String: String] { ["remark": "note"] }
    }
  }
  enum OptionalKey { class Keyed: Object { @Persisted(primaryKey: true) var key: String? } }
  enum RequiredKey { class Keyed: Object { @Persisted(primaryKey: true) var key: String } }
  enum Top {
    class Part: Object { @Persisted var name = "" }
    class Whole: Object { @Persisted var part: Part? }
  }
  enum Inside {
    class Part: EmbeddedObject {
      @Persisted var name = ""
      @Persisted(originProperty: "part") var owners: LinkingObjects<Whole>
    }
    class Whole: Object { @Persisted var part: Part? }
  }

  private func filled(_ count: Int = 4) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let realm = try Realm(configuration: folder.configuration([Old.Item.self, Old.Extra.self], version: 1))
    try realm.write {
      for id in 0..<count {
        let item = realm.create(Old.Item.self, value: ["id": id, "name": "item \(id)", "note": "note \(id)"])
        item.friend = realm.object(ofType: Old.Item.self, forPrimaryKey: id / 2)
        realm.create(Old.Extra.self, value: ["number": id])
      }
    }
    return folder
  }

  private func verify(_ realm: Realm) throws {
    #expect(try StoreVerifier.verify(realm.core.currentSnapshot()).map(\.description) == [])
  }

  @Test("L-6: an object whose primary key a block changes is another object in the log, and links lead to it")
  func changedKeys()
    throws
  {
    let folder = try filled()
    var configuration = folder.configuration([New.Item.self], version: 2)
    configuration.migrationBlock = { migration, _ in
      var held: [MigrationObject] = []
      migration.enumerateObjects(ofType: "Item") { old, new in
        guard let id = old?["id"] as? Int, let new, id < 2 else { return }
        new["id"] = id + 100
        held.append(new)
      }
      // Objects at hand stay what they were; keys are given when the block is over.
      for object in held { object["name"] = "\(object["name"] ?? "") moved" }
      #expect(held.map { $0["id"] as? Int } == [100, 101])
      #expect((held[1]["friend"] as? MigrationObject)?.isSameObject(as: held[0]) == true)
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.object(ofType: New.Item.self, forPrimaryKey: 1) == nil)
    let moved = try #require(realm.object(ofType: New.Item.self, forPrimaryKey: 101))
    #expect(moved.name == "item 1 moved" && moved.friend?.id == 100)
    #expect(realm.object(ofType: New.Item.self, forPrimaryKey: 3)?.friend?.id == 101)
    // New ones come after the others.
    #expect(realm.objects(New.Item.self).map(\.id) == [2, 3, 100, 101])
    let snapshot = realm.core.currentSnapshot()
    let record = try #require(try snapshot.store.log.record(snapshot.version, in: snapshot.transaction))
    #expect(record.flags.contains(.migration))
    let item = try #require(snapshot.schema["Item"]).id
    let changes = try #require(record[item])
    func keys(_ numbers: Int...) -> KeyRanges { KeyRanges(numbers.map { ObjectKey(rawValue: UInt64($0)) }) }
    #expect(changes.deleted == keys(0, 1) && changes.inserted == keys(4, 5))
    try verify(realm)
  }

  @Test("L-6: objects may exchange their primary keys in a block; duplicates at its end are refused")
  func exchangedKeys() throws {
    let folder = try filled()
    var configuration = folder.configuration([New.Item.self], version: 2)
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        if let id = old?["id"] as? Int { new?["id"] = 3 - min(id, 2) }
      }
    }
    let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    #expect(error?.message.contains("duplicate values (1)") == true)
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        if let id = old?["id"] as? Int { new?["id"] = 3 - id }
      }
    }
    #expect(try Realm.migrationReport(for: configuration).losses.isEmpty)
    let realm = try Realm(configuration: configuration)
    #expect(
      realm.objects(New.Item.self).map { "\($0.id) \($0.name) \($0.friend?.id ?? -1)" }
        == ["3 item 0 3", "2 item 1 3", "1 item 2 2", "0 item 3 2"])
    try verify(realm)
  }

  @Test(
    "M-7 a class that is not opened survives, untouched; M-8 the schema lists what was opened, and nil for the rest")
  func survivors() throws {
    let folder = try filled()
    do {
      let realm = try Realm(configuration: folder.configuration([Old.Item.self], version: 1))
      #expect(realm.schema.objectSchema.map(\.className) == ["Item"])
      #expect(realm.schema["Extra"] == nil && realm.schema["Item"]?["nothing"] == nil)
      #expect(realm.schema["Item"]?["note"]?.type == .string)
      #expect(realm.freeze().schema["Item"]?["note"]?.type == .string)
    }
    do { _ = try Realm(configuration: folder.configuration([New.Item.self], version: 2)) }
    let realm = try Realm(configuration: folder.configuration([New.Item.self, Old.Extra.self], version: 2))
    #expect(realm.objects(Old.Extra.self).map(\.number).sorted() == [0, 1, 2, 3])
    try verify(realm)
  }

  @Test("M-33, M-34 a new class comes at the same version, as one commit, which other openers wait for")
  func newClass() throws {
    let folder = try filled()
    let before = try Realm(configuration: folder.configuration([Old.Item.self], version: 1)).core.currentSnapshot()
      .version
    let realm = try Realm(configuration: folder.configuration([Old.Item.self, New.Fresh.self], version: 1))
    #expect(realm.core.currentSnapshot().version == before + 1)
    #expect(realm.objects(New.Fresh.self).isEmpty && realm.objects(Old.Item.self).count == 4)
    let again = try Realm(configuration: folder.configuration([Old.Item.self, New.Fresh.self], version: 1))
    #expect(again.core.currentSnapshot().version == before + 1)
  }

  @Test("M-38 a property that is no longer stored is a difference, and goes when the version rises") func ignored()
    throws
  {
    let folder = try filled()
    let error = #expect(throws: Realm.Error.self) {
      _ = try Realm(configuration: folder.configuration([Ignoring.Item.self], version: 1))
    }
    #expect(error?.code == .schemaMismatch && error?.message.contains("note") == true)
    let realm = try Realm(configuration: folder.configuration([Ignoring.Item.self], version: 2))
    #expect(realm.core.currentSnapshot().schema["Item"]?.column(named: "note") == nil)
    #expect(realm.object(ofType: Ignoring.Item.self, forPrimaryKey: 2)?.name == "item 2")
    try verify(realm)
  }

  @Test("M-45 an optional primary key that becomes required keeps its values; M-44 nil becomes the zero, once")
  func requiredKey() throws {
    for keys in [["a", nil], ["", nil]] as [[String?]] {
      let folder = try TemporaryFolder()
      do {
        let realm = try Realm(configuration: folder.configuration([OptionalKey.Keyed.self], version: 1))
        try realm.write { for key in keys { realm.add(OptionalKey.Keyed(value: ["key": key as Any])) } }
      }
      let configuration = folder.configuration([RequiredKey.Keyed.self], version: 2)
      guard keys[0] == "a" else {
        let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
        #expect(error?.message.contains("duplicate values") == true)
        let old = try Realm(configuration: folder.configuration([OptionalKey.Keyed.self], version: 1))
        #expect(old.objects(OptionalKey.Keyed.self).count == 2)
        continue
      }
      let realm = try Realm(configuration: configuration)
      #expect(Set(realm.objects(RequiredKey.Keyed.self).map(\.key)) == ["a", ""])
      try verify(realm)
    }
  }

  @Test("M-48 a property under another name is another property, unless only its name in Swift is another") func names()
    throws
  {
    let folder = try filled()
    do {
      let mapped = try Realm(configuration: folder.configuration([Mapping.Item.self], version: 1))
      #expect(mapped.object(ofType: Mapping.Item.self, forPrimaryKey: 1)?.remark == "note 1")
    }
    let renamed = try Realm(configuration: folder.configuration([Renaming.Item.self], version: 2))
    #expect(renamed.object(ofType: Renaming.Item.self, forPrimaryKey: 1)?.remark == nil)
    #expect(renamed.core.currentSnapshot().schema["Item"]?.column(named: "note") == nil)
  }

  @Test(
    "M-57 classes of one side only give nil for the other; unknown ones nothing; M-59 objects come in the order of their making"
  )
  func sides() throws {
    let folder = try filled()
    var configuration = folder.configuration([New.Item.self, New.Fresh.self], version: 2)
    configuration.migrationBlock = { migration, _ in
      var calls: [String] = []
      migration.create("Fresh", value: ["number": 7])
      migration.enumerateObjects(ofType: "Fresh") { old, new in
        calls.append("fresh \(old == nil) \(new?["number"] as? Int ?? -1)")
      }
      migration.enumerateObjects(ofType: "Extra") { old, new in
        calls.append("extra \(old?["number"] as? Int ?? -1) \(new == nil)")
      }
      migration.enumerateObjects(ofType: "Nothing") { _, _ in calls.append("nothing") }
      var order: [Int] = []
      migration.enumerateObjects(ofType: "Item") { old, _ in order.append(old?["id"] as? Int ?? -1) }
      #expect(calls == ["fresh true 7"] + (0..<4).map { "extra \($0) true" })
      #expect(order == [0, 1, 2, 3])
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(New.Fresh.self).map(\.number) == [7])
    try verify(realm)
  }

  @Test("M-58 the visited object may be deleted; objects that were made or deleted in the block are not visited")
  func visiting() throws {
    let folder = try filled(6)
    var configuration = folder.configuration([New.Item.self], version: 2)
    configuration.migrationBlock = { migration, _ in
      var first: [Int] = []
      migration.enumerateObjects(ofType: "Item") { old, new in
        guard let id = old?["id"] as? Int, let new else { return }
        first.append(id)
        if id % 2 == 0 { migration.delete(new) }
        migration.create("Item", value: ["id": id + 50])
      }
      var second: [Int] = []
      migration.enumerateObjects(ofType: "Item") { old, _ in second.append(old?["id"] as? Int ?? -1) }
      #expect(first == [0, 1, 2, 3, 4, 5])
      #expect(second == [1, 3, 5])
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(New.Item.self).map(\.id).sorted() == [1, 3, 5] + Array(50...55))
    try verify(realm)
  }

  @Test("M-46 a class that becomes embedded is a difference; M-72 each of its objects has one owner then")
  func embedding()
    throws
  {
    let folder = try TemporaryFolder()
    do {
      let realm = try Realm(configuration: folder.configuration([Top.Part.self, Top.Whole.self], version: 1))
      try realm.write {
        let part = realm.create(Top.Part.self, value: ["name": "shared"])
        for _ in 0..<3 { realm.create(Top.Whole.self, value: ["part": part]) }
      }
    }
    let error = #expect(throws: Realm.Error.self) {
      _ = try Realm(configuration: folder.configuration([Inside.Part.self, Inside.Whole.self], version: 1))
    }
    #expect(error?.code == .schemaMismatch)
    let realm = try Realm(configuration: folder.configuration([Inside.Part.self, Inside.Whole.self], version: 2))
    let wholes = realm.objects(Inside.Whole.self)
    #expect(wholes.count == 3)
    for whole in wholes {
      let part = try #require(whole.part)
      #expect(part.name == "shared" && part.owners.count == 1 && part.owners.first?.isSameObject(as: whole) == true)
    }
    try verify(realm)
  }

  @Test("M-84 opening again in the same place gives the instance that is there, whatever the block") func sameInstance()
    throws
  {
    let folder = try filled()
    let first = try Realm(configuration: folder.configuration([Old.Item.self], version: 1))
    var configuration = folder.configuration([Old.Item.self], version: 1)
    configuration.migrationBlock = { _, _ in Issue.record("nothing is migrated") }
    let second = try Realm(configuration: configuration)
    #expect(first.core === second.core)
  }

  @Test("F-16, M-112 a file without a byte, and one that is not understood, stay as they are") func emptyFile() throws {
    let folder = try TemporaryFolder()
    let configuration = folder.configuration([Old.Item.self], version: 1)
    let path = try #require(configuration.fileURL).path
    #expect(FileManager.default.createFile(atPath: path, contents: Data()))
    let refusal = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    #expect(refusal?.code == .invalidDatabase)
    #expect(refusal?.localizedDescription.contains("is empty") ?? false, "\(refusal?.localizedDescription ?? "")")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
    let foreign = folder.url.appendingPathComponent("foreign.larder")
    let bytes = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    try bytes.write(to: foreign)
    var other = configuration
    other.fileURL = foreign
    let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: other) }
    #expect(error?.code == .invalidDatabase)
    #expect(try Data(contentsOf: foreign) == bytes)
  }

  @Test("M-113 a copy of the file alone is a whole store: the lock file beside it holds nothing") func lockFile() throws
  {
    let folder = try filled()
    let path = folder.url.appendingPathComponent("a.larder").path
    #expect(FileManager.default.fileExists(atPath: path + "-lock"))
    var configuration = folder.configuration([Old.Item.self], version: 1)
    let copy = folder.url.appendingPathComponent("copy.larder")
    try FileManager.default.copyItem(atPath: path, toPath: copy.path)
    configuration.fileURL = copy
    #expect(try Realm(configuration: configuration).objects(Old.Item.self).count == 4)
  }

  @Test("M-2 a class is stored under its name without module and owner, and two of one name are refused") func oneName()
    throws
  {
    let folder = try TemporaryFolder()
    let error = #expect(throws: Realm.Error.self) {
      _ = try Realm(configuration: folder.configuration([Old.Item.self, New.Item.self]))
    }
    #expect(error?.message.contains("Item") == true)
    let realm = try Realm(configuration: folder.configuration([Old.Item.self]))
    #expect(realm.core.currentSnapshot().schema.classes.map(\.name) == ["Item"])
  }

  @Test("M-81, M-77, E-21 and F-38: reading only excludes compacting and deleting, in either order", arguments: 0..<4)
  func exclusiveSettings(_ number: Int) throws {
    let folder = try filled()
    var configuration = folder.configuration([Old.Item.self], version: 1)
    if number & 2 == 0 { configuration.readOnly = true }
    if number & 1 == 0 {
      configuration.shouldCompactOnLaunch = { _, _ in true }
    } else {
      configuration.deleteRealmIfMigrationNeeded = true
    }
    configuration.readOnly = true
    let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
    #expect(
      error?.message.contains("readOnly excludes deleteRealmIfMigrationNeeded and shouldCompactOnLaunch") == true)
    configuration.shouldCompactOnLaunch = nil
    configuration.deleteRealmIfMigrationNeeded = false
    #expect(try Realm(configuration: configuration).objects(Old.Item.self).count > 0)
  }

  @Test("M-116 a copy to a configuration's file replaces nothing") func copyToConfiguration() throws {
    let folder = try filled()
    let realm = try Realm(configuration: folder.configuration([Old.Item.self], version: 1))
    var target = folder.configuration([Old.Item.self], version: 1)
    target.fileURL = folder.url.appendingPathComponent("copy.larder")
    try realm.writeCopy(configuration: target)
    let error = #expect(throws: Realm.Error.self) { try realm.writeCopy(configuration: target) }
    #expect(error?.code == .fileExists)
    #expect(try Realm(configuration: target).objects(Old.Item.self).count == 4)
  }
}
