import Foundation
import Testing

@testable import Larder
@testable import LarderStorage

/// Tests of the inspection that tells programs what takes how much of a store.
@Suite("Inspection of a store") struct StoreInspectionTests {
  enum V {
    class Part: EmbeddedObject { @Persisted var note = "" }
    class Thing: Object {
      @Persisted(primaryKey: true) var a: Int
      @Persisted(indexed: true) var name = ""
      @Persisted var numbers: List<Int>
      @Persisted var next: Thing?
      @Persisted var part: Part?
    }
  }

  private func filled(_ folder: TemporaryFolder) throws -> Realm {
    let realm = try Realm(configuration: folder.configuration([V.Thing.self, V.Part.self], version: 3))
    try realm.write {
      for a in 0..<2_000 {
        let thing = realm.create(V.Thing.self, value: ["a": a, "name": "thing \(a)", "numbers": [a]] as [String: Any])
        if a % 2 == 0 { thing.part = V.Part(value: ["note": String(repeating: "n", count: 9_000 / (a + 1))]) }
        thing.next = thing
      }
    }
    return realm
  }

  @Test("An inspection tells versions, classes with counts and bytes, pages and readers, and adds up")
  func numbers() throws {
    let folder = try TemporaryFolder()
    let realm = try filled(folder)
    let found = try realm.inspection()
    #expect(found.version == 2 && found.schemaVersion == 3 && found.formatVersion == 1 && found.storeID.count == 32)
    #expect(found.classes.map(\.name).sorted() == ["Part", "Thing"] && found.logRecords == 2)
    let thing = try #require(found.classes.first { $0.name == "Thing" })
    #expect(thing.objectCount == 2_000 && !thing.isEmbedded)
    #expect(found.classes.first { $0.name == "Part" }?.objectCount == 1_000)
    let parts = thing.properties.map(\.space.total).reduce(thing.ownSpace.total, +)
    #expect(parts == thing.space.total)
    let properties = Dictionary(uniqueKeysWithValues: thing.properties.map { ($0.name, $0) })
    #expect(properties["a"]?.isPrimaryKey == true && properties["a"]?.space.indexes ?? 0 > 0)
    #expect(properties["name"]?.type == .string && properties["name"]?.space.values ?? 0 > 10_000)
    #expect(properties["numbers"]?.space.elements ?? 0 > 0 && properties["next"]?.space.backlinks ?? 0 > 0)
    let size = try FileManager.default.attributesOfItem(atPath: found.path)[.size] as? Int
    #expect(found.fileSize == size && found.freePages * found.pageSize < found.fileSize)
    #expect(found.classes.map(\.space.total).reduce(0, +) < found.fileSize)
  }

  @Test("A file is inspected without its classes, and says which version is held by whom and for how long")
  func files() throws {
    let folder = try TemporaryFolder()
    let realm = try filled(folder)
    let frozen = realm.freeze()
    try realm.write { realm.delete(realm.objects(V.Thing.self).filter("a < 1000")) }
    let url = try #require(realm.configuration.fileURL)
    let found = try StoreInspection(fileURL: url)
    #expect(try found.version == 3 && found.classes == realm.inspection().classes)
    let held = try #require(found.readers.first { $0.version == 2 })
    #expect(held.processIdentifier == getpid() && held.commitsBehind == 1 && held.heldFor ?? -1 >= 0)
    #expect(found.readers.filter { $0.version == 3 }.allSatisfy { $0.commitsBehind == 0 && $0.heldFor == nil })
    #expect(frozen.objects(V.Thing.self).count == 2_000)
    let missing = folder.url.appendingPathComponent("none.larder")
    #expect(throws: Realm.Error.self) { try StoreInspection(fileURL: missing) }
    #expect(!FileManager.default.fileExists(atPath: missing.path))
  }

  private func error(_ body: () throws -> Void) -> Realm.Error? {
    do {
      try body()
      return nil
    } catch { return error as? Realm.Error }
  }

  @Test(
    "M-100, M-101: an encrypted file is inspected with its key; another key, and none, are distinguished from damage")
  func encrypted() throws {
    func key(_ number: UInt8) -> Data { Data((0..<64).map { UInt8($0) &+ number }) }
    let folder = try TemporaryFolder()
    var configuration = folder.configuration([V.Thing.self, V.Part.self], version: 3)
    configuration.encryptionKey = key(1)
    let url = try #require(configuration.fileURL)
    var classes: [StoreInspection.Class] = []
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.create(V.Thing.self, value: ["a": 1, "name": "one"] as [String: Any]) }
      classes = try realm.inspection().classes
      // Who has it open here has the key already.
      #expect(try StoreInspection(fileURL: url).classes == classes)
      #expect(try StoreInspection(fileURL: url, encryptionKey: key(1)).classes == classes)
      #expect(error { _ = try StoreInspection(fileURL: url, encryptionKey: key(2)) } != nil)
      #expect(realm.objects(V.Thing.self).map(\.name) == ["one"])
    }
    let before = try Data(contentsOf: url)
    let found = try StoreInspection(fileURL: url, encryptionKey: key(1))
    #expect(found.classes == classes && found.schemaVersion == 3 && found.version == 2)
    #expect(found.classes.first { $0.name == "Thing" }?.objectCount == 1)
    for wrong in [nil, key(2)] {
      let error = error { _ = try StoreInspection(fileURL: url, encryptionKey: wrong) }
      #expect(error?.code == .invalidDatabase && error?.isWrongKey == true, "\(String(describing: error))")
    }
    let short = error { _ = try StoreInspection(fileURL: url, encryptionKey: Data(count: 32)) }
    #expect(short?.code == .invalidInput && short?.message.contains("64") == true)
    #expect(try Data(contentsOf: url) == before)
    // A key for a file that has none is a wrong one, too.
    let plain = folder.url.appendingPathComponent("plain.larder")
    do { try Realm(configuration: configuration).writeCopy(toFile: plain) }
    let needless = error { _ = try StoreInspection(fileURL: plain, encryptionKey: key(1)) }
    #expect(needless?.code == .invalidDatabase && needless?.isWrongKey == true, "\(String(describing: needless))")
    #expect(try StoreInspection(fileURL: plain).classes.map(\.objectCount) == classes.map(\.objectCount))
  }
}
