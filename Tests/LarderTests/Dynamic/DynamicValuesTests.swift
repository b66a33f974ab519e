import Foundation
import Testing

@testable import Larder

/// Tests of the types of values that are read by name, and of those that are taken.
@Suite("Values by name") struct DynamicValuesTests {
  private func expectNumbers(_ object: ObjectBase) {
    #expect(object.value(forKey: "int8") as? Int == 5 && object.value(forKey: "int8") as? Int8 == 5)
    #expect(object.value(forKey: "int") as? Int64 == -7 && object.value(forKey: "int") as? Int16 == -7)
    #expect(object.value(forKey: "int64") as? Int == 9 && object.value(forKey: "int32") as? Int8 == 3)
    #expect(object.value(forKey: "int8") as? Double == 5 && object.value(forKey: "int8") as? NSNumber == 5)
    #expect(object.value(forKey: "double") as? Float == 2.5 && object.value(forKey: "float") as? Double == 0.25)
    #expect(object.value(forKey: "double") as? Double == 2.5 && object.value(forKey: "bool") as? Bool == true)
    #expect(object.value(forKey: "level") as? Int == 10 && object.value(forKey: "level") as? Int8 == 10)
    #expect(object.value(forKey: "int64") as? String == nil)
  }

  @Test("F-24: numbers by name cast to every type they fit in, of unmanaged, managed, frozen and dynamic objects")
  func numbers() throws {
    let realm = try makeRealm()
    let values: [String: Any] = [
      "int8": 5, "int": -7, "int64": 9, "int32": 3, "double": 2.5, "float": 0.25, "bool": true, "level": 10,
    ]
    let unmanaged = Everything(value: values)
    expectNumbers(unmanaged)
    #expect(unmanaged["int8"] as? Int == 5)
    let object = try realm.write { realm.create(Everything.self, value: values) }
    expectNumbers(object)
    expectNumbers(object.freeze())
    let dynamic = try #require(realm.dynamicObjects("Everything").first)
    expectNumbers(dynamic)
    #expect(dynamic["int8"] as? Int8 == 5 && dynamic.int as? Int32 == -7)
    #expect(try object.throwing.value(forKey: "int8") as? Int == 5)
    #expect(try dynamic.throwing.value(forKeyPath: "int8") as? Int16 == 5)
    let column = realm.objects(Everything.self).value(forKey: "int8") as? [Any]
    #expect(column?.first as? Int == 5 && column?.first as? Int8 == 5)
  }

  @Test("F-24: numbers of every kind are taken by name where they fit") func writing() throws {
    let realm = try makeRealm()
    let object = try realm.write { realm.create(Everything.self) }
    let dynamic = try #require(realm.dynamicObjects("Everything").first)
    try realm.write {
      for target in [object, dynamic] as [Object] {
        for five in [
          5 as Int, 5 as Int8, 5 as Int64, 5 as UInt16, NSNumber(value: 5), NSNumber(value: 5.0), 5.0 as Double,
        ]
          as [Any]
        {
          for name in ["int", "int8", "int16", "int32", "int64", "float", "double", "optInt8", "optFloat", "decimal"] {
            target[name] = nil as Any? == nil && name.hasPrefix("opt") ? nil : 0
            target[name] = five
            #expect(target[name] as? Int == 5 || name == "decimal", "\(name) \(type(of: five))")
          }
          #expect(object.int8 == 5 && object.float == 5 && object.optInt8 == 5 && object.decimal == 5)
        }
        target["bool"] = NSNumber(value: true)
        target["string"] = NSString("text")
        target["date"] = NSDate(timeIntervalSinceReferenceDate: 12.5)
        #expect(object.bool && object.string == "text" && object.date == Date(timeIntervalSinceReferenceDate: 12.5))
      }
    }
  }

  @Test("F-36: a Bool is no Float or Double, a number from Foundation neither") func noBool() throws {
    let realm = try makeRealm()
    let object = try realm.write { realm.create(Everything.self) }
    let dynamic = try #require(realm.dynamicObjects("Everything").first)
    try realm.write {
      for value in [true, false, NSNumber(value: true), NSNumber(value: false), Bool?.some(true) as Any] {
        for name in ["float", "double", "optFloat", "optDouble"] {
          #expect(throws: Realm.Error.self, "\(name)") { try object.throwing.setValue(value, forKey: name) }
          #expect(throws: Realm.Error.self, "\(name)") { try dynamic.throwing.setValue(value, forKey: name) }
          #expect(throws: Realm.Error.self, "\(name)") { _ = try Everything(validating: [name: value]) }
        }
      }
      try object.throwing.setValue(NSNumber(value: 1), forKey: "double")
      try object.throwing.setValue(NSNumber(value: 0.5), forKey: "float")
    }
    #expect(object.double == 1 && object.float == 0.5)
  }

