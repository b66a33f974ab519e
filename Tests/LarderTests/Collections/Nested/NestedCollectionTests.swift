import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Larder

@Suite("Collections within values") struct NestedCollectionTests {
  private func makeBag(_ value: AnyRealmValue) throws -> (Realm, MixedBag) {
    let realm = try makeRealm(AnyRealmValueTests.types)
    let bag = MixedBag()
    bag.value = value
    try realm.write { realm.add(bag) }
    return (realm, bag)
  }

  @Test("O-90: a list read from a value is live: changing it changes the stored value") func lists() throws {
    let (realm, bag) = try makeBag(.fromArray([.int(1), .int(2)]))
    let list = try #require(bag.value.listValue)
    #expect(list.realm == realm && list.count == 2)
    try realm.write {
      list.append(.string("three"))
      list.insert(.bool(true), at: 0)
      list.remove(at: 1)
      list[1] = .double(2.5)
      list.move(from: 2, to: 0)
    }
    #expect(bag.value == .fromArray([.string("three"), .bool(true), .double(2.5)]))
    #expect(Array(list) == [.string("three"), .bool(true), .double(2.5)])
    try realm.write { list.removeAll() }
    #expect(bag.value == .fromArray([]) && list.isEmpty && !list.isInvalidated)
  }

  @Test("O-90: a dictionary read from a value is live") func dictionaries() throws {
    let (realm, bag) = try makeBag(.fromDictionary(["a": .int(1)]))
    let map = try #require(bag.value.dictionaryValue)
    try realm.write {
      map["b"] = .fromArray([.int(2)])
      map["a"] = nil
      map["c"] = AnyRealmValue.none
    }
    #expect(bag.value == .fromDictionary(["b": .fromArray([.int(2)]), "c": .none]))
    #expect(map.keys == ["b", "c"] && map["c"] == AnyRealmValue.none && map["a"] == nil)
    try realm.write { map["b"]?.listValue?.append(.int(3)) }
    #expect(map["b"] == .fromArray([.int(2), .int(3)]))
  }

  @Test("O-90: collections nest in properties, lists and maps, and stay themselves when others move") func nesting()
    throws
  {
    let (realm, bag) = try makeBag(.none)
    try realm.write {
      bag.list.append(objectsIn: [.int(0), .fromArray([.fromDictionary(["x": .fromArray([.int(1)])])])])
      bag.map["m"] = .fromArray([.int(5)])
    }
    let inner = try #require(bag.list[1].listValue?[0].dictionaryValue?["x"]?.listValue)
    let mapped = try #require(bag.map["m"]?.listValue)
    try realm.write {
      bag.list.insert(.string("first"), at: 0)
      inner.append(.int(2))
      bag.list[2].listValue?.insert(.none, at: 0)
      inner.append(.int(3))
      mapped.append(.int(6))
    }
    #expect(bag.list[2] == .fromArray([.none, .fromDictionary(["x": .fromArray([.int(1), .int(2), .int(3)])])]))
    #expect(bag.map["m"] == .fromArray([.int(5), .int(6)]))
    #expect(bag.list.compactMap(\.listValue).first?.count == 2)
  }

