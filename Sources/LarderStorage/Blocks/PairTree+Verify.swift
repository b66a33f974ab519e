import LarderLMDB

/// Damage or a broken rule found in a stored structure.
package struct StructureProblem: Hashable, Sendable, CustomStringConvertible {
  /// The table in which it is.
  package let table: String
  /// Key of the entry, in hexadecimal.
  package let key: String
  package let message: String

  package init(table: String, key: KeyBytes, _ message: String) {
    self.table = table
    self.key = key.bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
    self.message = message
  }

  package var description: String { "\(table) \(key): \(message)" }
}

extension PairReader {
  /// Checks every block: checksum, header against content, order within and across blocks, keys, limits.
  ///
  /// - Returns: The problems found, at most `limit`; empty when the tree is sound.
  package func verify(limit: Int = 100) throws -> [StructureProblem] {
    var problems: [StructureProblem] = []
    var last: (pair: PackedPair, string: [UInt8])?
    for partition in PairTree.Partition.allCases {
      last = nil
      try forEachEntry(partition) { entry in
        let found = check(entry, partition, after: &last)
        problems += found.map { StructureProblem(table: tree.table.name, key: KeyBytes(bytes: entry.key.buffer), $0) }
        return problems.count < limit
      }
    }
    return Array(problems.prefix(limit))
  }

  private func check(
    _ entry: Entry, _ partition: PairTree.Partition, after last: inout (pair: PackedPair, string: [UInt8])?
  ) -> [String] {
    guard let block = try? PairBlock(entry.value) else { return ["the header does not fit the block"] }
    guard block.isIntact(prefix: tree.word(partition)) else { return ["the checksum does not match"] }
    guard (block.kind == PairBlockFormat.strings) == (tree.codec(partition) == .bytes) else {
      return ["the block is of another kind than the tree"]
    }
    guard block.count <= max(mostCopies, PairBlockFormat.mostPairs) else {
      return ["it counts \(block.count) pairs, more than there can be"]
    }
    var problems: [String] = []
    if let fault = block.fault { problems.append(fault) }
    if block.bytes.count > tree.limits.bytes || (block.count > tree.limits.pairs && block.runs > 1) {
      problems.append("the block is larger than its limits")
    }
    let key = tree.blockKey(partition, word: block.word(run: 0), bytes: block.string(run: 0), key: block.key(0))
    if key != KeyBytes(bytes: entry.key.buffer) { problems.append("the key is not that of the first pair") }
    if let last, !isAscending(last, block) { problems.append("the block begins before the previous one ends") }
    let lastPair = PackedPair(word: block.word(run: block.runs - 1), key: block.key(block.count - 1))
    last = (lastPair, Array(block.string(run: block.runs - 1)))
    return problems
  }

  private func isAscending(_ last: (pair: PackedPair, string: [UInt8]), _ block: PairBlock) -> Bool {
    var order = last.pair.word < block.word(run: 0) ? -1 : (last.pair.word == block.word(run: 0) ? 0 : 1)
    if block.kind == PairBlockFormat.strings {
      order = last.string.withUnsafeBytes { compareBytes($0, block.string(run: 0)) }
    }
    // Copies of one pair are never parted, so the next block begins with another.
    return order < 0 || (order == 0 && last.pair.key < block.key(0))
  }
}

extension PairBlock {
  /// The fault of the content, or nil.
  fileprivate var fault: String? {
    if word(run: 0) != first || word(run: runs - 1) != last { return "the header's values are not those stored" }
    for run in 0..<runs {
      let pairs = pairs(run: run)
      if pairs.isEmpty || (run > 0 && pairs.lowerBound != self.pairs(run: run - 1).upperBound) {
        return "the runs of equal values overlap or are empty"
      }
      if !holdsManyCopies {
        for index in pairs.dropFirst() where key(index - 1) > key(index) { return "keys of one value descend" }
      }
      if run == 0 { continue }
      let ascends =
        kind == Format.strings
        ? compareBytes(string(run: run - 1), string(run: run)) < 0 : word(run: run - 1) < word(run: run)
      if !ascends { return "values do not ascend" }
    }
    if kind == Format.linear, runs > 1, (last - first) % UInt64(count - 1) != 0 {
      return "the values of a linear block are not evenly spaced"
    }
    return pairs(run: runs - 1).upperBound == count ? nil : "the runs do not cover all pairs"
  }
}
