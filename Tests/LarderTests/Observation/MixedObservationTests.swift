import Foundation
import TestSupport
import Testing

@testable import Larder

/// Covers N-22, N-15 through values of any type, and N-33.
@Suite("Observing values of any type and inverses") struct MixedObservationTests {
  private func text<C>(_ change: RealmCollectionChange<C>) -> String? {
    if case .update(_, let deletions, let insertions, let modifications) = change {
      return "-\(deletions) +\(insertions) ~\(modifications)"
    }
    return nil
  }

  /// A bag on a queue's Realm.
  private func withBag(_ value: AnyRealmValue, _ body: (Realm, MixedBag) throws -> Void) throws {
    try onQueue(AnyRealmValueTests.types) { realm in
      let bag = MixedBag()
      bag.value = value
      try realm.write { realm.add(bag) }
      try body(realm, bag)
    }
  }

  @Test("N-22 a list within a value is observed as any list: what is done to it and within its elements")
  func nestedList() throws {
    try withBag(.fromArray([.int(1), .fromArray([.int(2)]), .fromDictionary(["a": .int(3)])])) { realm, bag in
      let list = try #require(bag.value.listValue)
      var told: [String] = []
      let token = list.observe { if let text = text($0) { told.append(text) } }
      realm.refresh()
      try realm.write { list.append(.int(4)) }
      try realm.write { list[0] = .int(1) }
      try realm.write { list[1].listValue?.append(.int(9)) }
      try realm.write { list[2].dictionaryValue?["a"] = .int(5) }
      try realm.write { list.remove(at: 0) }
      try realm.write { list.move(from: 0, to: 2) }
      try realm.write { realm.create(MixedBag.self, value: ["id": 5]) }
      try realm.write { bag.value = .int(7) }
      try realm.write {}
      #expect(
        told == [
          "-[] +[3] ~[]", "-[] +[] ~[0]", "-[] +[] ~[1]", "-[] +[] ~[2]", "-[0] +[] ~[]", "-[0] +[2] ~[]",
          "-[0, 1, 2] +[] ~[]",
        ])
      #expect(list.isInvalidated)
      token.invalidate()
    }
  }

  @Test("N-22, N-21 a dictionary within a value tells keys; at the object it is a change of the property")
  func nestedMap() throws {
    try withBag(.fromDictionary(["b": .int(1), "d": .fromArray([.int(2)])])) { realm, bag in
      let map = try #require(bag.value.dictionaryValue)
      var told: [String] = []
      var properties: [String] = []
      let tokens = [
        map.observe { change in
          if case .update(_, let deletions, let insertions, let modifications) = change {
            told.append("-\(deletions) +\(insertions) ~\(modifications)")
          }
        },
        bag.observe { (change: ObjectChange<MixedBag>) in
          if case .change(_, let changes) = change { properties.append(contentsOf: changes.map(\.name)) }
        },
      ]
      realm.refresh()
      try realm.write {
        map["a"] = .int(0)
        map["b"] = .int(5)
        map["d"]?.listValue?.append(.int(3))
      }
      try realm.write { map.removeObject(for: "b") }
      try realm.write {}
      #expect(told == ["-[] +[\"a\"] ~[\"b\", \"d\"]", "-[\"b\"] +[] ~[]"])
      #expect(properties == ["value", "value"])
      for token in tokens { token.invalidate() }
    }
  }

  @Test("F-77: the old value of a link in a value of any type is the object, invalidated where it was deleted")
  func oldLink() throws {
    let configuration = temporaryConfiguration(AnyRealmValueTests.types)
    let queue = DispatchQueue(label: "owner")
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      let bag = MixedBag()
      let things = [Thing("a"), Thing("b")]
      bag.value = .object(things[0])
      bag.preset = .object(things[1])
      try realm.write { realm.add(bag) }
      var told: [String] = []
      let token = bag.observe { (change: ObjectChange<MixedBag>) in
        guard case .change(_, let changes) = change else { return }
        told += changes.map { change in
          let old = change.oldValue as? Thing
          return
            "\(change.name) \(old.map { $0.isInvalidated ? "deleted" : $0.name } ?? "nil") \(change.newValue ?? "nil")"
        }
      }
      realm.refresh()
      DispatchQueue(label: "writer").sync {
        do {
          let other = try Realm(configuration: configuration)
          try other.write {
            let bag = try #require(other.objects(MixedBag.self).first)
            bag.preset = .int(5)
            other.delete(other.objects(Thing.self).where { $0.name == "a" })
          }
        } catch { Issue.record(error) }
      }
      realm.refresh()
      token.invalidate()
      #expect(
        told == ["value deleted nil", "preset b int(5)"] || told == ["value deleted nil", "preset b 5"], "\(told)")
    }
  }

  @Test(
    "F-77: old lists and dictionaries in a value of any type hold the objects that they held", arguments: [false, true])
  func oldContents(_ isDictionary: Bool) throws {
    let configuration = temporaryConfiguration(AnyRealmValueTests.types)
    let queue = DispatchQueue(label: "owner")
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      let (a, b) = (Thing("a"), Thing("b"))
      let inner: AnyRealmValue = .fromArray([.object(a), .object(b), .none, .string("x")])
      let bag = MixedBag()
      bag.value =
        isDictionary ? .fromDictionary(["k": .object(a), "l": inner]) : .fromArray([.object(a), .object(b), inner])
      try realm.write { realm.add(bag) }
      var old: [Any?] = []
      let token = bag.observe { (change: ObjectChange<MixedBag>) in
        if case .change(_, let changes) = change { old += changes.map(\.oldValue) }
      }
      realm.refresh()
      DispatchQueue(label: "writer").sync {
        do {
          let other = try Realm(configuration: configuration)
          try other.write {
            try #require(other.objects(MixedBag.self).first).value = .int(5)
            other.delete(other.objects(Thing.self).where { $0.name == "a" })
          }
        } catch { Issue.record(error) }
      }
      realm.refresh()
      token.invalidate()
      let value = try #require(old.first ?? nil)
      let map = value as? Map<String, AnyRealmValue>
      let list = value as? List<AnyRealmValue>
      let first = isDictionary ? map?["k"] : list?[0]
      #expect(first?.object(Thing.self)?.isInvalidated == true)
      let nested = try #require((isDictionary ? map?["l"] : list?[2])?.listValue)
      #expect(nested.count == 4 && nested[0].object(Thing.self)?.isInvalidated == true)
      #expect(nested[1].object(Thing.self)?.name == "b" && nested[2] == .none && nested[3] == .string("x"))
    }
  }

  @Test("N-22 what a list within a value holds, sorted, and lists that edits around them move") func moved() throws {
    try withBag(.fromArray([.int(0), .fromArray([.int(3), .int(1)])])) { realm, bag in
      let outer = try #require(bag.value.listValue)
      let inner = try #require(outer[1].listValue)
      var told: [String] = []
      let tokens = [
        inner.observe { if let text = text($0) { told.append("inner " + text) } },
        inner.sorted().observe { if let text = text($0) { told.append("sorted " + text) } },
      ]
      realm.refresh()
      try realm.write {
        outer.insert(.int(9), at: 0)
        inner.append(.int(2))
      }
      try realm.write { outer.remove(at: 0) }
      try realm.write {}
      #expect(told == ["inner -[] +[2] ~[]", "sorted -[] +[1] ~[]"])
      for token in tokens { token.invalidate() }
    }
  }

  @Test("N-22 random edits of lists and dictionaries within a value: each change leads to what there is")
  func random() throws {
    var random = SeededRandom.forTest()
    try withBag(.fromArray([.int(0), .fromArray([.int(1)]), .fromDictionary(["a": .int(1)])])) { realm, bag in
      let outer = try #require(bag.value.listValue)
      let list = try #require(outer[1].listValue)
      let map = try #require(outer[2].dictionaryValue)
      var known: [String]?
      var keys: Set<String>?
      let tokens = [
        list.observe { change in
          guard case .update(let list, let deletions, let insertions, let modifications) = change, var old = known
          else { return known = Array(list.map { "\($0.intValue ?? -1)" }) }
          let now = Array(list.map { "\($0.intValue ?? -1)" })
          for index in modifications { old[index] = "?" }
          for index in deletions.reversed() { old.remove(at: index) }
          for index in insertions { old.insert(now[index], at: index) }
          #expect(zip(old, now).allSatisfy { $0 == $1 || $0 == "?" } && old.count == now.count)
          known = now
        },
        map.observe { change in
          guard case .update(let map, let deletions, let insertions, _) = change, let old = keys else {
            return keys = Set(map.keys)
          }
          keys = old.subtracting(deletions).union(insertions)
          #expect(keys == Set(map.keys))
        },
      ]
      realm.refresh()
      for _ in 0..<300 {
        try realm.write {
          for _ in 0..<random.int(1...4) {
            let (number, count) = (AnyRealmValue.int(random.int(0...9)), list.count)
            let key = random.pick(["a", "b", "c", "d"])
            switch random.int(0...8) {
            case 0...1: list.insert(number, at: random.int(0...count))
            case 2 where count > 0: list.remove(at: random.int(0..<count))
            case 3 where count > 0: list[random.int(0..<count)] = number
            case 4 where count > 1: list.move(from: random.int(0..<count), to: random.int(0..<count))
            case 5: map.removeObject(for: key)
            case 6: map[key] = .fromArray([number])
            case 7 where random.oneIn(4): outer.insert(number, at: 0)
            case 8: map[key]?.listValue?.append(number)
            default: map[key] = number
            }
          }
        }
      }
      try realm.write {}
      #expect(known == Array(list.map { "\($0.intValue ?? -1)" }) && keys == Set(map.keys))
      for token in tokens { token.invalidate() }
    }
  }

  @Test("N-15 objects that values of any type link to count, in properties, lists and maps, three links away")
  func deep() throws {
    try withBag(.none) { realm, bag in
      let thing = Thing("a")
      let far = MixedBag()
      far.id = 7
      try realm.write {
        realm.add(thing)
        far.value = .object(thing)
        bag.value = .object(far)
        bag.list.append(objectsIn: [.int(1), .fromArray([.object(thing)]), .object(far)])
        bag.map["x"] = .object(thing)
      }
      var told: [String] = []
      let tokens = [
        realm.objects(MixedBag.self).filter("id = 0").observe { if let text = text($0) { told.append("bag " + text) } },
        bag.list.observe { if let text = text($0) { told.append("list " + text) } },
        bag.map.observe { change in
          if case .update(_, _, _, let modifications) = change { told.append("map \(modifications)") }
        },
      ]
      realm.refresh()
      try realm.write { thing.name = "b" }
      try realm.write {}
      #expect(told == ["bag -[] +[] ~[0]", "list -[] +[] ~[1, 2]", "map [\"x\"]"])
      try realm.write { realm.create(MixedBag.self, value: ["id": 50]) }
      try realm.write {}
      #expect(told.count == 3)
      for token in tokens { token.invalidate() }
    }
  }

  @Test("N-33 inverses in key paths: at the end they tell who links here, inside they lead to those who do")
  func inverses() throws {
    try onQueue([Owner.self, Pet.self]) { realm in
      let pet = Pet(name: "Rex")
      let ann = Owner(id: 1, name: "Ann")
      try realm.write { realm.add([pet, ann]) }
      var told: [String] = []
      let pets = realm.objects(Pet.self)
      let tokens = [
        pets.observe(keyPaths: ["owners"]) { if let text = text($0) { told.append("owners " + text) } },
        pets.observe(keyPaths: ["owners.name"]) { if let text = text($0) { told.append("names " + text) } },
      ]
      realm.refresh()
      try realm.write { ann.pets.append(pet) }
      try realm.write { ann.age = 5 }
      try realm.write { ann.name = "Anna" }
      try realm.write { pet.name = "Max" }
      try realm.write { realm.delete(ann) }
      try realm.write {}
      let changed = "-[] +[] ~[0]"
      #expect(
        told == ["owners " + changed, "names " + changed, "names " + changed, "owners " + changed, "names " + changed])
      for token in tokens { token.invalidate() }
    }
  }
}
