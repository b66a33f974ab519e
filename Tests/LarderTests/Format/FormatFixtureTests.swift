import Foundation
import Testing

@testable import Larder
@testable import LarderStorage

/// Stores written by each file format must be opened by every later version.
@Suite("File formats") struct FormatFixtureTests {
  enum Stored {
    class Everything: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted(indexed: true) var text = ""
      @Persisted var flag: Bool?
      @Persisted var float: Float
      @Persisted var double: Double?
      @Persisted var data: Data?
      @Persisted(indexed: true) var date: Date?
      @Persisted var uuid: UUID?
      @Persisted var objectId: ObjectId?
      @Persisted var decimal: Decimal128?
      @Persisted var any: AnyRealmValue
      @Persisted var link: Everything?
      @Persisted var part: Part?
      @Persisted var numbers: List<Int?>
      @Persisted var names: MutableSet<String>
      @Persisted var prices: Map<String, Double>
      @Persisted var links: List<Everything>
      @Persisted var parts: List<Part>
      @Persisted var values: List<AnyRealmValue>

      override class var uniqueKeys: [[AnyKeyPath]] { [[\Everything.text, \Everything.id]] }
    }
    class Part: EmbeddedObject {
      @Persisted var name = ""
      @Persisted var weight: Int
    }
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures/format")

  private func configuration(_ url: URL, _ kind: Kind = .leaves) -> Realm.Configuration {
    Realm.Configuration(fileURL: url, schemaVersion: 7, objectTypes: kind.types)
  }

  /// The contents of a fixture.
  enum Kind: String, CaseIterable, Sendable {
    /// More than a cluster of objects that were added at once.
    case leaves = ""
    /// Newest objects beside the leaves, and every kind of collection.
    case tails = "-tails"
    /// A cluster of which few objects are left, and texts that repeat.
    case packed = "-packed"

    var types: [ObjectBase.Type] {
      switch self {
      case .leaves, .packed: [Stored.Everything.self, Stored.Part.self]
      case .tails: NewestObjects.types
      }
    }
  }

  /// Writes what every fixture holds: each type with its extremes, over more than one cluster.
  private func fill(_ realm: Realm) throws {
    try realm.write {
      for id in 0..<1_200 {
        let object = Stored.Everything()
        object.id = id
        object.text = id % 400 == 7 ? String(repeating: "long text ", count: 500) : "text \(id % 17)"
        object.flag = id % 3 == 0 ? nil : id % 3 == 1
        object.float = Float(id) / 4
        object.double = id % 5 == 0 ? nil : id % 5 == 1 ? -.infinity : Double(id) * 0.1
        object.data = id % 4 == 0 ? nil : Data(repeating: UInt8(id % 256), count: id % 9)
        object.date = id % 6 == 0 ? nil : Date(timeIntervalSince1970: Double(id - 600) * 86_400.25)
        object.uuid = UUID(uuidString: "00000000-0000-4000-8000-\(String(format: "%012x", id))")
        object.objectId = id % 7 == 0 ? nil : try ObjectId(string: String(format: "%024x", id))
        object.decimal = id % 8 == 0 ? nil : Decimal128(integerLiteral: Int64(id))
        realm.add(object)
      }
      let objects = realm.objects(Stored.Everything.self)
      for id in stride(from: 0, to: 1_200, by: 100) {
        let object = objects[id]
        object.link = objects[1_199 - id]
        object.part = Stored.Part(value: ["name": "part \(id)", "weight": id])
        object.numbers.append(objectsIn: (0..<id).map { $0 % 10 == 3 ? nil : $0 })
        object.names.insert(objectsIn: (0..<id / 10).map { "name \($0 % 30)" })
        for number in 0..<id / 50 { object.prices["key \(number)"] = Double(number) }
        object.links.append(objectsIn: (0..<id / 100).map { objects[$0] })
        object.parts.append(Stored.Part(value: ["name": "listed"]))
        object.values.append(objectsIn: [.int(id), .string("x"), .none, .object(objects[id])])
        object.any = .fromArray([.int(1), .fromDictionary(["a": .double(0.5), "b": .fromArray([.bool(true)])])])
      }
      realm.delete(objects.where { $0.id == 55 || ($0.id > 700 && $0.id < 720) })
    }
  }

  /// Deletes most of the first cluster.
  private func thinOut(_ realm: Realm) throws {
    let first = realm.objects(Stored.Everything.self).where { $0.id < 992 }
    try realm.write { realm.delete(first.filter { $0.id % 20 != 0 } as [Stored.Everything]) }
  }

  private func contents(_ realm: Realm) throws -> [String] {
    let snapshot = realm.core.currentSnapshot()
    return try snapshot.schema.classes.flatMap { entry in
      try Array(realm.dynamicObjects(entry.name)).map { object in
        try entry.columns.map { column in
          column.collection == .none
            ? "\(try snapshot.value(entry.id, column.id, object._objectKey))"
            : "\(try snapshot.list(entry.id, column.id, object._objectKey).values())"
        }.joined(separator: "|")
      }
    }
  }

