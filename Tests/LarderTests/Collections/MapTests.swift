import Foundation
import TestSupport
import Testing

@testable import Larder

@Suite struct MapTests {
  /// Keys that RealmSwift would not take, or that are easily taken for each other.
  static let keys = [
    "a", "b", "", "$", "a.b", ".", "$date", "nul\u{0}inside", "\u{0}", "e\u{301}", "\u{e9}", "日本", "👩‍👩‍👧", "@count",
    String(repeating: "long ", count: 2_000),
  ]

  @Test("O-83, E-84, O-86 and U-25 managed and unmanaged maps behave as dictionaries do, with keys of any text")
  func randomEdits() throws {
    var random = SeededRandom.forTest()
    let realm = try makeBagRealm()
    let managed = try makeBag(realm)
    let unmanaged = Bag()
    var model: [MapKeyText: Int] = [:]
    for round in 0..<30 {
      try realm.write {
        for _ in 0..<10 { edit(&model, [managed.counts, unmanaged.counts], managed, &random) }
      }
      let keys = model.keys.sorted()
      for map in [managed.counts, unmanaged.counts] {
        #expect(map.count == model.count && map.keys.map { MapKeyText($0) } == keys, "round \(round)")
        #expect(map.values == keys.compactMap { model[$0] }, "round \(round)")
        #expect(map.asKeyValueSequence().map(\.value) == map.values && map.map(\.key) == map.keys)
        #expect(map.sum() == model.values.reduce(0, +) && map.max() == model.values.max())
      }
      #expect(Array(managed.counts.sorted()) == model.values.sorted())
    }
  }

  private func edit(
    _ model: inout [MapKeyText: Int], _ maps: [Map<String, Int>], _ bag: Bag, _ random: inout SeededRandom
  ) {
    let key = Self.keys.randomElement(using: &random) ?? ""
    let value = random.int(0...1_000)
    switch random.int(0...6) {
    case 0, 1:
      model[MapKeyText(key)] = value
      maps.forEach { $0[key] = value }
    case 2:
      model[MapKeyText(key)] = nil
      maps.forEach { $0[key] = nil }
    case 3:
      model[MapKeyText(key)] = value
      maps.forEach { $0.updateValue(value, forKey: key) }
    case 4:
      maps.forEach { #expect($0[key] == model[MapKeyText(key)]) }
    case 5:
      let pairs = (0..<4).map { _ in (key: Self.keys.randomElement(using: &random) ?? "", value: random.int(0...9)) }
      for (key, value) in pairs { model[MapKeyText(key), default: 0] += value }
      maps.forEach { $0.merge(pairs) { $0 + $1 } }
    case 6 where random.int(0...9) == 0:
      model = [:]
      maps.forEach { $0.removeAll() }
    default:
      maps.forEach { $0.removeObject(for: key) }
      model[MapKeyText(key)] = nil
    }
  }

  @Test("O-83 a stored nil is a value, a missing key is none; every type of value")
  func types() throws {
    let realm = try makeBagRealm()
    let bag = Bag(id: 2)
    let day = Date(timeIntervalSince1970: 77)
    bag.optCounts["some"] = 3
    bag.optCounts["nil"] = .some(nil)
    bag.notes["n"] = "text"
    bag.weights["w"] = 2.5
    bag.days["d"] = day
    bag.prices["p"] = .some(1.5)
    bag.prices["free"] = .some(nil)
    bag.sorts["s"] = .special
    try realm.write { realm.add(bag) }
    #expect(bag.optCounts.count == 2 && bag.optCounts["some"] == 3 && bag.optCounts["nil"] == .some(nil))
    #expect(bag.optCounts["missing"] == nil && bag.optCounts["missing"] != .some(nil))
    #expect(bag.notes["n"] == "text" && bag.weights["w"] == 2.5 && bag.days["d"] == day && bag.sorts["s"] == .special)
    #expect(bag.prices["p"] == .some(1.5) && bag.prices.keys == ["free", "p"] && bag.days.max() == day)
    try realm.write { bag.optCounts["nil"] = nil }
    #expect(bag.optCounts.keys == ["some"] && bag.optCounts.sum() == 3 && bag.optCounts.average() == 3.0)
    #expect(
      bag.weights.min(ofProperty: "self") == 2.5 && bag.value(forKeyPath: "weights") as? Map<String, Double> != nil)
  }

  @Test("O-11 deleting an object leaves its key with nil; maps of objects are filtered and sorted by value")
  func objects() throws {
    let realm = try makeBagRealm()
    let bag = try makeBag(realm)
    let rex = Pet(name: "Rex")
    try realm.write {
      bag.petsByName["r"] = rex
      bag.petsByName["k"] = Pet(name: "Kit")
      bag.petsByName["none"] = .some(nil)
      rex.weight = 3
    }
    #expect(bag.petsByName["r"]??.name == "Rex" && bag.petsByName.count == 3 && realm.objects(Pet.self).count == 2)
    #expect(bag.petsByName.filter("name == 'Rex'").count == 1)
    #expect(bag.petsByName.sorted(byKeyPath: "name").map { $0?.name } == ["Kit", "Rex"])
    #expect(bag.petsByName.sum(ofProperty: "weight") == 3.0 && bag.petsByName.max(of: \Pet.weight) == 3)
    #expect(bag.petsByName.contains { key, value in key == "k" && value?.name == "Kit" })
    try realm.write { realm.delete(rex) }
    #expect(bag.petsByName.keys == ["k", "none", "r"] && bag.petsByName["r"] == .some(nil))
    #expect(bag.petsByName.values.compactMap { $0?.name } == ["Kit"])
  }

