import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import Larder

@Suite("Collections in memory and in the store") struct TwinCollectionsTests {
  private static let types: [ObjectBase.Type] = [
    Twin.self, Person.self, Dog.self, Address.self, Room.self,
  ]

  /// Canonically equal texts, a name and its beginning.
  private static let texts = ["", "a", "b", "\u{e9}", "e\u{301}", "\u{c5}", "\u{212b}", "A\u{30a}", "ab", "\u{0}"]
  private static var values: [AnyRealmValue] {
    [
      .none, .int(0), .double(0), .double(-0.0), .int(1), .double(1), .float(1), .decimal128(1), .bool(true),
      .string("1"),
      .data(Data([49])), .double(.nan), .float(.nan), .double(0.1), .decimal128(0.1), .int(9_007_199_254_740_993),
      .double(9_007_199_254_740_992), .string("\u{e9}"), .string("e\u{301}"), .date(Date(timeIntervalSince1970: 1)),
    ]
  }

  /// An element by what it is, not by what it equals.
  private func text(_ value: Any) -> [UInt8] {
    if let date = value as? Date { return Array("\(Timestamp(date))".utf8) }
    if let person = value as? Person { return Array("person \(person.id)".utf8) }
    if let value = value as? AnyRealmValue {
      return Array("\(Mirror(reflecting: value).children.first?.label ?? "none") ".utf8) + text(value.heldValue)
    }
    return Array("\(value)".utf8)
  }

  private func list<Element>(
    _ lists: [List<Element>], _ pool: [Element], _ random: inout SeededRandom, _ step: Int
  ) {
    let (value, count, action) = (random.pick(pool), lists[0].count, random.int(0...30))
    let (place, other) = (count == 0 ? 0 : random.int(0..<count), count == 0 ? 0 : random.int(0..<count))
    for list in lists {
      switch action {
      case 0...8: list.insert(value, at: place)
      case 9...11 where count > 0: list.remove(at: place)
      case 12...14 where count > 0: list[place] = value
      case 15...17 where count > 0: list.move(from: place, to: other)
      case 18...20 where count > 0: list.swapAt(place, other)
      case 21: list.removeAll()
      default: list.append(value)
      }
    }
    let seen = lists.map { list in Array(list.map { text($0) }) }
    #expect(seen[0] == seen[1], "\(Element.self), list, step \(step)")
    for value in pool {
      let found = lists.map { $0.index(of: value) }
      #expect(found[0] == found[1], "index of \(value), \(Element.self), step \(step)")
    }
  }

  private func set<Element>(
    _ sets: [(mine: MutableSet<Element>, theirs: MutableSet<Element>)], _ pool: [Element],
    _ random: inout SeededRandom, _ step: Int
  ) {
    let (value, action) = (random.pick(pool), random.int(0...9))
    let some = (0..<random.int(0...4)).map { _ in random.pick(pool) }
    for (mine, theirs) in sets {
      switch action {
      case 0, 1: mine.insert(value)
      case 2: theirs.insert(objectsIn: some)
      case 3: mine.insert(objectsIn: some)
      case 4: mine.remove(value)
      case 5: theirs.remove(value)
      case 6: mine.formUnion(theirs)
      case 7: mine.formIntersection(theirs)
      case 8: mine.subtract(theirs)
      default: mine.formSymmetricDifference(theirs)
      }
    }
    let answers = sets.map { mine, theirs in
      [mine.isSubset(of: theirs), theirs.isSubset(of: mine), mine.intersects(theirs)]
        + pool.map { mine.contains($0) } + pool.map { theirs.contains($0) }
    }
    #expect(answers[0] == answers[1], "\(Element.self), set, step \(step), action \(action)")
    let members = sets.map { mine, _ in mine.map { text($0) }.sorted { $0.lexicographicallyPrecedes($1) } }
    #expect(members[0] == members[1], "\(Element.self), members, step \(step), action \(action)")
  }

  private func map<Element>(
    _ maps: [Map<String, Element>], _ pool: [Element], _ random: inout SeededRandom, _ step: Int
  ) {
    let (value, key, action) = (random.pick(pool), random.pick(Self.texts), random.int(0...4))
    for map in maps {
      switch action {
      case 0...2: map.updateValue(value, forKey: key)
      case 3: map.removeObject(for: key)
      default: map.merge([(key: key, value: value)]) { old, _ in old }
      }
    }
    let seen = maps.map { map in map.asKeyValueSequence().map { text($0.key) + text($0.value) } }
    #expect(seen[0] == seen[1] && maps[0].count == maps[1].count, "\(Element.self), map, step \(step)")
  }

