import TestSupport
import Testing

@testable import LarderStorage

/// A snapshot that is asked for many primary keys answers from a directory of blocks, as it does from LMDB before.
@Suite struct KeyDirectoryTests {
  enum Keys: CaseIterable {
    /// Blocks of evenly ascending keys.
    case even
    /// Packed blocks of all widths.
    case random
    case lowestAndHighest
  }

  @Test(
    "keys that are there are found and others are not, before and after the blocks are listed", arguments: Keys.allCases
  )
  func agreesWithADictionary(_ kind: Keys) throws {
    var random = SeededRandom.forTest()
    let fixture = try TemporaryStore(clusterSize: 8)
    let values: [Int64] =
      switch kind {
      case .even: (0..<2_000).map { Int64($0) * 3 - 1_000 }
      case .random:
        Array(Set((0..<2_000).map { _ in Int64(random.int(-40_000...40_000)) << Int64(random.int(0...30)) }))
      case .lowestAndHighest: [.min, .max, 0, -1, 1]
      }
    try fixture.write { writer in
      try writer.apply(
        [ClassDeclaration(name: "Row", columns: [ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true)])],
        schemaVersion: 0)
    }
    let row = try #require(try fixture.snapshot.schema["Row"]).id
    var expected: [Int64: ObjectKey] = [:]
    try fixture.write { writer in
      for value in values { expected[value] = try writer.create(row, primaryKey: value) }
    }
    // Holes make packed blocks of even ones.
    let gone = values.filter { _ in random.oneIn(10) }
    try fixture.write { writer in
      for value in gone {
        let removed = expected.removeValue(forKey: value)
        let key = try #require(removed)
        #expect(try writer.deleteIfPresent(row, key))
        #expect(try !writer.deleteIfPresent(row, key))
      }
    }
    let snapshot = try fixture.snapshot
    for _ in 0..<4_000 {
      let near = values[random.int(0..<values.count)]
      let asked = near &+ Int64(random.int(-2...2))
      #expect(
        try snapshot.object(row, primaryKey: .int(asked)) == expected[asked], "seed \(random.seed), key \(asked)")
    }
  }
}
