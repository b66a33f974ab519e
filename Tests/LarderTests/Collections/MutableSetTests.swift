import Foundation
import TestSupport
import Testing

@testable import Larder

@Suite struct MutableSetTests {
  @Test("O-82 and O-86 managed and unmanaged sets behave as sets do under random edits")
  func randomEdits() throws {
    var random = SeededRandom.forTest()
    let realm = try makeBagRealm()
    let managed = try makeBag(realm)
    let unmanaged = Bag()
    var model: Set<Int> = []
    for round in 0..<20 {
      try realm.write {
        for _ in 0..<25 { edit(&model, [managed.ints, unmanaged.ints], managed, &random) }
      }
      #expect(Array(managed.ints) == model.sorted(), "round \(round)")
      #expect(Set(unmanaged.ints) == model && unmanaged.ints.count == model.count, "round \(round)")
      #expect((0..<managed.ints.count).map { managed.ints[$0] } == model.sorted())
    }
    let sorted = managed.ints.sorted(ascending: false)
    #expect(Array(sorted) == model.sorted(by: >) && managed.ints.sum() == model.reduce(0, +))
    #expect(managed.ints.max() == model.max() && unmanaged.ints.min() == model.min())
    #expect(managed.ints.first == model.min() && managed.ints.last == model.max())
  }