  @Test(
    "F-120: random operations on a managed and an unmanaged collection give the same answers, for every element type")
  func sameAnswers() throws {
    var random = SeededRandom.forTest()
    let realm = try makeRealm(Self.types)
    let (stored, other, held, heldOther) = (Twin(), Twin(), Twin(), Twin())
    try realm.write {
      realm.add([stored, other])
      func play<Element: RealmCollectionValue, Value: RealmCollectionValue>(
        _ list: KeyPath<Twin, List<Element>>, _ set: KeyPath<Twin, MutableSet<Element>>,
        _ map: KeyPath<Twin, Map<String, Value>>, _ pool: [Element], _ values: [Value]
      ) {
        for step in 0..<100 {
          self.list([stored[keyPath: list], held[keyPath: list]], pool, &random, step)
          self.set(
            [(stored[keyPath: set], other[keyPath: set]), (held[keyPath: set], heldOther[keyPath: set])], pool, &random,
            step)
          self.map([stored[keyPath: map], held[keyPath: map]], values, &random, step)
        }
      }
      func play<Element: RealmCollectionValue>(
        _ list: KeyPath<Twin, List<Element>>, _ set: KeyPath<Twin, MutableSet<Element>>,
        _ map: KeyPath<Twin, Map<String, Element>>, _ pool: [Element]
      ) { play(list, set, map, pool, pool) }
      let dates = [0, 0.5, 1, 1.0.nextUp, -0.25].map { Date(timeIntervalSinceReferenceDate: $0) }
      let decimals = try ["0", "-0", "0.00", "1", "1.0", "1E+1", "10", "NaN", "Inf"].map { try Decimal128(string: $0) }
      let people = (0..<4).map { realm.create(Person.self, value: ["id": $0]) }
      play(\.bools, \.boolSet, \.boolMap, [true, false])
      play(\.ints, \.intSet, \.intMap, [0, 1, -1, .max, .min, .max - 1])
      play(\.bytes, \.byteSet, \.byteMap, [0, 1, -1, .max, .min])
      play(\.floats, \.floatSet, \.floatMap, [0, -0.0, 1, .nan, -.nan, .infinity, 0.1])
      play(\.doubles, \.doubleSet, \.doubleMap, [nil, 0, -0.0, 1, .nan, -.nan, -.infinity, 0.1])
      play(\.texts, \.textSet, \.textMap, Self.texts)
      play(
        \.datas, \.dataSet, \.dataMap, [Data(), Data([0]), Data([1, 2]), Data([1, 2, 3]).dropFirst(), Data([2, 3])])
      play(\.dates, \.dateSet, \.dateMap, dates)
      play(\.uuids, \.uuidSet, \.uuidMap, [UUID(), UUID()])
      play(\.identifiers, \.identifierSet, \.identifierMap, [ObjectId.generate(), ObjectId.generate()])
      play(\.decimals, \.decimalSet, \.decimalMap, decimals)
      play(\.kinds, \.kindSet, \.kindMap, Kind.allCases)
      play(\.labels, \.labelSet, \.labelMap, Self.texts.map { Optional(Label($0)) } + [nil])
      play(\.values, \.valueSet, \.valueMap, Self.values + [.object(people[0]), .object(people[1])])
      play(\.people, \.personSet, \.personMap, people, people.map { Optional($0) } + [nil])
    }
  }

  @Test(
    "F-120: a set of texts keeps canonically equal ones, filled before it is added, from an array, detached and copied")
  func texts() throws {
    let texts = ["\u{e9}", "e\u{301}"]
    let realm = try makeRealm(Self.types)
    let (filled, made) = (Twin(), Twin(value: ["textSet": texts, "valueSet": texts] as [String: Any]))
    filled.textSet.insert(objectsIn: texts)
    filled.valueSet.insert(objectsIn: texts.map { .string($0) })
    for twin in [filled, made] { #expect(twin.textSet.count == 2 && twin.valueSet.count == 2) }
    try realm.write { realm.add([filled, made]) }
    let second = try makeRealm(Self.types)
    let copy = try second.write { second.create(Twin.self, value: filled) }
    let decoded = try JSONDecoder().decode(MutableSet<String>.self, from: JSONEncoder().encode(texts))
    for set in [filled.textSet, made.textSet, filled.detached().textSet, copy.textSet, decoded] {
      #expect(set.count == 2 && texts.allSatisfy { set.contains($0) })
    }
    for twin in [filled, made, filled.detached(), copy] { #expect(twin.valueSet.count == 2) }
    let map = Map<String, AnyRealmValue>()
    for (number, text) in texts.enumerated() { map[text] = .int(number) }
    filled.detached().valueMap.merge(map) { _, new in new }
    let (left, right) = (Map<String, AnyRealmValue>(), Map<String, AnyRealmValue>())
    (left[texts[0]], right[texts[1]]) = (.int(1), .int(1))
    #expect(AnyRealmValue.dictionary(left) != .dictionary(right) && left != right && map.count == 2)
  }

  @Test("F-120: numbers of all types are one element of an unmanaged set of any values, and one NaN is another")
  func numbers() throws {
    let set = MutableSet<AnyRealmValue>()
    set.insert(objectsIn: [.int(1), .double(1), .float(1), .decimal128(1)])
    #expect(set.count == 1 && set.first == .int(1) && set.contains(.decimal128(1)))
    let doubles = MutableSet<Double>()
    doubles.insert(objectsIn: [.nan, .nan, -.nan, 0, -0.0])
    #expect(doubles.count == 2 && doubles.contains(.nan))
    doubles.remove(.nan)
    #expect(Array(doubles) == [0])
    let list = List<AnyRealmValue>()
    list.append(objectsIn: [.string("\u{e9}"), .double(2), .double(.nan)])
    #expect(
      list.index(of: .int(2)) == 1 && list.index(of: .double(.nan)) == 2 && list.index(of: .string("e\u{301}")) == nil)
  }

  @Test(
    "F-120: objects keep their place in an unmanaged set when they are added, and lists in values count by contents")
  func objects() throws {
    let realm = try makeRealm(Self.types)
    let dog = Dog(name: "Rex")
    let twin = Twin()
    twin.valueSet.insert(objectsIn: [
      .object(dog), .fromArray([.int(1), .string("a")]), .fromArray([.double(1), .string("a")]),
    ])
    #expect(twin.valueSet.count == 2 && twin.valueSet.contains(.object(dog)))
    try realm.write { realm.add(dog) }
    let holder = List<AnyRealmValue>()
    holder.append(.list(holder))
    #expect(holder.index(of: .list(holder)) == 0)
  }
}
