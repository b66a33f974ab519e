import Foundation
import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

@Suite("Pair trees")
struct PairTreeTests {
  typealias Pair = PairTreeFixture.ModelPair

  @Test("a dense primary key takes next to nothing, and its holes little")
  func denseKeys() throws {
    let fixture = try PairTreeFixture(.integer)
    let pairs = (0..<20_000).map { Pair(value: .integer(IndexValue.word(Int64($0))), key: UInt64($0)) }
    try fixture.apply(adding: pairs)
    let dense = try fixture.size()
    #expect(dense.blocks == (20_000 + 479) / 480)
    #expect(dense.bytes < 20_000)
    try fixture.apply(removing: pairs.filter { $0.key % 3 == 1 || $0.key % 7 == 0 })
    let sparse = try fixture.size()
    #expect(sparse.bytes <= fixture.model.count * 4)
    #expect(try fixture.problems() == [])
    #expect(try fixture.pairs() == fixture.model)
  }

  @Test("additions in ascending order, one transaction each, leave full blocks")
  func risingAdditionsFillBlocks() throws {
    let limits = PairLimits(pairs: 10, bytes: 512)
    let fixture = try PairTreeFixture(.integer, limits: limits)
    for number in 0..<100 { try fixture.apply(adding: [Pair(value: .integer(UInt64(number * number)), key: 5)]) }
    #expect(try fixture.size().blocks == 10)
    #expect(try fixture.pairs() == fixture.model)
  }

  @Test("evenly ascending additions, one transaction each, end in the blocks that one transaction makes")
  func linearAdditions() throws {
    let limits = PairLimits(pairs: 10, bytes: 512)
    let single = try PairTreeFixture(.integer, limits: limits)
    let bulk = try PairTreeFixture(.integer, limits: limits)
    // The step changes in the middle of a block, and the last value is the highest there is.
    var pairs = (0..<25).map { Pair(value: .integer(UInt64($0 * 3)), key: UInt64($0)) }
    pairs += (0..<14).map { Pair(value: .integer(100 + UInt64($0 * 7)), key: UInt64(25 + $0 * 2)) }
    pairs.append(Pair(value: .integer(.max), key: 60))
    for pair in pairs { try single.apply(adding: [pair]) }
    try bulk.apply(adding: pairs)
    #expect(try single.pairs() == bulk.pairs())
    #expect(try single.size().blocks == bulk.size().blocks)
    #expect(try single.size().bytes == bulk.size().bytes)
    #expect(try single.problems() == [])
    try single.apply(adding: [Pair(value: .integer(1), key: 70)])
    #expect(try single.pairs() == single.model)
  }

  @Test("blocks left almost empty join their followers")
  func emptiedBlocksJoin() throws {
    let limits = PairLimits(pairs: 12, bytes: 512)
    let fixture = try PairTreeFixture(.integer, limits: limits)
    let pairs = (0..<1_200).map { Pair(value: .integer(UInt64($0)), key: UInt64($0)) }
    try fixture.apply(adding: pairs)
    #expect(try fixture.size().blocks == 100)
    for pair in pairs where pair.key % 12 != 0 { try fixture.apply(removing: [pair]) }
    #expect(try fixture.size().blocks <= 40)
    #expect(try fixture.pairs() == fixture.model)
    #expect(try fixture.problems() == [])
  }

  @Test("more copies of one pair than a block holds stay together", arguments: [PairCodec.integer, .bytes])
  func manyCopies(_ codec: PairCodec) throws {
    let fixture = try PairTreeFixture(codec, limits: PairLimits(pairs: 6, bytes: 512))
    let value: IndexValue = codec == .integer ? .integer(9) : .bytes([9])
    let other: IndexValue = codec == .integer ? .integer(8) : .bytes([8])
    let around = (0..<9).map { Pair(value: value, key: $0) } + (0..<9).map { Pair(value: other, key: $0) }
    try fixture.apply(adding: around + Array(repeating: Pair(value: value, key: 4), count: 40_000))
    #expect(try fixture.problems() == [])
    #expect(try fixture.withReader { try $0.count(equalTo: value) } == 40_009)
    try fixture.apply(removing: Array(repeating: Pair(value: value, key: 4), count: 39_999))
    #expect(try fixture.pairs() == fixture.model)
    #expect(try fixture.problems() == [])
  }

