import Foundation
import TestSupport
import Testing

@testable import LarderStorage

/// Values at the edges of what a store takes.
@Suite struct ExtremeValueTests {
  private func fixture() throws -> CollectionFixture {
    try CollectionFixture([
      ColumnDeclaration(name: "data", type: .data), ColumnDeclaration(name: "value", type: .mixed),
      ColumnDeclaration(name: "text", type: .string, isIndexed: true),
      ColumnDeclaration(name: "map", type: .string, collection: .map),
      ColumnDeclaration(name: "set", type: .string, collection: .set),
    ])
  }

  @Test("a data value of 100 MB is stored, read and removed, alone and as a mixed value")
  func largeDataIsStored() throws {
    let fixture = try fixture()
    let (data, value) = (try fixture.column("data"), try fixture.column("value"))
    var large = Data(count: 100_000_000)
    for position in stride(from: 0, to: large.count, by: 4_099) {
      large[position] = UInt8(truncatingIfNeeded: position)
    }
    try fixture.write { writer in
      try writer.set(fixture.owner, data, fixture.key, .data(large))
      try writer.set(fixture.owner, value, fixture.key, .data(large))
    }
    let snapshot = try fixture.snapshot()
    #expect(try snapshot.value(fixture.owner, data, fixture.key) == .data(large))
    #expect(try snapshot.value(fixture.owner, value, fixture.key) == .data(large))
    #expect(try fixture.problems().isEmpty)
    try fixture.write { writer in
      try writer.set(fixture.owner, data, fixture.key, .data(Data([1])))
      try writer.set(fixture.owner, value, fixture.key, .null)
    }
    #expect(try fixture.snapshot().value(fixture.owner, data, fixture.key) == .data(Data([1])))
    #expect(try StoreStatistics(fixture.snapshot()).columns[fixture.owner]?[data]?.large.entries ?? 0 == 0)
    #expect(try fixture.problems().isEmpty)
  }

  @Test("a value that with its tag would be longer than can be read back is refused")
  func largestValue() throws {
    let fixture = try fixture()
    let entry = try #require(try fixture.snapshot().schema[fixture.owner])
    let value = StoredValue.data(Data(count: StoreLayout.maximumValueSize))
    try #require(entry.column(named: "data")).check(value, in: entry)
    #expect(throws: StorageError.self) { try #require(entry.column(named: "value")).check(value, in: entry) }
  }

  @Test("O-25: every Unicode scalar, U+0000 among them, survives in strings, in sets and as a map key")
  func allOfUnicodeSurvives() throws {
    let fixture = try fixture()
    let columns = try ["text", "map", "set"].map { try fixture.column($0) }
    let scalars = (UInt32(0)...0x10FFFF).compactMap { Unicode.Scalar($0) }
    // A long text of all, and a text for each 4,096 of them.
    var all = String.UnicodeScalarView()
    all.append(contentsOf: scalars)
    let parts = stride(from: 0, to: scalars.count, by: 4_096).map { start in
      var part = String.UnicodeScalarView()
      part.append(contentsOf: scalars[start..<min(start + 4_096, scalars.count)])
      return String(part)
    }
    let few = scalars.enumerated().filter { $0.offset % 1_009 == 0 || $0.element.value < 300 }.map {
      String($0.element)
    }
    try fixture.write { writer in
      try writer.set(fixture.owner, columns[0], fixture.key, .string(String(all)))
      try writer.maps.put(fixture.owner, columns[1], fixture.key, (parts + few).map { ($0, .string($0)) })
      try writer.sets.insert(fixture.owner, columns[2], fixture.key, (few + parts).map { .string($0) })
    }
    let snapshot = try fixture.snapshot()
    #expect(try snapshot.value(fixture.owner, columns[0], fixture.key) == .string(String(all)))
    #expect(try snapshot.index(fixture.owner, columns[0])?.keys(equalTo: .string(String(all))) == [fixture.key])
    let map = try snapshot.map(fixture.owner, columns[1], fixture.key)
    let set = try snapshot.set(fixture.owner, columns[2], fixture.key)
    for text in parts + few {
      #expect(try map.value(of: text) == .string(text))
      #expect(try set.position(of: .string(text)) != nil)
    }
    #expect(map.count == set.count)
    #expect(try fixture.problems().isEmpty)
  }

  @Test("verify finds a set out of order and a map whose keys and values do not match")
  func verifyFindsBrokenCollections() throws {
    let fixture = try fixture()
    let (map, set) = (try fixture.column("map"), try fixture.column("set"))
    try fixture.write { writer in
      try writer.sets.insert(fixture.owner, set, fixture.key, ["a", "b", "c"].map { .string($0) })
      try writer.maps.put(fixture.owner, map, fixture.key, [("k", .string("v")), ("l", .string("w"))])
    }
    #expect(try fixture.problems().isEmpty)
    try fixture.write { writer in
      let owner = try writer.classWriter(fixture.owner)
      let elements = try writer.collections.open(owner, set, fixture.key, .set)
      writer.collections.register(elements)
      try elements.editor.move(from: 0, to: 2)
      let keys = try writer.collections.open(owner, map, fixture.key, .map, keys: true)
      writer.collections.register(keys)
      try keys.editor.remove(0..<1)
    }
    let problems = try fixture.problems()
    #expect(problems.contains { $0.location.contains("set") && $0.message.contains("not in order") })
    #expect(problems.contains { $0.message.contains("1 keys and 2 values") })
  }
}