  @Test("O-70, O-71 and O-73 embedded values belong to their key and go with it")
  func embedded() throws {
    let realm = try makeBagRealm()
    let bag = try makeBag(realm)
    let shelf = Shelf(size: 3)
    shelf.items.insert("cup")
    func count() throws -> Int {
      orMisuse { try realm.core.reader.count(of: realm.core.cursor(for: Shelf.self).classID) }
    }
    try realm.write {
      bag.rooms["a"] = shelf
      bag.rooms["b"] = Shelf(size: 4)
    }
    #expect(shelf.realm == realm && bag.rooms["a"]??.size == 3 && bag.rooms["a"]??.items.contains("cup") == true)
    #expect(try count() == 2)
    try realm.write { bag.rooms["a"] = Shelf(size: 5) }
    #expect(shelf.isInvalidated && bag.rooms["a"]??.size == 5)
    #expect(try count() == 2)
    try realm.write {
      #expect(throws: Realm.Error.self) { try bag.rooms.throwing.updateValue(bag.rooms["b"] ?? nil, forKey: "c") }
    }
    try realm.write {
      bag.rooms.removeObject(for: "a")
      if let room = bag.rooms["b"] ?? nil { realm.delete(room) }
    }
    #expect(bag.rooms.keys == ["b"] && bag.rooms["b"] == .some(nil))
    #expect(try count() == 0)
  }

  @Test("O-45 and O-46 a supplied map replaces under .all, keeps other keys under .modified, empties with nil")
  func policies() throws {
    let realm = try makeBagRealm()
    let bag = try makeBag(realm)
    func update(_ values: [String: Any], _ policy: Realm.UpdatePolicy) throws {
      try realm.write { realm.create(Bag.self, value: values.merging(["id": 1]) { $1 }, update: policy) }
    }
    try update(["counts": ["a": 1, "b": 2]], .all)
    try update(["counts": ["b": 3, "c": 4]], .modified)
    #expect(bag.counts.keys == ["a", "b", "c"] && bag.counts.values == [1, 3, 4])
    try update(["counts": ["z": 9], "petsByName": ["x": ["name": "Rex", "weight": 2.0]]], .all)
    #expect(bag.counts.keys == ["z"] && bag.petsByName["x"]??.name == "Rex")
    let pet = bag.petsByName["x"] ?? nil
    try update(["petsByName": ["x": ["name": "Max"]]], .modified)
    #expect(pet?.name == "Max" && pet?.weight == 2 && realm.objects(Pet.self).count == 1)
    try update(["counts": NSNull(), "petsByName": ["x": NSNull()]], .modified)
    #expect(bag.counts.isEmpty && bag.petsByName["x"] == .some(nil))
    let other = Bag(id: 1)
    other.counts["n"] = 1
    try realm.write { realm.add(other, update: .all) }
    #expect(bag.counts.keys == ["n"] && bag.petsByName.isEmpty && other.counts == bag.counts)
    try realm.write { bag.counts = bag.counts }
    #expect(bag.counts.keys == ["n"])
    #expect(Bag(value: ["counts": ["q": 5]] as [String: Any]).counts["q"] == 5)
  }

  @Test("R-34 a loop goes over the entries of its beginning")
  func iteration() throws {
    let realm = try makeBagRealm()
    let bag = try makeBag(realm)
    try realm.write {
      for key in ["a", "b", "c"] {
        bag.counts[key] = 1
        bag.petsByName[key] = Pet(name: key)
      }
      var seen: [String] = []
      for entry in bag.counts {
        bag.counts[entry.key] = nil
        bag.counts[entry.key + "!"] = entry.value
        seen.append(entry.key)
      }
      #expect(seen == ["a", "b", "c"] && bag.counts.keys == ["a!", "b!", "c!"])
      var names: [String?] = []
      for (_, pet) in bag.petsByName.asKeyValueSequence() {
        names.append(pet?.name)
        realm.delete(realm.objects(Pet.self))
      }
      #expect(names == ["a", nil, nil])
    }
    #expect(SingleMapEntry(key: "a", value: 1) == SingleMapEntry(key: "b", value: 1))
  }

