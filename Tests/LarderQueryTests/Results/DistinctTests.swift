import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import LarderQuery

/// Objects made distinct by reading leaves, against one object at a time.
@Suite("Distinct by leaves")
struct DistinctTests {
  @Test(
    "Q-157 the first object of each value is the same, whatever the type, filter and order", arguments: [8, 64, 496])
  func agree(clusterSize: Int) throws {
    var random = SeededRandom.forTest()
    let fixture = try RandomStore(&random, objects: clusterSize == 496 ? 1_200 : 300, clusterSize: clusterSize)
    let snapshot = try fixture.store.snapshot()
    let names = RandomStore.scalars.filter { $0.type != .data }.map(\.name)
    for name in names {
      for round in 0..<8 {
        var query = ResultsQuery(fixture.classID)
        var place = name
        if round % 2 == 1 {
          let (text, arguments) = RandomStore.predicate(&random, depth: 1)
          query = try query.filtered(text, arguments, schema: snapshot.schema)
          place += ", \(text) \(arguments)"
        }
        if round % 4 > 1 {
          let (by, ascending) = (random.pick(names), random.oneIn(2))
          query = try query.sorted([(keyPath: by, ascending: ascending)], schema: snapshot.schema)
          place += ", by \(by)"
        }
        query = try query.distinct([name], schema: snapshot.schema)
        let expected = try query.keys(in: snapshot, mode: .rowByRow)
        #expect(try query.keys(in: snapshot) == expected, "\(place)")
        #expect(try query.count(in: snapshot) == expected.count, "\(place)")
        #expect(try query.explain(in: snapshot).root.rows == expected.count, "explained \(place)")
        let limit = random.int(0...4)
        #expect(try query.keys(in: snapshot, limit: limit) == Array(expected.prefix(limit)), "first \(limit): \(place)")
      }
    }
  }

  @Test("Q-157, Q-158 several paths, and paths over links")
  func others() throws {
    var random = SeededRandom.forTest()
    let fixture = try RandomStore(&random, objects: 300, clusterSize: 64)
    let snapshot = try fixture.store.snapshot()
    for paths in [["tiny", "flag"], ["next.tiny"], ["next.next.name", "nick"], ["price"]] {
      let query = try ResultsQuery(fixture.classID).distinct(paths, schema: snapshot.schema)
      #expect(try query.keys(in: snapshot) == query.keys(in: snapshot, mode: .rowByRow), "\(paths)")
    }
  }

  /// Integers as leaves pack them: in every width, all alike, in steps, and few of many.
  private static func number(_ shape: Int, _ index: Int, _ random: inout SeededRandom) -> Int64 {
    switch shape {
    case 0: 7
    case 1: Int64(index) * 3 - 5
    case 2: Int64(random.int(-100...100))
    // Most leaves have all values but one that is rare.
    case 3: random.oneIn(400) ? Int64(random.int(5...9)) : Int64(random.int(0...4))
    case 4: Int64(random.int(0...40_000))
    case 5: Int64(random.int(0...3)) << 30
    case 6: random.pick([Int64.min, .max, 0, 1 << 40])
    default: random.anyInt64()
    }
  }

  @Test("Q-157 integers of every width, with nil and without, while objects come and go", arguments: [false, true])
  func integers(isOptional: Bool) throws {
    var random = SeededRandom.forTest()
    let directory = try TemporaryDirectory()
    var options = StoreOptions()
    options.clusterSize = 496
    options.durability = .none
    let store = try Store.open(path: directory.file("integers.larder"), options: options)
    var keys: [ObjectKey] = []
    for round in 0..<3 {
      let writer = try store.beginWrite()
      if round == 0 {
        let columns = (0..<8).map { ColumnDeclaration(name: "n\($0)", type: .int, isOptional: isOptional) }
        try writer.apply([ClassDeclaration(name: "Item", columns: columns)], schemaVersion: 1)
      }
      let item = try #require(writer.schema["Item"])
      for index in 0..<900 {
        let key = try writer.create(item.id)
        keys.append(key)
        for (shape, column) in item.columns.enumerated() where !random.oneIn(isOptional ? 9 : 300) {
          try writer.set(item.id, column.id, key, .int(Self.number(shape, index, &random)))
        }
      }
      for key in keys.shuffled(using: &random).prefix(300) {
        try writer.delete(item.id, key)
        keys.removeAll { $0 == key }
      }
      try check(writer, item)
      try writer.commit()
      try check(try store.snapshot(), item)
    }
  }

  private func check(_ reader: any StoreReader, _ item: ClassDescriptor) throws {
    for column in item.columns {
      let query = try ResultsQuery(item.id).distinct([column.name], schema: reader.schema)
      #expect(try query.keys(in: reader) == query.keys(in: reader, mode: .rowByRow), "\(column.name)")
      let filtered = try query.filtered("n2 > 0", schema: reader.schema)
      #expect(try filtered.keys(in: reader) == filtered.keys(in: reader, mode: .rowByRow), "\(column.name), filtered")
    }
  }

  @Test("sets of integers and of texts hold what was put in")
  func sets() {
    var random = SeededRandom.forTest()
    var (words, known) = (WordSet(), Set<Int64>())
    var (texts, names) = (TextSet(), Set<String>())
    for _ in 0..<20_000 {
      let value = random.oneIn(3) ? random.anyInt64() : Int64(random.int(-300...300))
      #expect(words.insert(value) == known.insert(value).inserted)
      let text = random.oneIn(9) ? random.string() : "\(random.int(0...2_000))"
      #expect(Array(text.utf8).withUnsafeBytes { texts.insert($0) } == names.insert(text).inserted)
    }
    #expect(words.count == known.count)
    for value in known { #expect(words.contains(value)) }
    for _ in 0..<2_000 {
      let first = Int64(random.int(-320...320))
      let range = first...first + Int64(random.int(0...200))
      #expect(words.contains(range) == range.allSatisfy { known.contains($0) })
    }
    #expect(!words.contains(.min ... .max))
  }
}