  class Owner: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var map: Map<String, Owner?>
    @Persisted var plain: Map<String, Int?>
    @Persisted var ints: List<Int>
    @Persisted var texts: MutableSet<String>
    @Persisted var counts: Map<String, Int>
    @Persisted var link: Owner?
    @Persisted var any: AnyRealmValue
    @Persisted var anys: List<AnyRealmValue>
  }

  @Test("F-37: a map of values that cannot be nil is taken by one of values that can, keys told apart by their bytes")
  func maps() throws {
    let realm = try makeRealm([Owner.self])
    let owner = try realm.write { realm.create(Owner.self, value: ["id": 1]) }
    let dynamic = try #require(realm.dynamicObjects("Owner").first)
    let pets = Map<String, Owner>()
    pets["a"] = Owner(value: ["id": 2])
    let counts = Map<String, Int>()
    counts["e\u{301}"] = 1
    counts["\u{e9}"] = 2
    try realm.write {
      owner["map"] = pets
      dynamic["plain"] = counts
    }
    #expect(owner.map.count == 1 && owner.map["a"]??.id == 2)
    #expect(owner.plain.count == 2 && owner.plain["e\u{301}"] == 1 && owner.plain["\u{e9}"] == 2)
    try realm.write {
      owner["map"] = Map<String, Owner>()
      try owner.throwing.setValue(Map<String, Int>(), forKey: "plain")
      owner["counts"] = counts
    }
    #expect(owner.map.isEmpty && owner.plain.isEmpty && owner.counts.count == 2)
    let unmanaged = Owner(value: ["id": 3, "map": pets, "plain": counts] as [String: Any])
    #expect(unmanaged.map["a"]??.id == 2 && unmanaged.plain.count == 2)
  }

  @Test("F-37: lists, sets and maps of plain values are given as dynamic ones") func dynamicCollections() throws {
    let realm = try makeRealm([Owner.self])
    let owner = try realm.write {
      realm.create(Owner.self, value: ["id": 1, "ints": [1, 2], "texts": ["a"], "counts": ["a": 1]] as [String: Any])
    }
    #expect(owner.dynamicList("ints").count == 2 && owner.dynamicMutableSet("texts").count == 1)
    let map: Map<String, DynamicObject?> = owner.dynamicMap("counts")
    #expect(map.keys == ["a"])
    try realm.write { owner.dynamicList("ints").removeAll() }
    #expect(owner.ints.isEmpty)
  }

  @Test("F-27: a link of a dynamic object is one of its class, in a Realm that knows the class") func links() throws {
    let folder = try TemporaryFolder()
    let known = folder.configuration([Owner.self])
    do {
      let realm = try Realm(configuration: known)
      try realm.write {
        realm.create(Owner.self, value: ["id": 1, "link": ["id": 2], "any": Owner(value: ["id": 3])] as [String: Any])
      }
      let owner = try #require(realm.dynamicObject(ofType: "Owner", forPrimaryKey: 1))
      #expect((owner["link"] as? Owner)?.id == 2 && (owner["any"] as? Owner)?.id == 3)
      #expect((owner.value(forKeyPath: "link.id") as? Int) == 2)
    }
    let realm = try Realm(configuration: folder.configuration([]))
    let owner = try #require(realm.dynamicObject(ofType: "Owner", forPrimaryKey: 1))
    #expect((owner["link"] as? DynamicObject)?["id"] as? Int == 2)
  }

  enum V2 {
    class Owner: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var small: Int8 = 4
      @Persisted var link: Owner?
      @Persisted var any: AnyRealmValue
      @Persisted var anys: List<AnyRealmValue>
    }
  }

  @Test("F-24 and F-27: in a migration numbers cast to every type, links and values of any type are migration objects")
  func migration() throws {
    let folder = try TemporaryFolder()
    do {
      let realm = try Realm(configuration: folder.configuration([Owner.self], version: 1))
      try realm.write {
        let other = realm.create(Owner.self, value: ["id": 2])
        realm.create(Owner.self, value: ["id": 1, "link": other, "any": other, "anys": [other]] as [String: Any])
      }
    }
    var configuration = folder.configuration([V2.Owner.self], version: 2)
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Owner") { old, new in
        #expect(new?["small"] as? Int8 == 4 && new?["small"] as? Int == 4 && old?["id"] as? Int32 != nil)
        guard old?["id"] as? Int == 1 else { return }
        for object in [old, new] {
          #expect((object?["link"] as? MigrationObject)?["id"] as? Int == 2)
          #expect((object?["any"] as? MigrationObject)?["id"] as? Int == 2)
          let first = (object?["anys"] as? List<AnyRealmValue>)?.first
          #expect(first?.object(MigrationObject.self)?["id"] as? Int == 2)
        }
        new?["small"] = 7
        new?["any"] = new?["link"]
      }
    }
    let realm = try Realm(configuration: configuration)
    let owner = try #require(realm.object(ofType: V2.Owner.self, forPrimaryKey: 1))
    #expect(owner.small == 7 && owner.any.object(V2.Owner.self)?.id == 2)
  }
}
