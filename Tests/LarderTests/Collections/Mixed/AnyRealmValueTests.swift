import Foundation
import LarderStorage
import Testing

@testable import Larder

class MixedBag: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value: AnyRealmValue
  @Persisted var preset: AnyRealmValue = .string("preset")
  @Persisted var list: List<AnyRealmValue>
  @Persisted var map: Map<String, AnyRealmValue>
  @Persisted var set: MutableSet<AnyRealmValue>
}

class Thing: Object {
  @Persisted var name: String
  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

@Suite("Values of any type") struct AnyRealmValueTests {
  static let types: [ObjectBase.Type] = [MixedBag.self, Thing.self]

  /// One value of each kind.
  static func samples() -> [AnyRealmValue] {
    [
      .none, .int(-7), .bool(true), .float(1.5), .double(-2.25), .string("täxt"), .data(Data([0, 255])),
      .date(Date(timeIntervalSince1970: 12.5)), .objectId(ObjectId("507f1f77bcf86cd799439011")), .decimal128(12.50),
      .uuid(UUID()), .fromArray([.int(1), .none, .fromArray([.string("deep")])]),
      .fromDictionary(["a": .int(1), "b.$": .fromArray([]), "": .fromDictionary([:])]),
    ]
  }

  @Test("A value is of one type only, and none without one") func accessors() {
    #expect(AnyRealmValue() == .none && MixedBag().value == .none && MixedBag().preset == .string("preset"))
    let value = AnyRealmValue.int(3)
    #expect(value.intValue == 3 && value.doubleValue == nil && value.stringValue == nil && value.boolValue == nil)
    #expect(AnyRealmValue.float(1).floatValue == 1 && AnyRealmValue.data(Data([1])).dataValue == Data([1]))
    #expect(AnyRealmValue.string("a").stringValue == "a" && AnyRealmValue.bool(true).boolValue == true)
    #expect(AnyRealmValue.fromArray([.int(1)]).listValue?.first == .int(1))
    #expect(AnyRealmValue.fromDictionary(["a": .int(1)]).dictionaryValue?["a"] == .int(1))
    let thing = Thing("a")
    #expect(AnyRealmValue.object(thing).object(Thing.self) === thing)
    #expect(
      AnyRealmValue.object(thing).object(MixedBag.self) == nil && AnyRealmValue.object(thing).dynamicObject == nil)
    #expect(AnyRealmValue.date(Date.distantPast).dateValue == .distantPast)
    #expect(AnyRealmValue.decimal128(2).decimal128Value == 2 && AnyRealmValue.double(2).doubleValue == 2)
    #expect(AnyRealmValue.uuid(UUID()).uuidValue != nil && AnyRealmValue.objectId(.generate()).objectIdValue != nil)
  }

