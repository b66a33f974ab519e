import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

/// A snapshot that is asked for many keys answers from a list of an index's blocks, as it does from LMDB before.
@Suite struct IndexDirectoryTests {
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
    let deleted = values.filter { _ in random.oneIn(10) }
    try fixture.write { writer in
      for value in deleted {
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

  /// An index over 2,000 integers, in a snapshot.
  private func index(_ fixture: TemporaryStore) throws -> (snapshot: Snapshot, row: ClassID, reader: PairReader) {
    try fixture.write { writer in
      try writer.apply(
        [ClassDeclaration(name: "Row", columns: [ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true)])],
        schemaVersion: 0)
    }
    let row = try #require(try fixture.snapshot.schema["Row"]).id
    try fixture.write { writer in for number in 0..<2_000 { _ = try writer.create(row, primaryKey: Int64(number)) } }
    let snapshot = try fixture.snapshot
    let column = try #require(snapshot.schema.primaryKey(of: row)).id
    let tree = fixture.store.trees.tree(.index(row, column), codec: .integer)
    let reader = PairReader(tree, verified: fixture.store.verifiedBlocks) {
      try snapshot.transaction.cursor(snapshot.store.tables.indexes)
    }
    return (snapshot, row, reader)
  }

  @Test("a list is made once its users have visited more than a quarter of the blocks without it, and is kept")
  func due() throws {
    let (_, _, reader) = try index(try TemporaryStore())
    let directory = IndexDirectory()
    var made = 0
    func list(_ work: Int, objects: Int) -> BlockList? {
      directory.list(work: work, before: CachePolicy.blocksBeforeList(objects: objects, areSealed: false)) {
        made += 1
        return try BlockList(reader)
      }
    }
    let objects = 480 * 4 * 1_000
    #expect(list(600, objects: objects) == nil && list(400, objects: objects) == nil && made == 0)
    #expect(directory.list == nil)
    directory.note(work: 1)
    let first = try #require(list(1, objects: objects))
    #expect(list(1, objects: objects) === first && directory.list === first && made == 1)
    for key in [-1, 0, 1, 479, 480, 1_999, 2_000] as [Int64] {
      #expect(try first.onlyKey(equalTo: IndexValue.word(key))?.rawValue == (0..<2_000 ~= key ? UInt64(key) : nil))
    }
  }

  @Test("one damaged block of an index fails what needs it, however often others are looked up before")
  func oneBlock() throws {
    let fixture = try TemporaryStore()
    let reader = try index(fixture).reader
    var blocks: [(key: KeyBytes, bytes: [UInt8], first: Int64)] = []
    try reader.forEachEntry(.values) { entry in
      let first = Int64(bitPattern: try PairBlock(entry.value).word(run: 0) ^ (1 << 63))
      blocks.append((KeyBytes(bytes: entry.key.buffer), entry.value.bytes, first))
      return true
    }
    try #require(blocks.count > 2)
    var damaged = blocks[1].bytes
    damaged[damaged.count - 9] ^= 1
    try fixture.write { try $0.transaction.put(fixture.store.tables.indexes, blocks[1].key, damaged) }
    let snapshot = try fixture.snapshot
    let row = try #require(snapshot.schema["Row"]).id
    for number in 0..<2_000 as Range<Int64> {
      // Pairs are in the order of value and object, so that the first value of a block may begin in the block before.
      if blocks[1].first...blocks[2].first ~= number {
        #expect(throws: StorageError.self, "\(number)") { try snapshot.object(row, primaryKey: .int(number)) }
      } else {
        #expect(try snapshot.object(row, primaryKey: .int(number))?.rawValue == UInt64(number))
      }
    }
  }

  @Test("a list that cannot be made is not tried again, and what asked for it goes on without")
  func damaged() throws {
    let directory = IndexDirectory()
    var tries = 0
    for _ in 0..<10_000 {
      let list = directory.list(
        work: IndexDirectory.seek, before: CachePolicy.blocksBeforeList(objects: 0, areSealed: false)
      ) {
        tries += 1
        throw StorageError(.corrupted, "A block is damaged.")
      }
      #expect(list == nil)
    }
    #expect(tries == 1)
  }
}