  @Test("O-91: assigning copies; another value deletes what was nested, and its accessors become invalid")
  func assigning() throws {
    let (realm, bag) = try makeBag(.fromArray([.int(1)]))
    let list = try #require(bag.value.listValue)
    try realm.write { bag.map["copy"] = bag.value }
    try realm.write { list.append(.int(2)) }
    #expect(bag.map["copy"] == .fromArray([.int(1)]) && list.count == 2)
    try realm.write { bag.value = bag.value }
    #expect(!list.isInvalidated && list.count == 2)
    try realm.write { bag.value = .fromArray([.int(1), .int(2)]) }
    #expect(list.isInvalidated)
    let error = #expect(throws: Realm.Error.self) { try list.throwing[0] }
    #expect(
      error?.message
        == "The collection in MixedBag.value was removed or replaced by another value; read MixedBag.value again.")
    #expect(error?.className == "MixedBag" && error?.propertyName == "value")
    #expect(throws: Realm.Error.self) { try realm.write { try list.throwing.append(.int(1)) } }
    #expect(list.description.contains("invalidated"))
  }

  @Test("O-91: an unmanaged collection that was assigned stays apart") func unmanaged() throws {
    let (realm, bag) = try makeBag(.none)
    let list = List<AnyRealmValue>()
    list.append(.int(1))
    try realm.write { bag.value = .list(list) }
    list.append(.int(2))
    #expect(bag.value == .fromArray([.int(1)]) && list.realm == nil)
  }

  @Test("O-24 and E-64: values nest a hundred levels deep, not more, and nothing that holds itself") func depth() throws
  {
    func nest(_ levels: Int) -> AnyRealmValue { (0..<levels).reduce(.int(1)) { value, _ in .fromArray([value]) } }
    let (realm, bag) = try makeBag(nest(100))
    #expect(bag.value == nest(100))
    let itself = List<AnyRealmValue>()
    itself.append(.list(itself))
    for value in [nest(101), .list(itself)] {
      let error = #expect(throws: Realm.Error.self) {
        try realm.write { try bag.throwing.setValue(value, forKey: "value") }
      }
      #expect(error?.code == .invalidInput && error?.propertyName == "value", "\(error as Any)")
    }
    #expect(bag.value == nest(100))
    itself.removeAll()
  }

  @Test("Frozen and cancelled: nested collections follow their version") func versions() throws {
    let (realm, bag) = try makeBag(.fromArray([.int(1)]))
    let list = try #require(bag.value.listValue)
    let frozen = list.freeze()
    realm.beginWrite()
    list.append(.int(2))
    #expect(list.count == 2)
    realm.cancelWrite()
    #expect(list.count == 1)
    try realm.write { list.append(.int(3)) }
    #expect(frozen.count == 1 && frozen.isFrozen && frozen.thaw()?.count == 2)
    try realm.write { bag.value = .none }
    #expect(frozen.thaw() == nil && frozen.count == 1)
    try realm.write { realm.delete(bag) }
    #expect(list.isInvalidated)
  }

  @Test("Random edits of nested collections agree with plain values") func random() throws {
    indirect enum Model: Equatable {
      case int(Int)
      case list([Model])
      case dictionary([String: Model])

      var value: AnyRealmValue {
        switch self {
        case .int(let number): .int(number)
        case .list(let elements): .fromArray(elements.map(\.value))
        case .dictionary(let entries): .fromDictionary(entries.mapValues(\.value))
        }
      }
    }
    var random = SeededRandom.forTest()
    func make(_ depth: Int) -> Model {
      switch random.int(0..<(depth > 3 ? 1 : 3)) {
      case 0: .int(random.int(0...9))
      case 1: .list((0..<random.int(0...3)).map { _ in make(depth + 1) })
      default:
        .dictionary(
          Dictionary((0..<random.int(0...3)).map { _ in (random.pick("abc").description, make(depth + 1)) }) { $1 })
      }
    }
    func edit(_ model: Model, _ value: AnyRealmValue) -> Model {
      switch (model, value) {
      case (.list(var elements), .list(let list)):
        if !elements.isEmpty, random.oneIn(2) {
          let position = random.int(0..<elements.count)
          elements[position] = edit(elements[position], list[position])
          return .list(elements)
        }
        switch random.int(0..<5) {
        case 0 where !elements.isEmpty:
          let position = random.int(0..<elements.count)
          elements.remove(at: position)
          list.remove(at: position)
        case 1 where !elements.isEmpty:
          let position = random.int(0..<elements.count)
          elements[position] = make(1)
          list[position] = elements[position].value
        case 2 where elements.count > 1:
          let (from, to) = (random.int(0..<elements.count), random.int(0..<elements.count))
          elements.insert(elements.remove(at: from), at: to)
          list.move(from: from, to: to)
        default:
          let position = random.int(0...elements.count)
          elements.insert(make(1), at: position)
          list.insert(elements[position].value, at: position)
        }
        return .list(elements)
      case (.dictionary(var entries), .dictionary(let map)):
        let key = random.pick("abcd").description
        if let inner = entries[key], let found = map[key], random.oneIn(2) {
          entries[key] = edit(inner, found)
        } else if random.oneIn(3) {
          entries[key] = nil
          map[key] = nil
        } else {
          let made = make(1)
          entries[key] = made
          map[key] = made.value
        }
        return .dictionary(entries)
      default: return model
      }
    }
    let (realm, bag) = try makeBag(.none)
    for _ in 0..<30 {
      var model = Model.list((0..<3).map { _ in make(0) })
      try realm.write { bag.value = model.value }
      for _ in 0..<20 {
        try realm.write { for _ in 0..<3 { model = edit(model, bag.value) } }
        #expect(bag.value == model.value, "\(random)")
      }
    }
  }
}