  @Test("every width of values and keys survives", arguments: [0, 1, 8, 9, 16, 17, 32, 33, 63])
  func widths(_ bits: Int) throws {
    let fixture = try PairTreeFixture(.integer)
    var random = TestSupport.SeededRandom.forTest()
    let mask = bits == 0 ? 0 : UInt64.max >> UInt64(64 - bits)
    let pairs = (0..<600).map { _ in Pair(value: .integer(random.next() & mask), key: random.next() & mask) }
    try fixture.apply(adding: pairs)
    #expect(try fixture.pairs() == fixture.model)
    #expect(try fixture.problems() == [])
  }

  @Test("zero bytes keep the order of strings in block keys")
  func zeroBytes() throws {
    let fixture = try PairTreeFixture(.bytes, limits: PairLimits(pairs: 2, bytes: 512))
    var values: [[UInt8]] = [[]]
    for length in 1...4 {
      values += values.filter { $0.count == length - 1 }.flatMap { [$0 + [0], $0 + [1], $0 + [255]] }
    }
    values.append(Array(repeating: 0, count: 240))
    values.append(Array(repeating: 0, count: 5_000))
    try fixture.apply(adding: values.shuffled().map { Pair(value: .bytes($0), key: 1) })
    #expect(try fixture.pairs() == fixture.model)
    #expect(try fixture.problems() == [])
    for value in values { #expect(try fixture.withReader { try $0.count(equalTo: .bytes(value)) } == 1) }
  }

  @Test("removing what is not there is reported, not ignored")
  func missingPair() throws {
    let fixture = try PairTreeFixture(.integer)
    try fixture.apply(adding: [Pair(value: .integer(1), key: 1)])
    let error = #expect(throws: StorageError.self) {
      try fixture.apply(removing: [Pair(value: .integer(1), key: 2)])
    }
    #expect(error?.code == .corrupted)
  }

  @Test("removing a whole tree leaves its neighbours")
  func removeAll() throws {
    let fixture = try PairTreeFixture(.bytes, limits: PairLimits(pairs: 4, bytes: 512))
    try fixture.apply(adding: (0..<300).map { Pair(value: $0 % 5 == 0 ? .null : .bytes([UInt8($0 & 0xFF)]), key: $0) })
    try fixture.write { try fixture.tree.removeAll(in: $0) }
    #expect(try fixture.size().blocks == 0)
    #expect(try fixture.problems() == [])
  }

  @Test("verify finds a changed byte anywhere in a block", arguments: [PairCodec.integer, .bytes])
  func damageIsFound(_ codec: PairCodec) throws {
    let fixture = try PairTreeFixture(codec)
    try fixture.apply(
      adding: (0..<200).map { number in
        Pair(value: codec == .integer ? .integer(number * number) : .bytes(Array("n\(number)".utf8)), key: number % 17)
      })
    let (key, block) = try fixture.withReader { reader -> (KeyBytes, [UInt8]) in
      var found: (KeyBytes, [UInt8])?
      try reader.forEachEntry(.values) { entry in
        found = (KeyBytes(bytes: entry.key.buffer), entry.value.bytes)
        return false
      }
      return try #require(found)
    }
    for position in stride(from: 0, to: block.count, by: 5) {
      var damaged = block
      damaged[position] ^= 0x10
      try fixture.write { try $0.put(fixture.tree.table, key, damaged) }
      #expect(try !fixture.problems().isEmpty, "byte \(position)")
      // Without checks, reads of a damaged block may be wrong or throw, but never trap; with them they throw.
      let wanted: IndexValue = codec == .integer ? .integer(100) : .bytes(Array("n10".utf8))
      try fixture.withReader { _ = try? $0.keys(equalTo: wanted) }
      let verified = VerifiedBlocks()
      let transaction = try fixture.environment.beginRead()
      let reader = PairReader(fixture.tree, verified: verified) { try transaction.cursor(fixture.tree.table) }
      #expect(throws: StorageError.self) { try reader.keys(equalTo: wanted) }
      #expect(throws: StorageError.self) { try reader.count(equalTo: wanted) }
      #expect(throws: StorageError.self) { try reader.firstKey(equalTo: wanted) }
      #expect(throws: StorageError.self) { try reader.forEach(descending: true) { _ in true } }
    }
    var changes = PairChanges(codec: codec)
    changes.add(codec == .integer ? .integer(5) : .bytes([1]), ObjectKey(rawValue: 1), 1)
    #expect(throws: StorageError.self) { try fixture.write { try fixture.tree.apply(&changes, in: $0) } }
    try fixture.write { try $0.put(fixture.tree.table, key, Array(block.dropLast(8))) }
    #expect(try !fixture.problems().isEmpty)
  }

