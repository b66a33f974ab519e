import Foundation
import TestSupport
import Testing

@testable import LarderStorage

@Suite struct MixedTests {
  private func fixture() throws -> CollectionFixture {
    try CollectionFixture([
      ColumnDeclaration(name: "value", type: .mixed),
      ColumnDeclaration(name: "list", type: .mixed, collection: .list),
      ColumnDeclaration(name: "set", type: .mixed, collection: .set),
      ColumnDeclaration(name: "map", type: .mixed, collection: .map),
    ])
  }

  /// A value of every type.
  static let samples: [StoredValue] = [
    .null, .bool(true), .int(.min), .float(.nan), .float(-0.0), .double(.infinity), .double(0.1), .string(""),
    .string("a\0b 🦄 e\u{301}"), .string(String(repeating: "long ", count: 5_000)), .data(Data()),
    .data(Data([0, 255])),
    .date(Timestamp(seconds: -5, nanoseconds: 999_999_999)), .uuid(UUID()),
    .objectId(ObjectIdBytes(high: 77, low: 3)), .decimal128(Decimal128Bits(high: 0x3040_0000_0000_0000, low: 12)),
    .list([]), .list([.null, .int(1), .list([.string("x")])]), .dictionary([:]),
    .dictionary(["": .null, "a.b": .list([.bool(false)]), "$": .dictionary(["é": .int(1), "e\u{301}": .int(2)])]),
  ]

  @Test("O-20, L-21: a mixed property holds a value of any type, exactly")
  func valuesOfEveryTypeComeBack() throws {
    let fixture = try fixture()
    let column = try fixture.column("value")
    let keys = try fixture.write { writer in
      try Self.samples.map { value in
        let key = try writer.create(fixture.owner)
        try writer.set(fixture.owner, column, key, value)
        return key
      }
    }
    let snapshot = try fixture.snapshot()
    for (key, value) in zip(keys, Self.samples) { #expect(try snapshot.value(fixture.owner, column, key) == value) }
    guard case .float(let zero) = try snapshot.value(fixture.owner, column, keys[4]) else {
      Issue.record("no float")
      return
    }
    #expect(zero.sign == .minus)
    #expect(try fixture.problems().isEmpty)
  }

  @Test("O-20: lists and maps of mixed values hold values of any type")
  func collectionsHoldEveryType() throws {
    let fixture = try fixture()
    let (list, map) = (try fixture.column("list"), try fixture.column("map"))
    try fixture.write { writer in
      try writer.lists.insert(fixture.owner, list, fixture.key, at: 0, Self.samples)
      try writer.maps.put(fixture.owner, map, fixture.key, Self.samples.enumerated().map { ("\($0)", $1) })
    }
    let snapshot = try fixture.snapshot()
    #expect(try CollectionFixture.elements(snapshot.list(fixture.owner, list, fixture.key)) == Self.samples)
    for (number, value) in Self.samples.enumerated() {
      #expect(try snapshot.map(fixture.owner, map, fixture.key).value(of: "\(number)") == value)
    }
    #expect(try fixture.problems().isEmpty)
  }

  @Test("O-82: equal numbers of different types are one element of a set; text and its bytes are two")
  func setsOfMixedValues() throws {
    let fixture = try fixture()
    let column = try fixture.column("set")
    try fixture.write { writer throws in
      let values: [StoredValue] = [
        .int(1), .double(1), .decimal128(Decimal128Bits(high: 0x3040_0000_0000_0000, low: 1)), .bool(true),
        .string("1"),
        .data(Data("1".utf8)), .null, .float(1.5),
      ]
      #expect(try writer.sets.insert(fixture.owner, column, fixture.key, values) == 6)
      #expect(throws: StorageError.self) { try writer.sets.insert(fixture.owner, column, fixture.key, [.list([])]) }
    }
    let set = try fixture.snapshot().set(fixture.owner, column, fixture.key)
    #expect(
      try CollectionFixture.elements(set) == [
        .null, .bool(true), .int(1), .float(1.5), .string("1"), .data(Data("1".utf8)),
      ])
    #expect(try set.position(of: .double(1)) == 2)
  }

