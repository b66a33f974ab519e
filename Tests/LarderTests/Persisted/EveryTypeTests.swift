import Foundation
import LarderStorage
import Testing

@testable import Larder

/// Values of every type, smallest first.
private enum EveryValue {
  static let bools = [false, true]
  static let ints = [Int.min, -1, 0, .max]
  static let int8s = [Int8.min, -1, 0, .max]
  static let int16s = [Int16.min, -1, 0, .max]
  static let int32s = [Int32.min, -1, 0, .max]
  static let int64s = [Int64.min, -1, 0, .max]
  static let floats = [-Float.infinity, -0.5, 0, .greatestFiniteMagnitude]
  static let doubles = [-Double.infinity, -0.5, 0, .leastNonzeroMagnitude]
  static let strings = ["", "a\0b", "grüße", "東京"]
  static let datas = [Data(), Data([0]), Data([0, 255])]
  static let dates = [Date(timeIntervalSince1970: -1.5), Date(timeIntervalSince1970: 1_700_000_000.25)]
  static let objectIds = [ObjectId(), ObjectId("507f1f77bcf86cd799439011")]
  static let decimals: [Decimal128] = ["-1E-6", 0, 12.5, "9E+100"]
  static let uuids = [UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), UUID()]
  static let kinds = [Kind.plain, .special]
  static let levels = [Level.low, .high]
  static let shades = [Shade.light, .dark]
  static let celsius = [Celsius(-3), Celsius(40.5)]
  static let codes = [Code("A"), Code("ZZ")]
}

/// Every type that can be stored, as a property and as the element of each kind of collection.
@Suite("Every type") struct EveryTypeTests {
  private static let types: [ObjectBase.Type] = [
    EveryScalar.self, EveryTarget.self, EveryPart.self, EveryList.self, EverySet.self, EveryMap.self,
  ]
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open() throws -> Realm { try Realm(configuration: folder.configuration(Self.types)) }

  @Test(
    "O-20: properties of every type, required and optional, hold their values in memory, in a write, committed, frozen, in copies and in the reopened file"
  )
  func scalars() throws {
    var again: [(Realm) throws -> Void] = []
    func check<V: Equatable>(
      _ path: ReferenceWritableKeyPath<EveryScalar, V>, _ optional: ReferenceWritableKeyPath<EveryScalar, V?>,
      _ values: [V]
    ) throws {
      try check(path, values)
      try check(optional, values.map { $0 } + [nil])
    }
    func check<V: Equatable>(_ path: ReferenceWritableKeyPath<EveryScalar, V>, _ values: [V]) throws {
      let realm = try open()
      let name = _name(for: path)
      for value in values {
        let object = EveryScalar()
        object.id = again.count
        object[keyPath: path] = value
        #expect(object[keyPath: path] == value, "\(name)")
        #expect(EveryScalar(value: object)[keyPath: path] == value, "\(name)")
        try realm.write {
          realm.add(object)
          #expect(object[keyPath: path] == value, "\(name)")
          for other in values {
            object[keyPath: path] = other
            #expect(object[keyPath: path] == other, "\(name)")
          }
          object[keyPath: path] = value
        }
        #expect(object[keyPath: path] == value && object.freeze()[keyPath: path] == value, "\(name)")
        #expect(object.detached()[keyPath: path] == value, "\(name)")
        let id = object.id
        again.append { realm in
          let object = try #require(realm.object(ofType: EveryScalar.self, forPrimaryKey: id))
          #expect(object[keyPath: path] == value, "\(name) of the reopened store")
          let plain = realm.dynamicObject(ofType: "EveryScalar", forPrimaryKey: id)?[name]
          #expect(plain.map { "\($0)" } == object[name].map { "\($0)" }, "\(name) by name")
        }
      }
    }
    try check(\.bool, \.optBool, EveryValue.bools)
    try check(\.int, \.optInt, EveryValue.ints)
    try check(\.int8, \.optInt8, EveryValue.int8s)
    try check(\.int16, \.optInt16, EveryValue.int16s)
    try check(\.int32, \.optInt32, EveryValue.int32s)
    try check(\.int64, \.optInt64, EveryValue.int64s)
    try check(\.float, \.optFloat, EveryValue.floats)
    try check(\.double, \.optDouble, EveryValue.doubles)
    try check(\.string, \.optString, EveryValue.strings)
    try check(\.data, \.optData, EveryValue.datas)
    try check(\.date, \.optDate, EveryValue.dates)
    try check(\.objectId, \.optObjectId, EveryValue.objectIds)
    try check(\.decimal, \.optDecimal, EveryValue.decimals)
    try check(\.uuid, \.optUuid, EveryValue.uuids)
    try check(\.kind, \.optKind, EveryValue.kinds)
    try check(\.level, \.optLevel, EveryValue.levels)
    try check(\.shade, \.optShade, EveryValue.shades)
    try check(\.celsius, \.optCelsius, EveryValue.celsius)
    try check(\.code, \.optCode, EveryValue.codes)
    do {
      let realm = try open()
      for run in again { try run(realm) }
      let object = EveryScalar(
        value: ["id": -1, "object": ["name": "a"], "part": ["name": "b"], "any": 3] as [String: Any])
      try realm.write { realm.add(object) }
      #expect(object.object?.name == "a" && object.part?.name == "b" && object.any == .int(3))
      #expect(try StoreVerifier.verify(realm.core.store.snapshot()).isEmpty)
    }
    let realm = try open()
    for run in again { try run(realm) }
    #expect(realm.object(ofType: EveryScalar.self, forPrimaryKey: -1)?.object?.name == "a")
  }