  @Test("O-92: values are equal when type and contents are, and equal ones hash alike") func equality() {
    let (samples, again) = (Self.samples(), Self.samples())
    for (i, a) in samples.enumerated() {
      for (j, b) in again.enumerated() where i != 10 || j != 10 { #expect((a == b) == (i == j), "\(a) \(b)") }
      if i != 10 { #expect(a.hashValue == again[i].hashValue) }
    }
    #expect(AnyRealmValue.int(1) != .double(1) && AnyRealmValue.int(1) != .bool(true))
    #expect(AnyRealmValue.fromArray([.int(1)]) != .fromArray([.int(2)]))
    #expect(AnyRealmValue.fromDictionary(["a": .int(1)]) != .fromDictionary(["b": .int(1)]))
  }

  @Test("Every kind of value comes back from the store as it was") func roundTrip() throws {
    let folder = try TemporaryFolder()
    let samples = Self.samples()
    do {
      let realm = try Realm(configuration: folder.configuration(Self.types))
      try realm.write {
        for (id, value) in samples.enumerated() {
          let bag = MixedBag()
          (bag.id, bag.value) = (id, value)
          bag.list.append(objectsIn: samples)
          for (key, value) in samples.enumerated() { bag.map["\(key)"] = value }
          realm.add(bag)
        }
      }
    }
    let realm = try Realm(configuration: folder.configuration(Self.types))
    let bags = realm.objects(MixedBag.self).sorted(byKeyPath: "id")
    for (bag, value) in zip(bags, samples) {
      #expect(bag.value == value && bag.preset == .string("preset"))
      #expect(Array(bag.list) == samples)
      for (key, value) in samples.enumerated() { #expect(bag.map["\(key)"] == value) }
    }
    try realm.write {
      for (bag, value) in zip(bags, samples.reversed()) { bag.value = value }
    }
    for (bag, value) in zip(bags, samples.reversed()) { #expect(bag.value == value) }
  }

  @Test("O-62: links to objects of any class; unmanaged ones are added") func links() throws {
    let realm = try makeRealm(Self.types)
    let bag = MixedBag()
    bag.value = .object(Thing("one"))
    bag.list.append(.object(Thing("two")))
    bag.map["k"] = .fromArray([.object(Thing("three"))])
    try realm.write { realm.add(bag) }
    #expect(realm.objects(Thing.self).map(\.name).sorted() == ["one", "three", "two"])
    #expect(bag.value.object(Thing.self)?.name == "one" && bag.list[0].object(Thing.self)?.name == "two")
    #expect(bag.value.dynamicObject?["name"] as? String == "one")
    let thing = try #require(bag.value.object(Thing.self))
    try realm.write {
      bag.value = .object(bag)
      bag.list.append(.object(thing))
    }
    #expect(bag.value.object(MixedBag.self)?.id == bag.id && realm.objects(Thing.self).count == 3)
    try realm.write { bag.value = .object(Thing("four")) }
    #expect(bag.value.object(Thing.self)?.name == "four" && realm.objects(Thing.self).count == 4)
  }

  class Followed: Object {
    @Persisted(originProperty: "value") var bags: LinkingObjects<FollowingBag>
    @Persisted var name: String
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
  class FollowingBag: Object {
    @Persisted var value: AnyRealmValue
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  @Test("O-62: links of values of any type are not followed back") func inverses() {
    let error = #expect(throws: Realm.Error.self) { try makeRealm([Followed.self, FollowingBag.self]) }
    #expect(error?.message.contains("it follows FollowingBag.value back, which is no link to Followed") == true)
  }

  @Test("O-11: a deleted object's links become none") func deletedLinks() throws {
    let realm = try makeRealm(Self.types)
    let thing = Thing("gone")
    let bag = MixedBag()
    (bag.value, bag.map["k"]) = (.object(thing), .object(thing))
    bag.list.append(objectsIn: [.int(1), .object(thing), .fromArray([.object(thing)])])
    try realm.write {
      realm.add(bag)
      realm.delete(thing)
    }
    #expect(bag.value == .none && bag.map["k"] == AnyRealmValue.none && bag.map.count == 1)
    #expect(Array(bag.list) == [.int(1), .none, .fromArray([.none])])
  }

  @Test("O-62: an object of a class that the program does not declare is a DynamicObject") func undeclared() throws {
    let folder = try TemporaryFolder()
    do {
      let realm = try Realm(configuration: folder.configuration(Self.types))
      let bag = MixedBag()
      bag.value = .object(Thing("far"))
      try realm.write { realm.add(bag) }
    }
    let realm = try Realm(configuration: folder.configuration([MixedBag.self]))
    let value = try #require(realm.objects(MixedBag.self).first).value
    #expect(value.object(Thing.self) == nil)
    #expect(value.dynamicObject?["name"] as? String == "far")
    let bag = try #require(realm.objects(MixedBag.self).first)
    try realm.write { bag.list.append(value) }
    #expect(bag.list[0].dynamicObject?["name"] as? String == "far")
  }

  @Test("Values of any type by the class's name, and in detached copies") func namesAndCopies() throws {
    let realm = try makeRealm(Self.types)
    let bag = MixedBag()
    bag.value = .fromArray([.int(1), .object(Thing("a"))])
    bag.list.append(.fromDictionary(["k": .object(Thing("b"))]))
    bag.map["m"] = .float(2)
    try realm.write { realm.add(bag) }
    let object = try #require(realm.dynamicObjects("MixedBag").first)
    #expect((object["value"] as? List<AnyRealmValue>)?.first == .int(1))
    #expect((object["list"] as? List<AnyRealmValue>)?.count == 1)
    #expect((object["map"] as? Map<String, AnyRealmValue>)?["m"] == .float(2))
    try realm.write { object["value"] = ["x": 5] }
    #expect(bag.value == .fromDictionary(["x": .int(5)]))
    try realm.write { bag.value = .fromArray([.int(1), .object(Thing("c"))]) }
    let copy = bag.detached()
    try realm.write { bag.value.listValue?.removeAll() }
    #expect(copy.value.listValue?.realm == nil && copy.value.listValue?.count == 2)
    #expect(copy.value.listValue?.last?.object(Thing.self)?.name == "c")
    #expect(copy.list.first?.dictionaryValue?["k"]?.object(Thing.self)?.realm == nil)
    #expect(bag.detached(depth: 0).list.first == .fromDictionary(["k": .none]))
  }

  @Test("O-93: values of every kind are taken by name and in create, arrays as lists, dictionaries as dictionaries")
  func dynamic() throws {
    let realm = try makeRealm(Self.types)
    let bag = try realm.write {
      realm.create(
        MixedBag.self,
        value: [
          "id": 1, "value": ["a": [1, "x", NSNull()], "b": 2.5] as [String: Any],
          "list": [1, "two", [3], Kind.special, Celsius(4), Int8(5)] as [Any], "map": ["k": true],
        ] as [String: Any])
    }
    #expect(bag.value == .fromDictionary(["a": .fromArray([.int(1), .string("x"), .none]), "b": .double(2.5)]))
    #expect(
      Array(bag.list) == [.int(1), .string("two"), .fromArray([.int(3)]), .string("special"), .double(4), .int(5)])
    #expect(bag.map["k"] == .bool(true))
    try realm.write { bag["value"] = [1, 2] }
    #expect(bag.value == .fromArray([.int(1), .int(2)]))
    #expect((bag["value"] as? List<AnyRealmValue>)?.count == 2)
    try realm.write { bag["value"] = 5 }
    #expect(bag["value"] as? Int == 5)
    try realm.write { bag["value"] = nil }
    #expect(bag.value == .none && bag["value"] == nil)
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { try bag.throwing.setValue(Set([1]), forKey: "value") }
    }
    #expect(error?.propertyName == "value")
    #expect(throws: Realm.Error.self) { try realm.write { try bag.throwing.setValue(Room(), forKey: "value") } }
    #expect(bag.value == .none)
  }

  @Test("O-93: numbers of Foundation, as JSON has them, keep their type") func foundationNumbers() throws {
    let realm = try makeRealm(Self.types)
    let json = #"{"id": 1, "list": [0, 1, 7, true, false, 1.5, 2e0, null, "1", 9007199254740993], "map": {"a": 1}}"#
    let value = try JSONSerialization.jsonObject(with: Data(json.utf8))
    let bag = try realm.write { realm.create(MixedBag.self, value: value) }
    #expect(
      Array(bag.list) == [
        .int(0), .int(1), .int(7), .bool(true), .bool(false), .double(1.5), .double(2), .none, .string("1"),
        .int(9_007_199_254_740_993),
      ])
    #expect(bag.map["a"] == .int(1))
    let numbers: [(Any, AnyRealmValue?)] = [
      (NSNumber(value: Float(1)), .float(1)), (NSNumber(value: Int8(1)), .int(1)), (NSNumber(value: 0.0), .double(0)),
      (NSNumber(value: UInt64.max), nil), (NSDecimalNumber(string: "1.50"), .decimal128(1.5)), (true, .bool(true)),
      (UInt8(1), .int(1)), (UInt64.max, nil), (Decimal(2), .decimal128(2)),
    ]
    for (number, expected) in numbers {
      #expect(AnyRealmValue._rlmFromObjc(number, insideOptional: false) == expected, "\(number)")
    }
  }

  @Test("O-90: a nested collection is live when its property is read in the throwing form too") func throwingRead()
    throws
  {
    let realm = try makeRealm(Self.types)
    let bag = try realm.write { realm.create(MixedBag.self, value: ["id": 1, "value": [1]] as [String: Any]) }
    let list = try #require(try bag.throwing.value(forKey: "value") as? List<AnyRealmValue>)
    try realm.write { list.append(.int(2)) }
    #expect(bag.value == .fromArray([.int(1), .int(2)]))
  }

  @Test("Keys of nested dictionaries that differ in their spelling only stay apart in copies") func spellings() throws {
    let realm = try makeRealm(Self.types)
    let map = Map<String, AnyRealmValue>()
    (map["\u{E9}"], map["e\u{301}"]) = (.int(1), .int(2))
    let bag = MixedBag()
    bag.value = .dictionary(map)
    bag.list.append(.dictionary(map))
    try realm.write { realm.add(bag) }
    #expect(bag.value.dictionaryValue?.count == 2 && bag.detached().value.dictionaryValue?.count == 2)
    let stored = AnyRealmValue._rlmFromStored(bag.value._rlmStored(in: realm), in: realm)
    #expect(stored?.dictionaryValue?.count == 2 && stored == bag.value)
  }

  @Test("O-70 and E-65: an embedded object is not held, not as a DynamicObject either") func embedded() throws {
    let realm = try makeRealm(Self.types + [Person.self, Dog.self, Address.self, Room.self])
    let bag = try realm.write { () -> MixedBag in
      realm.create(Person.self, value: ["id": 1, "address": ["city": "Ulm"]] as [String: Any])
      return realm.create(MixedBag.self, value: ["id": 1])
    }
    let address = try #require(realm.dynamicObjects("Address").first)
    try realm.write {
      let error = #expect(throws: Realm.Error.self) { try bag.throwing.setValue(address, forKey: "value") }
      #expect(error?.className == "Address" && error?.message.contains("embedded") == true)
      #expect(throws: Realm.Error.self) {
        try realm.throwing.create(MixedBag.self, value: ["id": 2, "list": [address]] as [String: Any])
      }
    }
    #expect(bag.value == .none && realm.objects(MixedBag.self).count == 1)
  }

  @Test("O-82: in a managed set numerically equal values are one element, text and data are two") func sets() throws {
    let realm = try makeRealm(Self.types)
    let bag = MixedBag()
    try realm.write {
      realm.add(bag)
      bag.set.insert(objectsIn: [.int(1), .double(1), .decimal128(1), .string("1"), .data(Data("1".utf8)), .none])
    }
    #expect(
      bag.set.count == 4 && bag.set.contains(.int(1)) && bag.set.contains(.string("1")) && bag.set.contains(.none))
  }

  @Test("O-82 and O-85: looking for an object finds its row, adds nothing, and finds nothing of elsewhere")
  func searching() throws {
    let realm = try makeRealm(Self.types)
    let bag = MixedBag()
    let (thing, other) = (Thing("a"), Thing("b"))
    try realm.write {
      realm.add(bag)
      bag.list.append(objectsIn: [.int(2), .object(thing), .fromArray([.object(thing)])])
      bag.set.insert(.object(thing))
    }
    let found: [AnyRealmValue] = [.object(thing), .fromArray([.object(thing)])]
    let unknown: [AnyRealmValue] = [.object(other), .fromArray([.object(other)])]
    func check() {
      #expect(found.map { bag.list.index(of: $0) } == [1, 2] && bag.set.contains(found[0]))
      #expect(found.map { bag.list.distinct().index(of: $0) } == [1, 2])
      #expect(unknown.map { bag.list.index(of: $0) } == [nil, nil] && !bag.set.contains(unknown[0]))
      #expect(unknown.map { bag.list.sorted().index(of: $0) } == [nil, nil])
    }
    check()
    try realm.write {
      check()
      bag.set.remove(unknown[0])
    }
    #expect(other.realm == nil && realm.objects(Thing.self).count == 1 && bag.set.count == 1)
  }

  @Test("Q-171: objects and collections in memory are left out when values are compared and added up")
  func aggregates() {
    let list = List<AnyRealmValue>()
    list.append(objectsIn: [.object(Thing("a")), .int(2), .fromArray([.object(Thing("b"))]), .int(5), .none])
    #expect(list.max() == .int(5) && list.min() == .int(2) && list.sum(ofProperty: "self") == 7)
    let map = Map<String, AnyRealmValue>()
    map["a"] = .object(Thing("a"))
    map["b"] = .int(3)
    #expect(map.max() == .int(3) && map.min(ofProperty: "self") == 3)
  }

  @Test("Q-126, Q-131: distinct takes numbers of all types for one when they are one") func distinct() throws {
    let realm = try makeRealm(Self.types)
    let bag = MixedBag()
    let half = try Decimal128(string: "0.50")
    bag.list.append(
      objectsIn: [.int(1), .double(1), .decimal128(1), .decimal128(half), .float(0.5), .string("1"), .bool(true)])
    try realm.write { realm.add(bag) }
    #expect(Array(bag.list.distinct()) == [.int(1), .decimal128(half), .string("1"), .bool(true)])
  }

  @Test("O-44: .modified compares type and value") func modified() throws {
    let realm = try makeRealm(Self.types)
    let bag = try realm.write { realm.create(MixedBag.self, value: ["id": 1, "value": 1] as [String: Any]) }
    try realm.write { realm.create(MixedBag.self, value: ["id": 1, "value": 1.0] as [String: Any], update: .modified) }
    #expect(bag.value == .double(1))
    let same = MixedBag()
    (same.id, same.value) = (1, .fromArray([.int(1)]))
    try realm.write { realm.add(same, update: .modified) }
    #expect(bag.value == .fromArray([.int(1)]))
  }

  @Test("M-13 and M-21: a property of any type is optional and cannot be a key") func schema() throws {
    let schema = try #require(MixedBag.sharedSchema())
    #expect(schema["value"]?.type == .any && schema["list"]?.isArray == true && schema["list"]?.type == .any)
  }
}