  private func edit(_ model: inout Set<Int>, _ sets: [MutableSet<Int>], _ bag: Bag, _ random: inout SeededRandom) {
    let value = random.int(0...200)
    let other = (0..<random.int(0...30)).map { _ in random.int(0...200) }
    switch random.int(0...6) {
    case 0, 1:
      model.insert(value)
      sets.forEach { $0.insert(value) }
    case 2:
      model.remove(value)
      sets.forEach { $0.remove(value) }
    case 3:
      model.formUnion(other)
      sets.forEach { $0.insert(objectsIn: other) }
    case 4 where random.int(0...3) == 0:
      model = Set(other)
      let replacement = MutableSet<Int>()
      replacement.insert(objectsIn: other)
      bag.ints = replacement
      sets[1].removeAll()
      sets[1].insert(objectsIn: other)
    case 5: sets.forEach { #expect($0.contains(value) == model.contains(value)) }
    case 6 where random.int(0...20) == 0:
      model = []
      sets.forEach { $0.removeAll() }
    default: break
    }
  }

  @Test("O-82 set algebra of two managed, and of two unmanaged sets")
  func algebra() throws {
    var random = SeededRandom.forTest()
    let realm = try makeBagRealm()
    let (a, b) = (try makeBag(realm), try makeBag(realm, id: 2))
    let (c, d) = (Bag(), Bag())
    for _ in 0..<20 {
      let left = Set((0..<random.int(0...20)).map { _ in random.int(0...25) })
      let right = Set((0..<random.int(0...20)).map { _ in random.int(0...25) })
      func check(_ wanted: Set<Int>, _ body: (MutableSet<Int>, MutableSet<Int>) -> Void) throws {
        for (mine, theirs) in [(a.ints, b.ints), (c.ints, d.ints)] {
          try realm.write {
            mine.removeAll()
            mine.insert(objectsIn: left)
            theirs.removeAll()
            theirs.insert(objectsIn: right)
            #expect(mine.isSubset(of: theirs) == left.isSubset(of: right))
            #expect(mine.intersects(theirs) == !left.isDisjoint(with: right))
            body(mine, theirs)
          }
          #expect(Set(mine) == wanted && mine.count == wanted.count && Set(theirs) == right)
        }
      }
      try check(left.union(right)) { $0.formUnion($1) }
      try check(left.intersection(right)) { $0.formIntersection($1) }
      try check(left.subtracting(right)) { $0.subtract($1) }
      try check(left.symmetricDifference(right)) { $0.formSymmetricDifference($1) }
    }
  }

  @Test("O-82 sets hold every type in the order of its values; O-87 nil where elements are optional")
  func types() throws {
    let realm = try makeBagRealm()
    let bag = Bag(id: 3)
    let (early, late) = (Date(timeIntervalSince1970: -5), Date(timeIntervalSince1970: 9))
    let ids = [UUID(), UUID()]
    bag.optInts.insert(objectsIn: [3, nil, -1, nil])
    bag.strings.insert(objectsIn: ["b", "", "a", "e\u{301}", "\u{e9}", "a"])
    bag.doubles.insert(objectsIn: [2.5, -1, .infinity])
    bag.dates.insert(objectsIn: [late, early])
    bag.uuids.insert(objectsIn: ids)
    bag.decimals.insert(objectsIn: [2.5, 1])
    bag.data.insert(objectsIn: [Data([1, 2]), Data([1])])
    bag.kinds.insert(objectsIn: [.special, .plain])
    try realm.write { realm.add(bag) }
    #expect(bag.optInts.count == 3 && Array(bag.optInts) == [nil, -1, 3] && bag.optInts.contains(nil))
    #expect(Array(bag.strings.prefix(3)) == ["", "a", "b"] && Array(bag.doubles) == [-1, 2.5, .infinity])
    #expect(Array(bag.dates) == [early, late] && bag.dates.max() == late && Set(bag.uuids) == Set(ids))
    #expect(Array(bag.decimals) == [1, 2.5] && bag.decimals.sum() == 3.5)
    #expect(Array(bag.data) == [Data([1]), Data([1, 2])] && Set(bag.kinds) == [.plain, .special])
    #expect(bag.optInts.sum() == 2 && bag.optInts.average() == 1.0 && bag.optInts.min() == -1)
    try realm.write { bag.optInts.remove(nil) }
    #expect(Array(bag.optInts) == [-1, 3])
  }

  @Test("O-11, O-82 and O-85 sets of objects: by row, unmanaged objects are added, deleted ones leave")
  func objects() throws {
    let realm = try makeBagRealm()
    let bag = try makeBag(realm)
    let (rex, kit) = (Pet(name: "Rex"), Pet(name: "Kit"))
    try realm.write {
      bag.pets.insert(objectsIn: [rex, kit, rex])
      bag.pets.insert(kit)
      #expect(rex.realm == realm && bag.pets.count == 2)
    }
    #expect(bag.pets.map(\.name) == ["Rex", "Kit"] && bag.pets.contains(rex) && !bag.pets.contains(Pet(name: "Rex")))
    #expect(bag.pets.filter("name == 'Kit'").first?.name == "Kit" && bag.pets[1].name == "Kit")
    #expect(bag.pets.sorted(byKeyPath: "name").map(\.name) == ["Kit", "Rex"])
    #expect(bag.pets.distinct(by: ["name"]).count == 2 && bag.pets.objects(at: [1]).map(\.name) == ["Kit"])
    try realm.write {
      rex.weight = 4
      bag.pets.remove(kit)
      bag.pets.remove(Pet(name: "Rex"))
    }
    #expect(bag.pets.map(\.name) == ["Rex"] && realm.objects(Pet.self).count == 2)
    #expect(bag.pets.sum(ofProperty: "weight") == 4.0 && bag.pets.max(of: \.weight) == 4)
    try realm.write { realm.delete(rex) }
    #expect(bag.pets.isEmpty)
  }

  @Test("O-45 a supplied set replaces under .all, adds under .modified, empties with nil")
  func policies() throws {
    let realm = try makeBagRealm()
    let bag = try makeBag(realm)
    func update(_ value: Any, _ policy: Realm.UpdatePolicy) throws -> [Int] {
      try realm.write {
        realm.create(Bag.self, value: ["id": 1, "ints": value] as [String: Any], update: policy)
      }
      return Array(bag.ints)
    }
    #expect(try update([3, 1, 3], .all) == [1, 3])
    #expect(try update([2], .modified) == [1, 2, 3])
    #expect(try update([7], .all) == [7])
    #expect(try update(NSNull(), .modified) == [])
    let other = Bag(id: 1)
    other.ints.insert(9)
    try realm.write { realm.add(other, update: .modified) }
    #expect(Array(bag.ints) == [9] && other.ints == bag.ints)
    let set = bag.ints
    try realm.write { bag.ints = bag.ints }
    #expect(Array(set) == [9])
    try realm.write { bag.setValue([4, 5], forKey: "ints") }
    #expect(Array(set) == [4, 5])
  }

  @Test("O-84, O-130, O-134 and R-17 sets end with their owner, freeze and thaw, and are equal by place")
  func life() throws {
    let realm = try makeBagRealm()
    let bag = try makeBag(realm)
    try realm.write { bag.ints.insert(objectsIn: [1, 2]) }
    let set = bag.ints
    let frozen = set.freeze()
    #expect(frozen.isFrozen && !set.isFrozen && set == realm.objects(Bag.self).first?.ints && set != frozen)
    try realm.write { set.insert(3) }
    #expect(Array(frozen) == [1, 2] && frozen.thaw()?.count == 3 && frozen.freeze() === frozen)
    try realm.write { realm.delete(bag) }
    #expect(set.isInvalidated && frozen.thaw() == nil && !frozen.isInvalidated && set.thaw() == nil)
    #expect(throws: Realm.Error.self) { try set.throwing.insert(4) }
    let (a, b) = (MutableSet<Int>(), MutableSet<Int>())
    a.insert(1)
    b.insert(1)
    #expect(a == b && a.hash == b.hash)
    #expect(a.description.hasPrefix("MutableSet<int> <0x"))
  }

  @Test("N-19 sets tell positions in their order of values; N-20 deleting the owner deletes all")
  func observing() throws {
    try onQueue(bagTypes) { realm in
      let bag = try makeBag(realm)
      try realm.write { bag.ints.insert(objectsIn: [10, 30]) }
      var changes: [String] = []
      let token = bag.ints.observe { change in
        switch change {
        case .initial(let set): changes.append("initial \(set.count)")
        case .update(_, let deletions, let insertions, let modifications):
          changes.append("\(deletions) \(insertions) \(modifications)")
        case .error: changes.append("error")
        }
      }
      realm.refresh()
      func change(_ body: () -> Void) throws {
        try realm.write(body)
        realm.refresh()
      }
      try change { bag.ints.insert(objectsIn: [20, 40, 10]) }
      try change { bag.ints.remove(10) }
      try change { bag.ints.insert(20) }
      try change { bag.ints.removeAll() }
      try change { bag.ints.insert(1) }
      try change { realm.delete(bag) }
      #expect(changes == ["initial 2", "[] [1, 3] []", "[0] [] []", "[0, 1, 2] [] []", "[] [0] []", "[0] [] []"])
      token.invalidate()
    }
  }

  @Test("E-85 sets of different places cannot be joined; E-86 sets have no index; E-80 positions are checked")
  func misused() async throws {
    let realm = try makeBagRealm()
    let bag = try makeBag(realm)
    realm.beginWrite()
    let error = #expect(throws: Realm.Error.self) { try bag.ints.throwing.formUnion(MutableSet<Int>()) }
    #expect(error?.message.contains("Both sets must be managed by one Realm") == true && error?.className == "Bag")
    #expect(throws: Realm.Error.self) { try MutableSet<Int>().throwing.isSubset(of: bag.ints) }
    #expect(throws: Realm.Error.self) { try bag.ints.throwing[0] }
    realm.cancelWrite()
    #expect(throws: Realm.Error.self) { try bag.ints.throwing.insert(1) }
    let index = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = MutableSet<Int>().index(of: 1)
    }
    #expect(misuseText(index).contains("Sets have no index"))
    let union = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeBagRealm()
      let bag = try makeBag(realm)
      try realm.write { bag.ints.formUnion(MutableSet<Int>()) }
    }
    #expect(misuseText(union).contains("Both sets must be managed by one Realm"))
  }

  @Test("O-82 a set can be inserted into itself, managed or not, and nothing changes")
  func itself() throws {
    let realm = try makeBagRealm()
    let bag = try makeBag(realm)
    try realm.write {
      for set in [bag.ints, MutableSet<Int>()] {
        set.insert(objectsIn: [1, 2])
        set.insert(objectsIn: set)
        set.insert(objectsIn: set.lazy.map { $0 + 1 })
        #expect(Set(set) == [1, 2, 3] && set.count == 3)
        set.formUnion(set)
        #expect(set.count == 3 && set.isSubset(of: set))
      }
    }
  }

  @Test("O-104 sets are encoded and decoded element by element")
  func coding() throws {
    let set = try JSONDecoder().decode(MutableSet<Int>.self, from: Data("[3, 1, 3]".utf8))
    #expect(Set(set) == [1, 3] && set.count == 2)
    let realm = try makeBagRealm()
    let bag = try makeBag(realm)
    try realm.write { bag.ints.insert(objectsIn: [2, 1]) }
    #expect(String(decoding: try JSONEncoder().encode(bag.ints), as: UTF8.self) == "[1,2]")
  }
}
