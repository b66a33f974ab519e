import Foundation
import Testing

@testable import Larder

private final class LooseThing: Object {
  @Persisted var name: String
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
}

@Suite("Equality of lists and dictionaries in values") struct AnyRealmValueEqualityTests {
  @Test("F-11: a list or dictionary that holds an object without primary key equals itself, however often it is read")
  func managed() throws {
    let realm = try makeRealm([LooseThing.self])
    let (holder, thing, other) = try realm.write {
      (realm.create(LooseThing.self), realm.create(LooseThing.self), realm.create(LooseThing.self))
    }
    let values: [AnyRealmValue] = [
      .fromArray([.object(thing), .int(1)]),
      .fromDictionary(["a": .object(thing)]),
      .fromArray([.fromDictionary(["deep": .fromArray([.object(thing)])])]),
    ]
    for value in values {
      try realm.write {
        holder.any = value
        holder.anys.removeAll()
        holder.anys.append(value)
      }
      #expect(holder.any == holder.any && holder.any == value && value == holder.any)
      #expect(holder.anys[0] == holder.any && holder.any.hashValue == value.hashValue)
      #expect(holder.any == realm.objects(LooseThing.self).first?.any)
    }
    #expect(AnyRealmValue.fromArray([.object(thing)]) != .fromArray([.object(other)]))
    let unmanaged = LooseThing()
    #expect(AnyRealmValue.fromArray([.object(unmanaged)]) == .fromArray([.object(unmanaged)]))
    #expect(AnyRealmValue.fromArray([.object(unmanaged)]) != .fromArray([.object(LooseThing())]))
  }

  @Test("F-32: the sum of values of any type is a Double, or a Decimal128 once there is one") func sums() throws {
    let realm = try makeRealm([LooseThing.self])
    let thing = try realm.write { realm.create(LooseThing.self) }
    func check(_ values: [AnyRealmValue], _ expected: AnyRealmValue) throws {
      let unmanaged = List<AnyRealmValue>()
      unmanaged.append(objectsIn: values)
      let map = Map<String, AnyRealmValue>()
      for (index, value) in values.enumerated() { map["\(index)"] = value }
      try realm.write {
        thing.anys.removeAll()
        thing.anys.append(objectsIn: values)
      }
      #expect(unmanaged.sum() == expected && thing.anys.sum() == expected && map.sum() == expected)
      #expect(thing.anys.sorted().sum() == expected)
    }
    try check([], .int(0))
    try check([.int(1), .int(2)], .double(3))
    try check([.float(1.5)], .double(1.5))
    try check([.double(1.5), .int(1), .string("no number")], .double(2.5))
    try check([.decimal128(1.5), .int(1)], .decimal128(2.5))
  }

  @Test("F-31: collections of values of any type give the values for self, and sets give sets") func keyValues() throws
  {
    let list = List<AnyRealmValue>()
    list.append(objectsIn: [.int(1), .string("a")])
    let values = try #require(list.value(forKey: "self") as Any? as? [Any])
    #expect(values.count == 2 && values[0] as? Int == 1 && values[1] as? String == "a")
    let realm = try makeRealm(bagTypes)
    let bag = try makeBag(realm)
    try realm.write {
      for name in ["Rex", "Rex", "Fido"] { bag.pets.insert(Pet(name: name)) }
      bag.ints.insert(objectsIn: [1, 2])
    }
    let path = bag.pets.value(forKeyPath: "name")
    #expect(path as? Set<AnyHashable> == ["Rex", "Fido"])
    let names: Any? = bag.pets.value(forKey: "name")
    #expect(names as? Set<String> == ["Rex", "Fido"])
    #expect(bag.ints.value(forKeyPath: "self") as? Set<Int> == [1, 2])
    #expect(bag.ints.value(forKeyPath: "@sum.self") as? Int == 3)
    #expect(bag.pets.value(forKeyPath: "@count") as? Int == 3)
  }
}
