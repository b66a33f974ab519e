import Foundation
import LarderStorage
import TestSupport
import TestTraits
import Testing

@testable import Larder

/// Values of every type, drawn from its whole range, come back from every place they can be put in, to the bit.
///
/// `LARDER_VALUES=1000` sets how many values of each type there are.
@Suite("Every value in every place", .long) struct EveryValueTests {
  private static let count = ProcessInfo.processInfo.environment["LARDER_VALUES"].flatMap { Int($0) } ?? 12
  private static let types: [ObjectBase.Type] = [
    EveryScalar.self, EveryTarget.self, EveryPart.self, EveryList.self, EverySet.self, EveryMap.self,
    ValueKeys.self, TextKeys.self, IdentifierKeys.self, UUIDKeys.self, V1.Grown.self,
  ]

  final class ValueKeys: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var bool: Bool
    @Persisted(indexed: true) var int: Int?
    @Persisted(indexed: true) var string: String?
    @Persisted(indexed: true) var date: Date?
    @Persisted(indexed: true) var uuid: UUID?
    @Persisted(indexed: true) var objectId: ObjectId?
    @Persisted var any: AnyRealmValue
  }
  final class TextKeys: Object { @Persisted(primaryKey: true) var key: String }
  final class IdentifierKeys: Object { @Persisted(primaryKey: true) var key: ObjectId }
  final class UUIDKeys: Object { @Persisted(primaryKey: true) var key: UUID? }

  enum V1 {
    final class Grown: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var any: AnyRealmValue
      @Persisted var anys: List<AnyRealmValue>
      @Persisted var map: Map<String, AnyRealmValue>
    }
  }
  enum V2 {
    final class Grown: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var added = "new"
      @Persisted var map: Map<String, AnyRealmValue>
      @Persisted var anys: List<AnyRealmValue>
      @Persisted var any: AnyRealmValue
    }
  }

  /// The properties of one type.
  private struct Places<Value: _RealmCollectionValueInsideOptional & _PersistableInsideOptional> {
    let name: String
    let type: ColumnType
    let scalar: ReferenceWritableKeyPath<EveryScalar, Value>
    let optional: ReferenceWritableKeyPath<EveryScalar, Value?>
    let list: ReferenceWritableKeyPath<EveryList, List<Value>>
    let optionalList: ReferenceWritableKeyPath<EveryList, List<Value?>>
    let set: ReferenceWritableKeyPath<EverySet, MutableSet<Value>>
    let map: ReferenceWritableKeyPath<EveryMap, Map<String, Value>>
    var optionalName: String { "opt" + name.prefix(1).uppercased() + name.dropFirst() }
  }

  private static func stored(_ value: some _ObjcBridgeable) -> StoredValue { value._rlmStored(in: nil) }

  private static func expect(
    _ found: (some _ObjcBridgeable)?, _ expected: StoredValue, _ place: String,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let isSame = found.map { stored($0).isSame(as: expected) } ?? false
    #expect(isSame, "\(place): \(found.map { "\($0)" } ?? "nothing") for \(expected)", sourceLocation: location)
  }

  private func run<Value>(_ places: Places<Value>, _ random: inout SeededRandom) throws
  where Value: _RealmCollectionValueInsideOptional & _PersistableInsideOptional {
    let folder = try TemporaryFolder()
    let configuration = folder.configuration(Self.types)
    var values: [Value] = []
    for _ in 0..<Self.count {
      values.append(try #require(Value._rlmFromStored(random.value(places.type), in: nil)))
    }
    let key = random.anyText()
    do {
      let realm = try Realm(configuration: configuration)
      for (id, value) in values.enumerated() { try write(value, id, key, places, realm) }
      for (id, value) in values.enumerated() { try read(value, id, key, places, realm) }
      try realm.writeCopy(toFile: folder.url.appendingPathComponent("copy.larder"))
    }
    var copy = configuration
    copy.fileURL = folder.url.appendingPathComponent("copy.larder")
    for configuration in [configuration, copy] {
      let realm = try Realm(configuration: configuration)
      for (id, value) in values.enumerated() { try read(value, id, key, places, realm) }
      #expect(try StoreVerifier.verify(realm.core.store.snapshot()).isEmpty)
    }
  }

  /// Puts a value everywhere: in memory, added, created from, assigned, by name and by dynamic access.
  private func write<Value>(_ value: Value, _ id: Int, _ key: String, _ places: Places<Value>, _ realm: Realm) throws
  where Value: _RealmCollectionValueInsideOptional & _PersistableInsideOptional {
    let expected = Self.stored(value)
    let name = places.name
    let object = EveryScalar()
    object.id = id
    object[keyPath: places.scalar] = value
    object.any = try #require(AnyRealmValue._rlmFromObjc(value, insideOptional: false))
    Self.expect(object[keyPath: places.scalar], expected, "\(name) in memory")
    Self.expect(EveryScalar(value: object)[keyPath: places.scalar], expected, "\(name) copied in memory")
    try realm.write {
      realm.add(object)
      Self.expect(object[keyPath: places.scalar], expected, "\(name) added")
      object[keyPath: places.optional] = value
      Self.expect(object[keyPath: places.optional], expected, "\(name) assigned")
      let made = realm.create(EveryScalar.self, value: ["id": -1 - id, name: value, places.optionalName: value])
      Self.expect(made[keyPath: places.scalar], expected, "\(name) created")
      Self.expect(made[keyPath: places.optional], expected, "\(name) created optional")
      made[name] = value
      made[places.optionalName] = object[name]
      Self.expect(made[keyPath: places.scalar], expected, "\(name) by name")
      Self.expect(made[keyPath: places.optional], expected, "\(name) read and written by name")
      let dynamic = try #require(realm.dynamicObject(ofType: "EveryScalar", forPrimaryKey: -1 - id))
      dynamic[name] = value
      dynamic[places.optionalName] = dynamic[name]
      Self.expect(made[keyPath: places.scalar], expected, "\(name) dynamic")
      Self.expect(made[keyPath: places.optional], expected, "\(name) read and written dynamically")
      let list = realm.create(EveryList.self, value: ["id": id, name: [value, value]])
      list[keyPath: places.list].append(value)
      list[keyPath: places.optionalList].append(objectsIn: [nil, value])
      let set = realm.create(EverySet.self, value: ["id": id])
      set[keyPath: places.set].insert(value)
      let map = realm.create(EveryMap.self, value: ["id": id])
      map[keyPath: places.map][key] = value
      map[keyPath: places.map]["\0\(key)"] = value
    }
  }

  /// Finds the value everywhere.
  private func read<Value>(_ value: Value, _ id: Int, _ key: String, _ places: Places<Value>, _ realm: Realm) throws
  where Value: _RealmCollectionValueInsideOptional & _PersistableInsideOptional {
    let expected = Self.stored(value)
    let name = places.name
    for id in [id, -1 - id] {
      let object = try #require(realm.object(ofType: EveryScalar.self, forPrimaryKey: id))
      for (object, place) in [(object, "live"), (object.freeze(), "frozen"), (object.detached(), "detached")] {
        Self.expect(object[keyPath: places.scalar], expected, "\(name) \(place)")
        Self.expect(object[keyPath: places.optional], expected, "\(name) \(place) optional")
      }
    }
    let object = try #require(realm.object(ofType: EveryScalar.self, forPrimaryKey: id))
    Self.expect(object.any, Self.stored(try #require(AnyRealmValue._rlmFromObjc(value, insideOptional: false))), "any")
    let list = try #require(realm.object(ofType: EveryList.self, forPrimaryKey: id))
    for list in [list, list.freeze(), list.detached()] {
      #expect(list[keyPath: places.list].count == 3 && list[keyPath: places.optionalList].count == 2)
      for element in list[keyPath: places.list] { Self.expect(element, expected, "\(name) in a list") }
      Self.expect(list[keyPath: places.optionalList][1], expected, "\(name) in a list of optionals")
    }
    let set = try #require(realm.object(ofType: EverySet.self, forPrimaryKey: id))
    #expect(set[keyPath: places.set].count == 1 && (set[keyPath: places.set].contains(value) || isNaN(expected)))
    Self.expect(set[keyPath: places.set].first, expected, "\(name) in a set")
    let map = try #require(realm.object(ofType: EveryMap.self, forPrimaryKey: id))
    for map in [map, map.freeze(), map.detached()] {
      Self.expect(map[keyPath: places.map][key], expected, "\(name) in a map")
      Self.expect(map[keyPath: places.map]["\0\(key)"], expected, "\(name) in a map under NUL")
    }
    guard !isNaN(expected) else { return }
    let found = realm.objects(EveryScalar.self).filter("%K == %@ AND %K == %@", name, value, places.optionalName, value)
    #expect(found.contains { $0.id == id } && found.contains { $0.id == -1 - id }, "\(name) searched for: \(expected)")
  }

  private func isNaN(_ value: StoredValue) -> Bool {
    switch value {
    case .float(let value): value.isNaN
    case .double(let value): value.isNaN
    case .decimal128(let bits): DecimalNumber(bits).isNaN
    default: false
    }
  }

  @Test("F-1 and O-20: integers, Booleans and floating-point numbers") func numbers() throws {
    var random = SeededRandom.forTest()
    try run(
      Places(
        name: "bool", type: .bool, scalar: \.bool, optional: \.optBool, list: \.bool, optionalList: \.optBool,
        set: \.bool, map: \.bool), &random)
    try run(
      Places(
        name: "int", type: .int, scalar: \.int, optional: \.optInt, list: \.int, optionalList: \.optInt, set: \.int,
        map: \.int), &random)
    try run(
      Places(
        name: "int8", type: .int, scalar: \.int8, optional: \.optInt8, list: \.int8, optionalList: \.optInt8,
        set: \.int8, map: \.int8), &random)
    try run(
      Places(
        name: "int16", type: .int, scalar: \.int16, optional: \.optInt16, list: \.int16, optionalList: \.optInt16,
        set: \.int16, map: \.int16), &random)
    try run(
      Places(
        name: "int32", type: .int, scalar: \.int32, optional: \.optInt32, list: \.int32, optionalList: \.optInt32,
        set: \.int32, map: \.int32), &random)
    try run(
      Places(
        name: "int64", type: .int, scalar: \.int64, optional: \.optInt64, list: \.int64, optionalList: \.optInt64,
        set: \.int64, map: \.int64), &random)
    try run(
      Places(
        name: "float", type: .float, scalar: \.float, optional: \.optFloat, list: \.float, optionalList: \.optFloat,
        set: \.float, map: \.float), &random)
    try run(
      Places(
        name: "double", type: .double, scalar: \.double, optional: \.optDouble, list: \.double,
        optionalList: \.optDouble, set: \.double, map: \.double), &random)
  }

  @Test("F-1 and O-20: dates, decimals, texts, data and identifiers") func others() throws {
    var random = SeededRandom.forTest()
    try run(
      Places(
        name: "date", type: .date, scalar: \.date, optional: \.optDate, list: \.date, optionalList: \.optDate,
        set: \.date, map: \.date), &random)
    try run(
      Places(
        name: "decimal", type: .decimal128, scalar: \.decimal, optional: \.optDecimal, list: \.decimal,
        optionalList: \.optDecimal, set: \.decimal, map: \.decimal), &random)
    try run(
      Places(
        name: "string", type: .string, scalar: \.string, optional: \.optString, list: \.string,
        optionalList: \.optString, set: \.string, map: \.string), &random)
    try run(
      Places(
        name: "data", type: .data, scalar: \.data, optional: \.optData, list: \.data, optionalList: \.optData,
        set: \.data, map: \.data), &random)
    try run(
      Places(
        name: "uuid", type: .uuid, scalar: \.uuid, optional: \.optUuid, list: \.uuid, optionalList: \.optUuid,
        set: \.uuid, map: \.uuid), &random)
    try run(
      Places(
        name: "objectId", type: .objectId, scalar: \.objectId, optional: \.optObjectId, list: \.objectId,
        optionalList: \.optObjectId, set: \.objectId, map: \.objectId), &random)
  }

  @Test(
    "F-1 and O-90: values of any type, nested ones included, in properties, collections, copies and after a migration")
  func anyValues() throws {
    var random = SeededRandom.forTest()
    let folder = try TemporaryFolder()
    let values = (0..<Self.count * 4).map { _ in random.value(.mixed) }
    let key = random.anyText()
    func make(_ value: StoredValue) throws -> AnyRealmValue {
      try #require(AnyRealmValue._rlmFromStored(value, in: nil))
    }
    do {
      let realm = try Realm(configuration: folder.configuration([V1.Grown.self], version: 1))
      for (id, value) in values.enumerated() {
        try realm.write {
          let object = V1.Grown(value: ["id": id, "any": try make(value), "anys": [try make(value)]] as [String: Any])
          Self.expect(object.any, value, "in memory")
          realm.add(object)
          object.map[key] = try make(value)
          object.anys.append(try make(value))
          let made = realm.create(
            V1.Grown.self, value: ["id": -1 - id, "map": [key: try make(value)]] as [String: Any])
          made["any"] = try make(value)
          made["anys"] = [object["any"] ?? NSNull(), try make(value)]
        }
      }
      try realm.writeCopy(toFile: folder.url.appendingPathComponent("copy.larder"))
    }
    var copy = folder.configuration([V2.Grown.self], version: 2)
    copy.fileURL = folder.url.appendingPathComponent("copy.larder")
    for configuration in [folder.configuration([V2.Grown.self], version: 2), copy] {
      let realm = try Realm(configuration: configuration)
      for (id, value) in values.enumerated() {
        for id in [id, -1 - id] {
          let object = try #require(realm.object(ofType: V2.Grown.self, forPrimaryKey: id))
          for object in [object, object.freeze(), object.detached()] {
            #expect(object.added == "new" && object.anys.count == 2)
            for found in [object.any, object.anys[0], object.anys[1]] { Self.expect(found, value, "any of \(id)") }
            Self.expect(object.map[key], value, "any in a map of \(id)")
          }
        }
      }
    }
  }

  @Test("F-1 and O-40: indexes and primary keys find every value") func keys() throws {
    var random = SeededRandom.forTest()
    let realm = try makeRealm(Self.types)
    for id in 0..<Self.count * 4 {
      let values = try SeededRandom.valueTypes.map {
        try #require(AnyRealmValue._rlmFromStored(random.value($0), in: nil))
      }
      try realm.write {
        let row = realm.create(ValueKeys.self, value: ["id": id])
        for value in values {
          switch value {
          case .bool(let value): row.bool = value
          case .int(let value): row.int = value
          case .string(let value):
            row.string = value
            realm.create(TextKeys.self, value: ["key": value], update: .modified)
          case .date(let value): row.date = value
          case .uuid(let value):
            row.uuid = value
            realm.create(UUIDKeys.self, value: ["key": value], update: .modified)
          case .objectId(let value):
            row.objectId = value
            realm.create(IdentifierKeys.self, value: ["key": value], update: .modified)
          default: break
          }
        }
        row.any = random.pick(values)
      }
      let row = try #require(realm.object(ofType: ValueKeys.self, forPrimaryKey: id))
      for name in ["bool", "int", "string", "date", "uuid", "objectId"] {
        let value = try #require(row[name])
        #expect(
          realm.objects(ValueKeys.self).filter("%K == %@", name, value).contains { $0.id == id }, "\(name) \(value)")
      }
      if !isNaN(Self.stored(row.any)) {
        #expect(realm.objects(ValueKeys.self).where { $0.any == row.any }.contains { $0.id == id }, "\(row.any)")
      }
      let text = try #require(row.string)
      Self.expect(realm.object(ofType: TextKeys.self, forPrimaryKey: text)?.key, .string(text), "text key")
      #expect(realm.object(ofType: UUIDKeys.self, forPrimaryKey: row.uuid)?.key == row.uuid)
      #expect(realm.object(ofType: IdentifierKeys.self, forPrimaryKey: row.objectId)?.key == row.objectId)
    }
  }
}
