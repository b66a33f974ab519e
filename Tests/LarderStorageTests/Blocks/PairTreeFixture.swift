import LarderLMDB
import TestSupport

@testable import LarderStorage

/// A pair tree in a file of its own, beside two neighbours that nothing may disturb, and the model it must equal.
final class PairTreeFixture {
  let directory: TemporaryDirectory
  let environment: Environment
  let tree: PairTree
  private let neighbours: [PairTree]
  /// Set where reads are to check blocks on first touch.
  var verified: VerifiedBlocks?
  /// All pairs in order, copies included.
  private(set) var model: [ModelPair] = []

  struct ModelPair: Hashable, Comparable {
    var value: IndexValue
    var key: UInt64

    static func < (left: ModelPair, right: ModelPair) -> Bool {
      if left.value == right.value { return left.key < right.key }
      return isBelow(left.value, right.value)
    }
  }

  init(_ codec: PairCodec, limits: PairLimits = PairLimits()) throws {
    directory = try TemporaryDirectory("pairs")
    var options = EnvironmentOptions(tables: ["indexes"])
    options.durability = .none
    environment = try Environment.open(path: directory.file("store"), options: options)
    let table = environment.table("indexes")
    tree = PairTree(table: table, prefix: 0x0002_0003_0000_0000, codec: codec, limits: limits)
    neighbours = [0x0002_0002_0000_0000, 0x0002_0004_0000_0000].map {
      PairTree(table: table, prefix: $0, codec: codec, limits: limits)
    }
    for neighbour in neighbours {
      try write { transaction in
        var changes = PairChanges(codec: codec)
        changes.addNull(ObjectKey(rawValue: 7), 1)
        changes.add(codec == .integer ? .integer(7) : .bytes([7]), ObjectKey(rawValue: 7), 1)
        try neighbour.apply(&changes, in: transaction)
      }
    }
  }

  func write(_ body: (WriteTransaction) throws -> Void) throws {
    let transaction = try environment.beginWrite()
    try body(transaction)
    try transaction.commit()
  }

  /// Applies changes to the tree and the model in one transaction.
  func apply(adding: [ModelPair] = [], removing: [ModelPair] = []) throws {
    var changes = PairChanges(codec: tree.codec)
    for pair in adding { changes.add(pair.value, ObjectKey(rawValue: pair.key), 1) }
    for pair in removing { changes.add(pair.value, ObjectKey(rawValue: pair.key), -1) }
    try write { try tree.apply(&changes, in: $0) }
    var counts: [ModelPair: Int] = [:]
    for pair in removing { counts[stored(pair), default: 0] += 1 }
    var kept: [ModelPair] = []
    for pair in model + adding.map(stored) {
      if let count = counts[pair], count > 0 { counts[pair] = count - 1 } else { kept.append(pair) }
    }
    model = kept.sorted()
  }

  private func stored(_ pair: ModelPair) -> ModelPair { ModelPair(value: pair.value.cut, key: pair.key) }

  func withReader<Result>(_ body: (PairReader) throws -> Result) throws -> Result {
    let transaction = try environment.beginRead()
    return try body(PairReader(tree, verified: verified) { try transaction.cursor(self.tree.table) })
  }

  /// Everything stored, read back in order.
  func pairs() throws -> [ModelPair] {
    try withReader { reader in
      var result: [ModelPair] = []
      for partition in PairTree.Partition.allCases {
        try reader.forEachEntry(partition) { entry in
          let block = try PairBlock(entry.value)
          for run in 0..<block.runs {
            let value: IndexValue =
              partition == .nulls
              ? .null
              : (tree.codec == .integer ? .integer(block.word(run: run)) : .bytes(Array(block.string(run: run))))
            for index in block.pairs(run: run) { result.append(ModelPair(value: value, key: block.key(index))) }
          }
          return true
        }
      }
      return result
    }
  }

  func problems() throws -> [StructureProblem] {
    var problems = try withReader { try $0.verify() }
    let transaction = try environment.beginRead()
    for neighbour in neighbours {
      let reader = PairReader(neighbour) { try transaction.cursor(neighbour.table) }
      problems += try reader.verify()
      if try reader.entryCount() != 2 {
        problems.append(StructureProblem(table: "indexes", key: KeyBytes(neighbour.prefix), "a neighbour changed"))
      }
    }
    return problems
  }

  /// Number of blocks and of bytes in them and their keys.
  func size() throws -> (blocks: Int, bytes: Int) {
    try withReader { reader in
      var size = (blocks: 0, bytes: 0)
      for partition in PairTree.Partition.allCases {
        try reader.forEachEntry(partition) { entry in
          size.blocks += 1
          size.bytes += entry.key.count + entry.value.count
          return true
        }
      }
      return size
    }
  }
}

/// Value order: nulls first, words unsigned, bytes bytewise.
func isBelow(_ left: IndexValue, _ right: IndexValue) -> Bool {
  switch (left, right) {
  case (.null, .null): false
  case (.null, _): true
  case (_, .null): false
  case (.integer(let left), .integer(let right)): left < right
  case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
  default: false
  }
}