  @Test("O-20 and O-87: lists of every type of element, in memory, managed and in the reopened file") func lists()
    throws
  {
    var again: [(EveryList) -> Void] = []
    let unmanaged = EveryList()
    let object = try open().write { [realm = try open()] in realm.create(EveryList.self) }
    func check<V: RealmCollectionValue>(
      _ path: ReferenceWritableKeyPath<EveryList, List<V>>, _ optional: ReferenceWritableKeyPath<EveryList, List<V?>>,
      _ values: [V]
    ) throws where V: _RealmCollectionValueInsideOptional {
      try check(path, values)
      try check(optional, [nil] + values.map { $0 } + [nil])
    }
    func check<V: RealmCollectionValue>(_ path: ReferenceWritableKeyPath<EveryList, List<V>>, _ values: [V]) throws {
      let name = _name(for: path)
      let realm = try open()
      try realm.write {
        for list in [unmanaged[keyPath: path], object[keyPath: path]] {
          list.append(objectsIn: values)
          #expect(Array(list) == values && list.count == values.count, "\(name)")
          list.insert(values[1], at: 0)
          list.move(from: 0, to: values.count)
          #expect(list[values.count] == values[1] && list.last == values[1] && list.first == values[0], "\(name)")
          list.remove(at: values.count)
          list[0] = values[1]
          #expect(list.first == values[1] && list.index(of: values[1]) == 0, "\(name)")
          list[0] = values[0]
          list.swapAt(0, 1)
          list.replaceSubrange(0..<2, with: values.prefix(2))
          #expect(list.index(of: values[0]) == 0, "\(name)")
        }
      }
      let check = { (object: EveryList) in
        #expect(Array(object[keyPath: path]) == values, "\(name)")
        #expect(object[keyPath: path].indices.map { object[keyPath: path][$0] } == values, "\(name)")
      }
      check(object)
      check(object.freeze())
      check(object.detached())
      check(unmanaged)
      again.append(check)
    }
    try check(\.bool, \.optBool, EveryValue.bools)
    try check(\.int, \.optInt, EveryValue.ints)
    try check(\.int8, \.optInt8, EveryValue.int8s)
    try check(\.int16, \.optInt16, EveryValue.int16s)
    try check(\.int32, \.optInt32, EveryValue.int32s)
    try check(\.int64, \.optInt64, EveryValue.int64s)
    try check(\.float, \.optFloat, EveryValue.floats)
    try check(\.double, \.optDouble, EveryValue.doubles)
    try check(\.string, \.optString, EveryValue.strings)
    try check(\.data, \.optData, EveryValue.datas)
    try check(\.date, \.optDate, EveryValue.dates)
    try check(\.objectId, \.optObjectId, EveryValue.objectIds)
    try check(\.decimal, \.optDecimal, EveryValue.decimals)
    try check(\.uuid, \.optUuid, EveryValue.uuids)
    try check(\.kind, \.optKind, EveryValue.kinds)
    try check(\.level, \.optLevel, EveryValue.levels)
    try check(\.shade, \.optShade, EveryValue.shades)
    try check(\.celsius, \.optCelsius, EveryValue.celsius)
    try check(\.code, \.optCode, EveryValue.codes)
    let realm = try open()
    try realm.write {
      object.objects.append(objectsIn: [EveryTarget("a"), EveryTarget("b")])
      object.parts.append(objectsIn: [EveryPart("a"), EveryPart("b")])
      object.anys.append(objectsIn: [.none, .int(1), .object(object.objects[0])])
    }
    #expect(object.objects.map(\.name) == ["a", "b"] && object.parts.map(\.name) == ["a", "b"])
    #expect(object.anys[2].object(EveryTarget.self)?.name == "a" && Array(object.anys.prefix(2)) == [.none, .int(1)])
    try realm.write {
      realm.create(EveryList.self, value: ["id": 1, "int": [3], "optDate": [NSNull()]] as [String: Any])
    }
    #expect(realm.object(ofType: EveryList.self, forPrimaryKey: 1)?.optDate.first == .some(nil))
    try reopened { realm in
      let stored = try #require(realm.object(ofType: EveryList.self, forPrimaryKey: 0))
      for check in again { check(stored) }
      #expect(stored.parts.map(\.name) == ["a", "b"])
      try realm.write {
        for property in stored.objectSchema.properties where property.isArray {
          #expect((stored[property.name] as? any RandomAccessCollection)?.isEmpty == false, "\(property.name)")
          stored[property.name] = [Any]()
          #expect((stored[property.name] as? any RandomAccessCollection)?.isEmpty == true, "\(property.name)")
        }
        #expect(realm.dynamicObjects("EveryPart").isEmpty && realm.objects(EveryTarget.self).count == 2)
        for name in ["int", "string", "date", "objects"] {
          #expect(throws: Realm.Error.self, "\(name)") { try stored.throwing.setValue([NSNull()], forKey: name) }
        }
      }
    }
  }