  @Test("O-24: lists and dictionaries nest 100 levels deep and no deeper")
  func nestingIsLimited() throws {
    let fixture = try fixture()
    let column = try fixture.column("value")
    var deep = StoredValue.int(1)
    for level in 0..<100 { deep = level % 2 == 0 ? .list([deep]) : .dictionary(["k": deep]) }
    try fixture.write { try $0.set(fixture.owner, column, fixture.key, deep) }
    #expect(try fixture.snapshot().value(fixture.owner, column, fixture.key) == deep)
    let writer = try fixture.store.beginWrite()
    #expect(throws: StorageError.self) { try writer.set(fixture.owner, column, fixture.key, .list([deep])) }
    let path = (0..<100).map { $0 % 2 == 0 ? MixedStep.key("k") : .position(0) }
    #expect(throws: StorageError.self) {
      try writer.mixed.edit(fixture.owner, column, fixture.key, Array(path.dropLast()), .set(.list([]), at: 0))
    }
    #expect(try writer.value(fixture.owner, column, fixture.key) == deep)
    writer.cancel()
  }

  @Test("O-11: links in mixed values become nil at any depth; elements of a set go")
  func linksBecomeNil() throws {
    let fixture = try fixture()
    let columns = try ["value", "list", "set", "map"].map { try fixture.column($0) }
    let (item, kept) = try fixture.write { writer in
      (try writer.create(fixture.item), try writer.create(fixture.item))
    }
    let link = StoredValue.object(ObjectLink(classID: fixture.item, key: item))
    let other = StoredValue.object(ObjectLink(classID: fixture.item, key: kept))
    let nested = StoredValue.list([.int(1), link, .dictionary(["a": link, "b": other])])
    let second = try fixture.write { writer in
      let second = try writer.create(fixture.owner)
      try writer.set(fixture.owner, columns[0], fixture.key, link)
      try writer.set(fixture.owner, columns[0], second, nested)
      try writer.lists.insert(fixture.owner, columns[1], fixture.key, at: 0, [link, other, nested, .int(1), link])
      try writer.sets.insert(fixture.owner, columns[2], fixture.key, [link, .int(1), other])
      try writer.maps.put(fixture.owner, columns[3], fixture.key, [("a", link), ("b", nested), ("c", other)])
      return second
    }
    #expect(try fixture.problems().isEmpty)
    try fixture.write { try $0.delete(fixture.item, item) }
    let snapshot = try fixture.snapshot()
    let cleared = StoredValue.list([.int(1), .null, .dictionary(["a": .null, "b": other])])
    #expect(try snapshot.value(fixture.owner, columns[0], fixture.key) == .null)
    #expect(try snapshot.value(fixture.owner, columns[0], second) == cleared)
    #expect(
      try CollectionFixture.elements(snapshot.list(fixture.owner, columns[1], fixture.key)) == [
        .null, other, cleared, .int(1), .null,
      ])
    #expect(
      try CollectionFixture.elements(snapshot.set(fixture.owner, columns[2], fixture.key)) == [.int(1), other])
    let map = try snapshot.map(fixture.owner, columns[3], fixture.key)
    #expect(try MapTests.entries(map) == [.init("a", .null), .init("b", cleared), .init("c", other)])
    #expect(try fixture.problems().isEmpty)
    let changes = try #require(try snapshot.changes(since: snapshot.version - 1)[fixture.owner])
    let edits = try #require(changes.nested[ChangeSummary.ListID(column: columns[0], key: second)])
    #expect(
      edits == [
        NestedEdit(path: [], .list(ListEdit(.set(at: 1, count: 1), sizeBefore: 3, isDerived: true))),
        NestedEdit(
          path: [.position(2)],
          .dictionary(MapEdit(.put(key: "a", at: 0, isNew: false), sizeBefore: 2, isDerived: true))),
      ])
  }

  @Test("O-62: embedded objects and objects that are not there cannot be linked")
  func onlyTopLevelObjectsAreLinked() throws {
    let fixture = try fixture()
    let column = try fixture.column("value")
    let writer = try fixture.store.beginWrite()
    defer { writer.cancel() }
    for value: StoredValue in [
      .object(ObjectLink(classID: fixture.part, key: ObjectKey(rawValue: 0))),
      .list([.object(ObjectLink(classID: fixture.item, key: ObjectKey(rawValue: 99)))]), .link(fixture.key),
    ] {
      #expect(throws: StorageError.self) { try writer.set(fixture.owner, column, fixture.key, value) }
    }
  }

  @Test("O-90, O-91: a nested collection is found again after edits around it, and known to be gone when replaced")
  func nestedCollectionsAreFoundAgain() throws {
    let fixture = try fixture()
    let column = try fixture.column("list")
    let key = fixture.key
    try fixture.write {
      try $0.lists.insert(
        fixture.owner, column, key, at: 0, [.int(0), .list([.string("a"), .dictionary(["k": .int(1)])])])
    }
    let found = try #require(
      try fixture.snapshot().nested(fixture.owner, column, key, path: [.position(1), .position(1)]))
    try fixture.write { writer in
      try writer.lists.insert(fixture.owner, column, key, at: 0, [.list([]), .null])
      try writer.mixed.edit(fixture.owner, column, key, [.position(3)], .insert([.int(7)], at: 0))
      try writer.mixed.edit(fixture.owner, column, key, found.path, id: found.id, .put([("n", .list([.int(5)]))]))
    }
    let again = try #require(
      try fixture.snapshot().nested(fixture.owner, column, key, path: found.path, id: found.id))
    #expect(again.path == [.position(3), .position(2)])
    #expect(again.value == .dictionary(["k": .int(1), "n": .list([.int(5)])]))
    try fixture.write { try $0.lists.set(fixture.owner, column, key, at: 3, .list([.string("a"), again.value])) }
    #expect(try fixture.snapshot().nested(fixture.owner, column, key, path: again.path, id: found.id) == nil)
    let writer = try fixture.store.beginWrite()
    #expect(throws: StorageError.self) {
      try writer.mixed.edit(fixture.owner, column, key, again.path, id: found.id, .clear)
    }
    writer.cancel()
    #expect(try fixture.problems().isEmpty)
  }

  @Test("O-90: a collection of a cancelled transaction is not found in one that was made after it")
  func collectionsOfCancelledTransactionsStayGone() throws {
    let fixture = try fixture()
    let column = try fixture.column("value")
    func make(_ writer: StoreWriter) throws -> UInt64 {
      try writer.set(fixture.owner, column, fixture.key, .dictionary(["a": .list([])]))
      return try #require(try writer.nested(fixture.owner, column, fixture.key, path: [])).id
    }
    var gone: [UInt64] = []
    for _ in 0..<2 {
      let writer = try fixture.store.beginWrite()
      gone.append(try make(writer))
      writer.cancel()
    }
    gone.append(try fixture.write(make))
    #expect(Set(gone).count == 3)
    for id in gone.dropLast() {
      #expect(try fixture.snapshot().nested(fixture.owner, column, fixture.key, path: [], id: id) == nil)
    }
  }

  @Test("L-18: edits within mixed values are logged by path, in order with those of the property's own list")
  func nestedEditsAreLoggedByPath() throws {
    let fixture = try fixture()
    let column = try fixture.column("list")
    let key = fixture.key
    try fixture.write { try $0.lists.insert(fixture.owner, column, key, at: 0, [.list([.int(1), .int(2)])]) }
    try fixture.write { writer in
      try writer.mixed.edit(fixture.owner, column, key, [.position(0)], .move(from: 0, to: 1))
      try writer.lists.insert(fixture.owner, column, key, at: 0, [.null])
      try writer.mixed.edit(fixture.owner, column, key, [.position(1)], .remove(0..<1))
    }
    let snapshot = try fixture.snapshot()
    let changes = try #require(try snapshot.changes(since: snapshot.version - 1)[fixture.owner])
    let id = ChangeSummary.ListID(column: column, key: key)
    #expect(
      changes.nested[id] == [
        NestedEdit(path: [.position(0)], .list(ListEdit(.move(from: 0, to: 1), sizeBefore: 2))),
        NestedEdit(path: [.position(1)], .list(ListEdit(.remove(at: 0, count: 1), sizeBefore: 2))),
      ])
    #expect(
      changes.lists[id] == [
        ListEdit(.set(at: 0, count: 1), sizeBefore: 1, isNested: true),
        ListEdit(.insert(at: 0, count: 1), sizeBefore: 1),
        ListEdit(.set(at: 1, count: 1), sizeBefore: 2, isNested: true),
      ])
    #expect(try snapshot.value(fixture.owner, try fixture.column("value"), key) == .null)
    #expect(
      try CollectionFixture.elements(snapshot.list(fixture.owner, column, key)) == [.null, .list([.int(1)])])
  }

  @Test("every kind of nested change does what its name says, or is a typed error that changes nothing")
  func nestedChanges() throws {
    let fixture = try fixture()
    let column = try fixture.column("value")
    let writer = try fixture.store.beginWrite()
    defer { writer.cancel() }
    func value() throws -> StoredValue { try writer.value(fixture.owner, column, fixture.key) }
    func edit(_ path: [MixedStep], _ change: NestedChange) throws {
      try writer.mixed.edit(fixture.owner, column, fixture.key, path, change)
    }
    try writer.set(fixture.owner, column, fixture.key, .dictionary(["list": .list([.int(1)]), "d": .dictionary([:])]))
    try edit([.key("list")], .insert([.int(2), .int(3)], at: 1))
    try edit([.key("list")], .set(.string("x"), at: 0))
    try edit([.key("list")], .move(from: 0, to: 2))
    try edit([.key("d")], .put([("a", .int(1)), ("b", .list([])), ("a", .int(2))]))
    try edit([.key("d"), .key("b")], .assign(.list([.null])))
    #expect(
      try value()
        == .dictionary([
          "list": .list([.int(2), .int(3), .string("x")]), "d": .dictionary(["a": .int(2), "b": .list([.null])]),
        ]))
    for (path, change): ([MixedStep], NestedChange) in [
      ([.key("list")], .put([("a", .null)])), ([.key("d")], .insert([], at: 0)), ([.key("list")], .set(.null, at: 3)),
      ([.key("list")], .remove(2..<4)), ([.key("none")], .clear), ([.key("list"), .position(0)], .clear),
      ([.key("d")], .assign(.list([]))), ([.key("list")], .insert([.link(fixture.key)], at: 0)),
    ] {
      let before = try value()
      #expect(throws: StorageError.self) { try edit(path, change) }
      #expect(try value() == before)
    }
    try edit([.key("d")], .removeKey("b"))
    try edit([.key("list")], .clear)
    #expect(try value() == .dictionary(["list": .list([]), "d": .dictionary(["a": .int(2)])]))
    try edit([], .clear)
    #expect(try value() == .dictionary([:]))
  }

  @Test("damaged bytes of a mixed value are an error, never a trap")
  func damageIsAnError() throws {
    var random = SeededRandom.forTest()
    for _ in 0..<3_000 {
      var bytes = random.pick(Self.samples.filter { !$0.isNull && $0.mixedBytesCount < 200 }).mixedBytes
      switch random.int(0..<3) {
      case 0: bytes.removeLast(random.int(1...bytes.count))
      case 1: bytes[random.int(0..<bytes.count)] ^= UInt8(1 << random.int(0...7))
      default: bytes = random.bytes(count: random.int(0...40))
      }
      if let value = try? StoredValue(bytes: bytes, type: .mixed) {
        #expect(try StoredValue(bytes: value.mixedBytes, type: .mixed) == value, "seed \(random.seed)")
      }
    }
  }
}

extension StoredValue {
  fileprivate var mixedBytesCount: Int { mixedBytes.count }
}
