import Foundation
import TestSupport
import Testing

@testable import LarderStorage

@Suite struct SetTests {
  private func fixture(_ type: ColumnType = .int, isOptional: Bool = true) throws -> (CollectionFixture, ColumnID) {
    let fixture = try CollectionFixture([
      ColumnDeclaration(name: "values", type: type, collection: .set, isOptional: isOptional),
      ColumnDeclaration(name: "items", type: .link, collection: .set, target: "Item"),
    ])
    return (fixture, try fixture.column("values"))
  }

  @Test("O-82, Q-125: a set holds each value once, in value order, nil first")
  func setsHoldEachValueOnceInOrder() throws {
    let (fixture, column) = try fixture()
    try fixture.write { writer throws in
      #expect(
        try writer.sets.insert(fixture.owner, column, fixture.key, [.int(3), .int(-1), .null, .int(3), .int(7)]) == 4)
      #expect(try writer.sets.insert(fixture.owner, column, fixture.key, [.int(3), .int(4)]) == 1)
    }
    let set = try fixture.snapshot().set(fixture.owner, column, fixture.key)
    #expect(try CollectionFixture.elements(set) == [.null, .int(-1), .int(3), .int(4), .int(7)])
    #expect(try set.position(of: .int(4)) == 3)
    #expect(try set.position(of: .null) == 0)
    #expect(try set.position(of: .int(5)) == nil)
  }

  @Test("Q-128: strings are ordered and told apart by their bytes")
  func stringsAreToldApartByBytes() throws {
    let (fixture, column) = try fixture(.string)
    let composed = "\u{E9}"
    let decomposed = "e\u{301}"
    try fixture.write { writer throws in
      let values = ["b", composed, decomposed, "", "\0", "a\0b", "🦄", "B"].map { StoredValue.string($0) }
      #expect(try writer.sets.insert(fixture.owner, column, fixture.key, values) == 8)
    }
    let set = try fixture.snapshot().set(fixture.owner, column, fixture.key)
    let expected = ["", "\0", "B", "a\0b", "b", decomposed, composed, "🦄"].map { StoredValue.string($0) }
    #expect(try CollectionFixture.elements(set) == expected)
  }

  @Test("Q-130, Q-131: the zeros are one element, NaN is one element above nil")
  func zerosAndNotANumber() throws {
    let (fixture, column) = try fixture(.double)
    try fixture.write { writer throws in
      let values: [Double] = [0.0, -0.0, .nan, -.nan, -.infinity, 1]
      #expect(try writer.sets.insert(fixture.owner, column, fixture.key, values.map { .double($0) } + [.null]) == 5)
    }
    let set = try fixture.snapshot().set(fixture.owner, column, fixture.key)
    #expect(
      try CollectionFixture.elements(set) == [
        .null, .double(.nan), .double(-.infinity), .double(0), .double(1),
      ])
  }

  @Test("removing, clearing and assigning change just what differs")
  func removingClearingAssigning() throws {
    let (fixture, column) = try fixture()
    try fixture.write { _ = try $0.sets.insert(fixture.owner, column, fixture.key, (0..<10).map { .int($0) }) }
    try fixture.write { writer throws in
      #expect(try writer.sets.remove(fixture.owner, column, fixture.key, .int(4)))
      #expect(try !writer.sets.remove(fixture.owner, column, fixture.key, .int(4)))
      #expect(try writer.sets.remove(fixture.owner, column, fixture.key, [.int(9), .int(0), .int(100)]) == 2)
    }
    var set = try fixture.snapshot().set(fixture.owner, column, fixture.key)
    #expect(try CollectionFixture.elements(set) == [1, 2, 3, 5, 6, 7, 8].map { .int($0) })
    try fixture.write { try $0.sets.assign(fixture.owner, column, fixture.key, [.int(6), .int(2), .int(20)]) }
    set = try fixture.snapshot().set(fixture.owner, column, fixture.key)
    #expect(try CollectionFixture.elements(set) == [2, 6, 20].map { .int($0) })
    try fixture.write { try $0.sets.clear(fixture.owner, column, fixture.key) }
    set = try fixture.snapshot().set(fixture.owner, column, fixture.key)
    #expect(set.count == 0)
    #expect(try fixture.problems().isEmpty)
  }

  @Test("O-11: an element goes with the object it links to, and links count as backlinks")
  func linksGoWithTheirObjects() throws {
    let (fixture, _) = try fixture()
    let column = try fixture.column("items")
    let items = try fixture.write { writer throws in
      let items = try (0..<5).map { _ in try writer.create(fixture.item) }
      try writer.sets.insert(fixture.owner, column, fixture.key, items.reversed().map { .link($0) })
      return items
    }
    var snapshot = try fixture.snapshot()
    #expect(
      try snapshot.backlinks(to: ObjectLink(classID: fixture.item, key: items[2]), from: fixture.owner, column)
        == [fixture.key])
    try fixture.write { try $0.delete(fixture.item, items[2]) }
    snapshot = try fixture.snapshot()
    let rest = [items[0], items[1], items[3], items[4]].map { StoredValue.link($0) }
    #expect(try CollectionFixture.elements(snapshot.set(fixture.owner, column, fixture.key)) == rest)
    let edits = try #require(
      try snapshot.changes(since: snapshot.version - 1)[fixture.owner]?
        .sets[ChangeSummary.ListID(column: column, key: fixture.key)])
    #expect(
      edits == [
        SetEdit(.remove([.init(position: 2, value: .value(.link(items[2])))]), sizeBefore: 5, isDerived: true)
      ])
    #expect(try fixture.problems().isEmpty)
  }

  @Test("L-18: edits of sets are logged by value, with their positions")
  func editsAreLoggedByValue() throws {
    let (fixture, column) = try fixture()
    try fixture.write { _ = try $0.sets.insert(fixture.owner, column, fixture.key, [.int(1), .int(5)]) }
    try fixture.write { writer throws in
      try writer.sets.insert(fixture.owner, column, fixture.key, [.int(9), .int(3), .int(4)])
      try writer.sets.remove(fixture.owner, column, fixture.key, .int(1))
    }
    let snapshot = try fixture.snapshot()
    let changes = try #require(try snapshot.changes(since: snapshot.version - 1)[fixture.owner])
    let id = ChangeSummary.ListID(column: column, key: fixture.key)
    #expect(
      changes.sets[id] == [
        SetEdit(
          .insert([
            .init(position: 1, value: .value(.int(3))), .init(position: 2, value: .value(.int(4))),
            .init(position: 4, value: .value(.int(9))),
          ]), sizeBefore: 2),
        SetEdit(.remove([.init(position: 0, value: .value(.int(1)))]), sizeBefore: 5),
      ])
    #expect(
      changes.lists[id] == [
        ListEdit(.insert(at: 1, count: 2), sizeBefore: 2), ListEdit(.insert(at: 4, count: 1), sizeBefore: 4),
        ListEdit(.remove(at: 0, count: 1), sizeBefore: 5),
      ])
    #expect(changes.modified[column]?.contains(fixture.key) == true)
  }

  @Test(
    "random sets of every type equal a sorted array without duplicates", arguments: [ColumnType.int, .string, .date])
  func randomSets(type: ColumnType) throws {
    var random = SeededRandom.forTest()
    let (fixture, column) = try fixture(type)
    var model: [StoredValue] = []
    for _ in 0..<12 {
      try fixture.write { writer throws in
        for _ in 0..<random.int(1...4) {
          let values = (0..<random.int(1...(random.oneIn(3) ? 700 : 4))).map { _ in Self.value(type, &random) }
          switch random.int(0..<4) {
          case 0, 1:
            let before = model.count
            model = Self.sorted(model + values)
            #expect(try writer.sets.insert(fixture.owner, column, fixture.key, values) == model.count - before)
          case 2:
            let before = model.count
            model.removeAll { element in values.contains { StoredOrder.compare($0, element) == 0 } }
            #expect(try writer.sets.remove(fixture.owner, column, fixture.key, values) == before - model.count)
          default:
            guard random.oneIn(4) else { continue }
            model = Self.sorted(values)
            try writer.sets.assign(fixture.owner, column, fixture.key, values)
          }
        }
      }
      let set = try fixture.snapshot().set(fixture.owner, column, fixture.key)
      #expect(try CollectionFixture.elements(set) == model, "seed \(random.seed)")
      let problems = try fixture.problems()
      #expect(problems.isEmpty, "seed \(random.seed): \(problems)")
    }
  }

  private static func value(_ type: ColumnType, _ random: inout SeededRandom) -> StoredValue {
    switch type {
    case .int: random.oneIn(30) ? .null : .int(Int64(random.int(0..<2_000)))
    case .string: .string(random.oneIn(30) ? random.string(maxLength: 1_500) : random.string(maxLength: 2))
    default: .date(Timestamp(seconds: Int64(random.int(-900..<900)), nanoseconds: UInt32(random.int(0..<2))))
    }
  }

  private static func sorted(_ values: [StoredValue]) -> [StoredValue] {
    var result: [StoredValue] = []
    for value in values where !result.contains(where: { StoredOrder.compare($0, value) == 0 }) { result.append(value) }
    return result.sorted { StoredOrder.compare($0, $1) < 0 }
  }
}