  @Test("what LMDB says of a damaged page is an error of the store, with its path")
  func errorsOfPages() throws {
    /// Its page has other flags than its table.
    final class DamagedCursor: CursorReading {
      private var damage: LMDBError { LMDBError(.corrupted, "mdb_cursor_get") }
      func seek(_ key: KeyBytes) throws -> Entry? { throw damage }
      func find(_ key: KeyBytes) throws -> Entry? { throw damage }
      func first() throws -> Entry? { throw damage }
      func last() throws -> Entry? { throw damage }
      func next() throws -> Entry? { throw damage }
      func previous() throws -> Entry? { throw damage }
      func current() throws -> Entry? { throw damage }
    }
    let fixture = try PairTreeFixture(.integer)
    let reader = PairReader(fixture.tree, verified: VerifiedBlocks(path: "a.larder")) { DamagedCursor() }
    let reads: [(PairReader) throws -> Void] = [
      { _ = try $0.firstKey(equalTo: .integer(1)) }, { _ = try $0.count(equalTo: .integer(1)) },
      { _ = try $0.keys(equalTo: .integer(1)) }, { _ = try $0.keys(from: .unbounded, to: .unbounded) },
      { _ = try $0.entryCount() }, { try $0.forEach(descending: true) { _ in true } },
      { try $0.forEachEntry(.values) { _ in true } },
    ]
    for read in reads {
      #expect { try read(reader) } throws: { ($0 as? StorageError)?.path == "a.larder" }
    }
  }

  @Test("verify finds a sound block under a foreign key")
  func misplacedBlockIsFound() throws {
    let fixture = try PairTreeFixture(.integer, limits: PairLimits(pairs: 4, bytes: 512))
    try fixture.apply(adding: (0..<20).map { Pair(value: .integer($0 * 3), key: $0) })
    var blocks: [(KeyBytes, [UInt8])] = []
    try fixture.withReader { reader in
      try reader.forEachEntry(.values) {
        blocks.append((KeyBytes(bytes: $0.key.buffer), $0.value.bytes))
        return true
      }
    }
    try fixture.write { try $0.put(fixture.tree.table, blocks[1].0, blocks[3].1) }
    #expect(try fixture.problems().contains { $0.message.contains("key") })
    #expect(try fixture.problems().contains { $0.message.contains("previous") })
  }

  @Test("backlinks are found by their target, once for each link")
  func backlinks() throws {
    let directory = try TemporaryDirectory("backlinks")
    let environment = try Environment.open(
      path: directory.file("store"), options: EnvironmentOptions(tables: ["backlinks"]))
    let tree = PairTree.backlinks(
      table: environment.table("backlinks"), target: ClassID(rawValue: 1), origin: ClassID(rawValue: 2),
      ColumnID(rawValue: 3))
    var changes = PairChanges(codec: .integer)
    for origin: UInt64 in [5, 3, 3, 9] { changes.add(42, ObjectKey(rawValue: origin), 1) }
    changes.add(41, ObjectKey(rawValue: 8), 1)
    let transaction = try environment.beginWrite()
    try tree.apply(&changes, in: transaction)
    // The transaction sees its own changes before they are committed.
    let view = BacklinkView(PairReader(tree) { try transaction.cursor(tree.table) })
    #expect(try view.keys(to: ObjectKey(rawValue: 42)).map(\.rawValue) == [3, 3, 5, 9])
    #expect(try view.count(to: ObjectKey(rawValue: 41)) == 1)
    #expect(try view.keys(to: ObjectKey(rawValue: 40)) == [])
    try transaction.commit()
  }
}
