import Foundation
import LarderStorage
import TestSupport
import TestTraits
import Testing

@testable import Larder

/// Values of every type, drawn from its whole range, go every way in and out that does not know their type, and come back to the bit.
///
/// `LARDER_VALUES=1000` sets how many values of each type there are.
@Suite("Every value on every path", .long) struct EveryPathTests {
  private static let count = ProcessInfo.processInfo.environment["LARDER_VALUES"].flatMap { Int($0) } ?? 12

  enum V1 {
    final class Paths: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var bool: Bool?
      @Persisted var int: Int?
      @Persisted var float: Float?
      @Persisted var double: Double?
      @Persisted var string: String?
      @Persisted var data: Data?
      @Persisted var date: Date?
      @Persisted var uuid: UUID?
      @Persisted var objectId: ObjectId?
      @Persisted var decimal: Decimal128?
      @Persisted var any: AnyRealmValue
      @Persisted var part: Piece?
      override class var compositeIndexes: [[AnyKeyPath]] {
        [
          [\Paths.string, \Paths.int], [\Paths.date, \Paths.uuid], [\Paths.bool, \Paths.objectId, \Paths.string],
        ]
      }
    }
    final class Piece: EmbeddedObject {
      @Persisted var any: AnyRealmValue
      @Persisted var anys: List<AnyRealmValue>
    }
  }
  enum V2 {
    final class Paths: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var copies: Map<String, AnyRealmValue>
      @Persisted var newBool: Bool?
      @Persisted var newInt: Int?
      @Persisted var newFloat: Float?
      @Persisted var newDouble: Double?
      @Persisted var newString: String?
      @Persisted var newData: Data?
      @Persisted var newDate: Date?
      @Persisted var newUuid: UUID?
      @Persisted var newObjectId: ObjectId?
      @Persisted var newDecimal: Decimal128?
      @Persisted var newAny: AnyRealmValue
    }
  }

  private static let columns: [(name: String, type: ColumnType)] = [
    ("bool", .bool), ("int", .int), ("float", .float), ("double", .double), ("string", .string), ("data", .data),
    ("date", .date), ("uuid", .uuid), ("objectId", .objectId), ("decimal", .decimal128), ("any", .mixed),
  ]
  private static let oldTypes: [ObjectBase.Type] = [V1.Paths.self, V1.Piece.self]

  private static func renamed(_ name: String) -> String { "new" + name.prefix(1).uppercased() + name.dropFirst() }

  private static func boxed(_ value: StoredValue) throws -> Any {
    try #require(AnyRealmValue._rlmFromStored(value, in: nil))._rlmObjcValue
  }

  private static func expect(
    _ found: Any?, _ expected: StoredValue, _ place: String, _ location: SourceLocation = #_sourceLocation
  ) {
    let stored = AnyRealmValue._rlmFromObjc(found ?? NSNull(), insideOptional: false)?._rlmStored(in: nil)
    let isSame = stored.map { $0.isSame(as: expected) } ?? false
    #expect(isSame, "\(place): \(stored.map { "\($0)" } ?? "nothing") for \(expected)", sourceLocation: location)
  }

  private static func isNaN(_ value: StoredValue) -> Bool {
    switch value {
    case .float(let value): value.isNaN
    case .double(let value): value.isNaN
    case .decimal128(let bits): DecimalNumber(bits).isNaN
    default: false
    }
  }

  private struct Row {
    var id: Int
    var values: [(name: String, value: StoredValue)]
  }

  private static func rows(_ random: inout SeededRandom) -> [Row] {
    (0..<count * 2).map { id in
      Row(id: id, values: columns.map { ($0.name, random.oneIn(12) ? .null : random.value($0.type)) })
    }
  }

  @Test("F-1 and O-29: by key, by key path, for all of a collection, and in the throwing forms") func keys() throws {
    var random = SeededRandom.forTest()
    let realm = try makeRealm(Self.oldTypes)
    for row in Self.rows(&random) {
      try realm.write {
        let (object, other) = (realm.create(V1.Paths.self, value: ["id": row.id]), V1.Paths())
        let third = try realm.throwing.create(V1.Paths.self, value: ["id": -1 - row.id, "part": [:]] as [String: Any])
        for (name, value) in row.values {
          let value = try Self.boxed(value)
          object.setValue(value, forKey: name)
          other.setValue(value, forKey: name)
          try third.throwing.setValue(value, forKey: name)
        }
        let any = try Self.boxed(row.values[10].value)
        third.setValue(any, forKeyPath: "part.any")
        third.part?.anys.append(objectsIn: [third.any, .none])
        let alone = realm.objects(V1.Paths.self).where { $0.id == row.id }
        for (name, value) in row.values {
          for object in [object, other, third] {
            Self.expect(object.value(forKey: name), value, "\(name) by key")
            Self.expect(try object.throwing.value(forKey: name), value, "\(name) by key, throwing")
          }
          alone.setValue(NSNull(), forKey: name)
          Self.expect(object[name], .null, "\(name) nil for a collection")
          alone.setValue(try Self.boxed(value), forKey: name)
          Self.expect((alone.value(forKey: name) as? [Any])?.first, value, "\(name) of a collection")
        }
        Self.expect(third.value(forKeyPath: "part.any"), row.values[10].value, "by key path")
        Self.expect(third.part?.anys[0], row.values[10].value, "in a list of an embedded object")
      }
    }
  }

  @Test("F-1 and O-3: from object to object, in one store, between stores and through the throwing create")
  func objects() throws {
    var random = SeededRandom.forTest()
    let (realm, other) = (try makeRealm(Self.oldTypes), try makeRealm(Self.oldTypes))
    for row in Self.rows(&random) {
      var values: [String: Any] = ["id": row.id]
      for (name, value) in row.values { values[name] = try Self.boxed(value) }
      let unmanaged = V1.Paths(value: values)
      let first = try realm.write { try realm.throwing.create(V1.Paths.self, value: unmanaged, update: .modified) }
      let made = try other.write {
        [
          other.create(V1.Paths.self, value: first), other.create(V1.Paths.self, value: values, update: .all),
          try other.throwing.create(V1.Paths.self, value: first, update: .modified),
        ]
      }
      for (name, value) in row.values {
        for object in [unmanaged, first, V1.Paths(value: first)] + made {
          Self.expect(object[name], value, "\(name) copied")
        }
      }
    }
  }

  @Test("F-1 and Q-1: predicates of every form, and indexes over several properties, find every value")
  func predicates() throws {
    var random = SeededRandom.forTest()
    let realm = try makeRealm(Self.oldTypes)
    let rows = Self.rows(&random)
    try realm.write {
      for row in rows {
        let object = realm.create(V1.Paths.self, value: ["id": row.id])
        for (name, value) in row.values { object[name] = try Self.boxed(value) }
      }
    }
    let all = realm.objects(V1.Paths.self)
    for row in rows {
      for (name, value) in row.values where !Self.isNaN(value) {
        switch value {
        // Collections are not compared.
        case .list, .dictionary: continue
        default: break
        }
        let argument = try Self.boxed(value)
        let forms = [
          NSPredicate(format: "%K == %@", name, argument), NSPredicate(format: "%K IN %@", name, [argument]),
          NSPredicate(format: "NOT %K != %@", name, argument),
          NSPredicate(format: "id == %@ AND %K == %@", row.id, name, argument),
        ]
        for form in forms {
          #expect(all.filter(form).contains { $0.id == row.id }, "\(name) \(value) by \(form)")
        }
      }
      let object = try #require(realm.object(ofType: V1.Paths.self, forPrimaryKey: row.id))
      let found = [
        all.where { $0.string == object.string && $0.int == object.int },
        all.where { $0.date == object.date && $0.uuid == object.uuid },
        all.where { $0.bool == object.bool && $0.objectId == object.objectId && $0.string == object.string },
      ]
      for found in found { #expect(found.contains { $0.id == row.id }, "\(row.values)") }
    }
  }

  @Test("F-1 and M-63: values that a migration copies and renames") func migration() throws {
    var random = SeededRandom.forTest()
    let folder = try TemporaryFolder()
    let rows = Self.rows(&random)
    do {
      let realm = try Realm(configuration: folder.configuration(Self.oldTypes, version: 1))
      try realm.write {
        for row in rows {
          let object = realm.create(V1.Paths.self, value: ["id": row.id])
          for (name, value) in row.values { object[name] = try Self.boxed(value) }
        }
      }
    }
    var configuration = folder.configuration([V2.Paths.self], version: 2)
    configuration.migrationBlock = { migration, _ in
      for (name, _) in Self.columns {
        migration.renameProperty(onType: "Paths", from: name, to: Self.renamed(name))
      }
      migration.enumerateObjects(ofType: "Paths") { old, new in
        guard let old, let new else { return }
        var copies: [String: Any] = [:]
        for (name, _) in Self.columns { copies[name] = old[name] ?? NSNull() }
        new["copies"] = copies
      }
    }
    let realm = try Realm(configuration: configuration)
    for row in rows {
      let object = try #require(realm.object(ofType: V2.Paths.self, forPrimaryKey: row.id))
      for (name, value) in row.values {
        Self.expect(object[Self.renamed(name)], value, "\(name) renamed")
        Self.expect(object.copies[name], value, "\(name) copied")
      }
    }
    #expect(try StoreVerifier.verify(realm.core.store.snapshot()).isEmpty)
  }
}