  @Test("O-20 and O-82: sets of every type of element, in memory, managed and in the reopened file") func sets() throws
  {
    var again: [(EverySet) -> Void] = []
    let unmanaged = EverySet()
    let object = try open().write { [realm = try open()] in realm.create(EverySet.self) }
    func check<V: RealmCollectionValue>(
      _ path: ReferenceWritableKeyPath<EverySet, MutableSet<V>>,
      _ optional: ReferenceWritableKeyPath<EverySet, MutableSet<V?>>, _ values: [V]
    ) throws where V: _RealmCollectionValueInsideOptional {
      try check(path, values)
      try check(optional, [nil] + values.map { $0 })
    }
    func check<V: RealmCollectionValue>(_ path: ReferenceWritableKeyPath<EverySet, MutableSet<V>>, _ values: [V]) throws
    {
      let name = _name(for: path)
      let realm = try open()
      try realm.write {
        for set in [unmanaged[keyPath: path], object[keyPath: path]] {
          set.insert(objectsIn: values.reversed())
          set.insert(values[0])
          #expect(set.count == values.count && values.allSatisfy { set.contains($0) }, "\(name)")
          set.remove(values[0])
          #expect(!set.contains(values[0]) && set.count == values.count - 1, "\(name)")
          set.insert(values[0])
          #expect(set.isSubset(of: set) && set.intersects(set), "\(name)")
        }
        #expect(Array(object[keyPath: path]) == values, "\(name) in the order of the values")
      }
      let check = { (object: EverySet) in
        #expect(Set(object[keyPath: path]) == Set(values) && object[keyPath: path].count == values.count, "\(name)")
      }
      check(object)
      check(object.freeze())
      check(object.detached())
      check(unmanaged)
      again.append(check)
    }
    try check(\.bool, \.optBool, EveryValue.bools)
    try check(\.int, \.optInt, EveryValue.ints)
    try check(\.int8, \.optInt8, EveryValue.int8s)
    try check(\.int16, \.optInt16, EveryValue.int16s)
    try check(\.int32, \.optInt32, EveryValue.int32s)
    try check(\.int64, \.optInt64, EveryValue.int64s)
    try check(\.float, \.optFloat, EveryValue.floats)
    try check(\.double, \.optDouble, EveryValue.doubles)
    try check(\.string, \.optString, EveryValue.strings)
    try check(\.data, \.optData, EveryValue.datas)
    try check(\.date, \.optDate, EveryValue.dates)
    try check(\.objectId, \.optObjectId, EveryValue.objectIds)
    try check(\.decimal, \.optDecimal, EveryValue.decimals)
    try check(\.uuid, \.optUuid, EveryValue.uuids)
    try check(\.kind, \.optKind, EveryValue.kinds)
    try check(\.level, \.optLevel, EveryValue.levels)
    try check(\.shade, \.optShade, EveryValue.shades)
    try check(\.celsius, \.optCelsius, EveryValue.celsius)
    try check(\.code, \.optCode, EveryValue.codes)
    let realm = try open()
    try realm.write {
      object.objects.insert(objectsIn: [EveryTarget("a"), EveryTarget("b")])
      object.anys.insert(objectsIn: [.none, .int(1), .double(1), .string("x")])
    }
    #expect(object.objects.map(\.name) == ["a", "b"] && object.anys.count == 3)
    try reopened { realm in
      let stored = try #require(realm.object(ofType: EverySet.self, forPrimaryKey: 0))
      for check in again { check(stored) }
      #expect(stored.objects.map(\.name) == ["a", "b"])
    }
  }