  /// Collections within values carry ids, which differ from store to store.
  private func withoutIDs(_ text: String) -> String {
    text.replacing(#/id: \d+/#, with: "id")
  }

  private static let isRecording = ProcessInfo.processInfo.environment["LARDER_RECORD_FORMAT"] != nil

  @Test("Writes the store of the current format, when LARDER_RECORD_FORMAT is set", .enabled(if: isRecording))
  func record() throws {
    for kind in Kind.allCases {
      let folder = try TemporaryFolder()
      let realm = try Realm(configuration: configuration(folder.url.appendingPathComponent("a.larder"), kind))
      if kind == .tails { try NewestObjects.fill(realm) } else { try fill(realm) }
      if kind == .packed { try thinOut(realm) }
      let target = Self.folder.appendingPathComponent("format-\(StoreLayout.formatVersion)\(kind.rawValue).larder")
      guard !FileManager.default.fileExists(atPath: target.path) else { continue }
      try realm.writeCopy(toFile: target)
    }
  }

  @Test("A store of every format with newest objects beside its leaves is opened, read, checked and written")
  func opensTails() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("old.larder")
    try FileManager.default.copyItem(at: Self.folder.appendingPathComponent("format-1-tails.larder"), to: url)
    let old = try Realm(configuration: configuration(url, .tails))
    let new = try Realm(configuration: configuration(folder.url.appendingPathComponent("new.larder"), .tails))
    try NewestObjects.fill(new)
    let snapshot = old.core.currentSnapshot()
    let entry = try #require(snapshot.schema["Second"])
    let last = try snapshot.clusterCount(of: entry.id) - 1
    #expect(try snapshot.tail(of: entry.id, cluster: last)?.slots.count == NewestObjects.newest)
    #expect(try StoreVerifier.verify(snapshot).map(\.description) == [])
    let (found, expected) = (try contents(old).map(withoutIDs), try contents(new).map(withoutIDs))
    #expect(found.count > NewestObjects.first)
    #expect(found == expected)
    #expect(old.objects(NewestObjects.Second.self).where { $0.text.fullText("oak") }.count == NewestObjects.oaks)
    try old.write { old.create(NewestObjects.Second.self, value: ["id": 9_999, "text": "new"]) }
    #expect(try StoreVerifier.verify(old.core.currentSnapshot()).map(\.description) == [])
  }

  @Test("A store with sparse leaves and dictionaries is opened, read, checked and written")
  func opensPacked() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("old.larder")
    try FileManager.default.copyItem(at: Self.folder.appendingPathComponent("format-1-packed.larder"), to: url)
    let old = try Realm(configuration: configuration(url, .packed))
    let new = try Realm(configuration: configuration(folder.url.appendingPathComponent("new.larder"), .packed))
    try fill(new)
    try thinOut(new)
    #expect(old.core.currentSnapshot().store.identity.incompatible & FeatureBits.packedLeaves != 0)
    #expect(try contents(old).map(withoutIDs) == contents(new).map(withoutIDs))
    #expect(old.objects(Stored.Everything.self).count == 258)
    #expect(try StoreVerifier.verify(old.core.currentSnapshot()).map(\.description) == [])
    try old.write {
      old.object(ofType: Stored.Everything.self, forPrimaryKey: 200)?.text = "other"
      old.create(Stored.Everything.self, value: ["id": 9_999, "text": "new"])
    }
    #expect(old.objects(Stored.Everything.self).where { $0.text == "other" }.first?.id == 200)
    #expect(try StoreVerifier.verify(old.core.currentSnapshot()).map(\.description) == [])
  }

  @Test("Leaves of a store of the first form become sparse where they are written, and pass the check")
  func rewrites() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("old.larder")
    try FileManager.default.copyItem(at: Self.folder.appendingPathComponent("format-1.larder"), to: url)
    let old = try Realm(configuration: configuration(url))
    let new = try Realm(configuration: configuration(folder.url.appendingPathComponent("new.larder")))
    try fill(new)
    #expect(old.core.currentSnapshot().store.identity.incompatible & FeatureBits.packedLeaves == 0)
    try thinOut(old)
    try thinOut(new)
    #expect(try contents(old).map(withoutIDs) == contents(new).map(withoutIDs))
    #expect(try StoreVerifier.verify(old.core.currentSnapshot()).map(\.description) == [])
    let copy = folder.url.appendingPathComponent("copy.larder")
    try old.writeCopy(toFile: copy)
    let copied = try Realm(configuration: configuration(copy))
    #expect(copied.core.currentSnapshot().store.identity.incompatible & FeatureBits.packedLeaves != 0)
    #expect(try contents(copied).map(withoutIDs) == contents(new).map(withoutIDs))
    #expect(try StoreVerifier.verify(copied.core.currentSnapshot()).map(\.description) == [])
  }

  @Test("A store of every format is opened, read, checked and written", arguments: 1...StoreLayout.formatVersion)
  func opens(_ version: UInt32) throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("old.larder")
    try FileManager.default.copyItem(
      at: Self.folder.appendingPathComponent("format-\(version).larder"), to: url)
    let old = try Realm(configuration: configuration(url))
    let new = try Realm(configuration: configuration(folder.url.appendingPathComponent("new.larder")))
    try fill(new)
    let (found, expected) = (try contents(old), try contents(new))
    #expect(found.count == expected.count && found.count > 1_180)
    for (left, right) in zip(found, expected) where withoutIDs(left) != withoutIDs(right) {
      #expect(Bool(false), "\(left.prefix(300)) is not \(right.prefix(300))")
      break
    }
    #expect(old.objects(Stored.Everything.self).where { $0.text == "text 3" }.count > 60)
    #expect(old.object(ofType: Stored.Everything.self, forPrimaryKey: 1_199)?.link == nil)
    try old.write {
      old.create(Stored.Everything.self, value: ["id": 9_999, "text": "new"])
      old.object(ofType: Stored.Everything.self, forPrimaryKey: 200)?.parts.removeAll()
    }
    let problems = try StoreVerifier.verify(old.core.currentSnapshot())
    #expect(problems.isEmpty, "\(problems.map(\.description))")
  }
}