  @Test("O-61 objects in maps and sets are found back; O-84, O-134 maps end with their owner, freeze and thaw")
  func life() throws {
    let realm = try makeBagRealm()
    let bag = try makeBag(realm)
    let holder = Holder()
    try realm.write {
      realm.add(holder)
      holder.bags["one"] = bag
      holder.bags["two"] = bag
      holder.set.insert(bag)
      bag.counts["a"] = 1
    }
    #expect(bag.holders.count == 2 && bag.holders.first?.set.first == bag)
    let counts = bag.counts
    let frozen = counts.freeze()
    #expect(frozen.isFrozen && counts == realm.objects(Bag.self).first?.counts && counts != frozen)
    try realm.write { counts["b"] = 2 }
    #expect(frozen.count == 1 && frozen.thaw()?.count == 2 && frozen["a"] == 1)
    try realm.write { realm.delete(bag) }
    #expect(counts.isInvalidated && frozen.thaw() == nil && holder.bags["one"] == .some(nil) && holder.set.isEmpty)
    #expect(throws: Realm.Error.self) { try counts.throwing["a"] }
    #expect(throws: Realm.Error.self) { try counts.throwing.removeAll() }
    let (a, b) = (Map<String, Int>(), Map<String, Int>())
    a["x"] = 1
    b["x"] = 1
    #expect(a == b && a.hash == b.hash && a.description.hasPrefix("Map<string, int> <0x"))
    #expect(a.description.contains("[x]: 1"))
  }

  @Test("N-21 maps tell the keys that come, go and change")
  func observing() throws {
    try onQueue(bagTypes) { realm in
      let bag = try makeBag(realm)
      try realm.write { bag.counts["b"] = 1 }
      var changes: [String] = []
      let token = bag.counts.observe { change in
        switch change {
        case .initial(let map): changes.append("initial \(map.count)")
        case .update(_, let deletions, let insertions, let modifications):
          changes.append("-\(deletions) +\(insertions) ~\(modifications)")
        case .error: changes.append("error")
        }
      }
      realm.refresh()
      func change(_ body: () -> Void) throws {
        try realm.write(body)
        realm.refresh()
      }
      try change {
        bag.counts["a"] = 1
        bag.counts["c.d"] = 1
      }
      try change {
        bag.counts["b"] = 1
        bag.counts["a"] = nil
      }
      try change { bag.notes["x"] = "silent" }
      try change { bag.counts.removeAll() }
      try change { bag.counts["z"] = 1 }
      try change { realm.delete(bag) }
      #expect(
        changes == [
          "initial 1", "-[] +[\"a\", \"c.d\"] ~[]", "-[\"a\"] +[] ~[\"b\"]", "-[\"b\", \"c.d\"] +[] ~[]",
          "-[] +[\"z\"] ~[]", "-[\"z\"] +[] ~[]",
        ])
      token.invalidate()
    }
  }

  @Test("N-15 and N-30 maps of objects tell of changes inside their values, as key paths ask for")
  func observingInside() throws {
    try onQueue(bagTypes) { realm in
      let bag = try makeBag(realm)
      let pet = Pet(name: "Rex")
      try realm.write { bag.petsByName["r"] = pet }
      var (all, names): ([[String]], [[String]]) = ([], [])
      let tokens = [
        bag.petsByName.observe { if case .update(_, _, _, let keys) = $0 { all.append(keys) } },
        bag.petsByName.observe(keyPaths: ["name"]) { if case .update(_, _, _, let keys) = $0 { names.append(keys) } },
      ]
      realm.refresh()
      try realm.write { pet.weight = 2 }
      realm.refresh()
      try realm.write { pet.name = "Max" }
      realm.refresh()
      #expect(all == [["r"], ["r"]] && names == [["r"]])
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test("R-19 values by text, and operators over them")
  func byText() throws {
    let map = Map<String, Int>()
    map.setValue(4, forKey: "a.b")
    map.setValue(6, forKey: "@max.self")
    #expect(map.value(forKey: "a.b") as? Int == 4 && map.value(forKeyPath: "a.b") as? Int == 4)
    #expect(map.value(forKey: "@max.self") as? Int == 6 && map.value(forKeyPath: "@sum.self") as? Int == 10)
    #expect(map.value(forKey: "@count") as? Int == 2 && map.object(forKey: "x" as NSString) == nil)
    map.setValue(nil, forKey: "a.b")
    #expect(map.keys == ["@max.self"])
    #expect(throws: Realm.Error.self) { try map.throwing.setValue("text", forKey: "b") }
    let realm = try makeBagRealm()
    let bag = try makeBag(realm)
    try realm.write { bag.petsByName["p"] = Pet(name: "Rex") }
    #expect(bag.petsByName.value(forKeyPath: "p.name") as? String == "Rex")
  }

  @Test("O-104 maps are encoded and decoded by key")
  func coding() throws {
    let map = try JSONDecoder().decode(Map<String, Int?>.self, from: Data(#"{"b": 1, "a": null}"#.utf8))
    #expect(map.keys == ["a", "b"] && map["a"] == .some(nil) && map["b"] == 1)
    let realm = try makeBagRealm()
    let bag = try makeBag(realm)
    try realm.write { bag.counts["$x.y"] = 2 }
    #expect(String(decoding: try JSONEncoder().encode(bag.counts), as: UTF8.self) == #"{"$x.y":2}"#)
  }
}