  @Test("O-20 and O-83: maps with every type of value, in memory, managed and in the reopened file") func maps() throws
  {
    var again: [(EveryMap) -> Void] = []
    let unmanaged = EveryMap()
    let object = try open().write { [realm = try open()] in realm.create(EveryMap.self) }
    func check<V: RealmCollectionValue>(
      _ path: ReferenceWritableKeyPath<EveryMap, Map<String, V>>,
      _ optional: ReferenceWritableKeyPath<EveryMap, Map<String, V?>>, _ values: [V]
    ) throws where V: _RealmCollectionValueInsideOptional {
      try check(path, values)
      try check(optional, [nil] + values.map { $0 })
    }
    func check<V: RealmCollectionValue>(_ path: ReferenceWritableKeyPath<EveryMap, Map<String, V>>, _ values: [V])
      throws
    {
      let name = _name(for: path)
      let realm = try open()
      try realm.write {
        for map in [unmanaged[keyPath: path], object[keyPath: path]] {
          for (number, value) in values.enumerated() { map.updateValue(value, forKey: "\(number)") }
          #expect(map.values == values && map.keys == values.indices.map { "\($0)" }, "\(name)")
          map.updateValue(values[1], forKey: "0")
          #expect(map["0"] == .some(values[1]) && map.count == values.count, "\(name)")
          map.removeObject(for: "0")
          #expect(map["0"] == nil && map.count == values.count - 1, "\(name)")
          map.updateValue(values[0], forKey: "0")
        }
      }
      let check = { (object: EveryMap) in
        #expect(object[keyPath: path].values == values, "\(name)")
        for (number, value) in values.enumerated() {
          #expect(object[keyPath: path]["\(number)"] == .some(value), "\(name)")
        }
      }
      check(object)
      check(object.freeze())
      check(object.detached())
      check(unmanaged)
      again.append(check)
    }
    try check(\.bool, \.optBool, EveryValue.bools)
    try check(\.int, \.optInt, EveryValue.ints)
    try check(\.int8, \.optInt8, EveryValue.int8s)
    try check(\.int16, \.optInt16, EveryValue.int16s)
    try check(\.int32, \.optInt32, EveryValue.int32s)
    try check(\.int64, \.optInt64, EveryValue.int64s)
    try check(\.float, \.optFloat, EveryValue.floats)
    try check(\.double, \.optDouble, EveryValue.doubles)
    try check(\.string, \.optString, EveryValue.strings)
    try check(\.data, \.optData, EveryValue.datas)
    try check(\.date, \.optDate, EveryValue.dates)
    try check(\.objectId, \.optObjectId, EveryValue.objectIds)
    try check(\.decimal, \.optDecimal, EveryValue.decimals)
    try check(\.uuid, \.optUuid, EveryValue.uuids)
    try check(\.kind, \.optKind, EveryValue.kinds)
    try check(\.level, \.optLevel, EveryValue.levels)
    try check(\.shade, \.optShade, EveryValue.shades)
    try check(\.celsius, \.optCelsius, EveryValue.celsius)
    try check(\.code, \.optCode, EveryValue.codes)
    let realm = try open()
    try realm.write {
      object.objects["a"] = EveryTarget("a")
      object.parts["b"] = EveryPart("b")
      object.anys["c"] = .int(1)
      object.objects.updateValue(nil, forKey: "n")
      object.parts.updateValue(nil, forKey: "n")
    }
    #expect(object.objects["a"]??.name == "a" && object.objects["n"] == .some(nil) && object.parts.count == 2)
    try reopened { realm in
      let stored = try #require(realm.object(ofType: EveryMap.self, forPrimaryKey: 0))
      for check in again { check(stored) }
      #expect(stored.parts["b"]??.name == "b" && stored.anys["c"] == .int(1))
    }
  }

  /// The store opened again on another thread, after the first one's Realm went.
  private func reopened(_ body: (Realm) throws -> Void) throws {
    let copy = try TemporaryFolder()
    let (from, to) = (folder.configuration([]).fileURL, copy.configuration([]).fileURL)
    try FileManager.default.copyItem(at: try #require(from), to: try #require(to))
    let realm = try Realm(configuration: copy.configuration(Self.types))
    #expect(try StoreVerifier.verify(realm.core.store.snapshot()).isEmpty)
    try body(realm)
  }
}
