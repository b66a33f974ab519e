import LarderLMDB

/// Merges sorted changes into the blocks of one tree.
///
/// Each touched block is found by one seek, decoded, merged with all changes that fall into it, and written once.
/// Ascending additions after the last pair fill blocks completely; others split evenly. A block that shrinks below a
/// quarter joins the next one, or shares its pairs.
struct PairTreeWriter {
  private let tree: PairTree
  private let transaction: WriteTransaction
  private let cursor: WriteCursor
  /// The strings of all changes, followed by those of the blocks being merged.
  private var arena: [UInt8]
  private let ownBytes: Int
  private var existing: [PackedPair] = []
  private var merged: [PackedPair] = []
  private var block: [UInt8] = []

  /// Changes taken in one round when nothing else bounds them, so that a bulk load stays in the processor's cache.
  private static let roundSize = 8_192

  init(tree: PairTree, transaction: WriteTransaction, arena: [UInt8]) throws {
    self.tree = tree
    self.transaction = transaction
    self.cursor = try transaction.cursor(tree.table)
    self.arena = arena
    self.ownBytes = arena.count
  }

  mutating func apply(_ changes: [PackedPair], _ partition: PairTree.Partition) throws {
    if changes.count == 1, try extendLastBlock(by: changes[0], partition) { return }
    var start = 0
    while start < changes.count { start = try applyRound(changes, from: start, partition) }
  }

  /// Adds one pair that goes on the last block as its pairs do: what inserting an object mostly comes to.
  private mutating func extendLastBlock(by pair: PackedPair, _ partition: PairTree.Partition) throws -> Bool {
    guard pair.delta == 1, let entry = try findBlock(for: pair, partition) else { return false }
    let key = KeyBytes(bytes: entry.key.buffer)
    let old = try PairBlock(entry.value)
    let prefix = tree.word(partition)
    guard old.isIntact(prefix: prefix), encoder(partition).extend(old, by: pair, prefix: prefix, into: &block),
      try following(cursor.next(), partition) == nil
    else { return false }
    try transaction.put(tree.table, key, block)
    return true
  }

  /// Merges the changes from `start` on that belong to one block; returns where the next round begins.
  private mutating func applyRound(
    _ changes: [PackedPair], from start: Int, _ partition: PairTree.Partition
  ) throws -> Int {
    merged.removeAll(keepingCapacity: true)
    var oldKeys: [KeyBytes] = []
    var position = start
    var current = try findBlock(for: changes[start], partition)
    var isAppend = true
    var next: Entry?
    repeat {
      existing.removeAll(keepingCapacity: true)
      next = nil
      if let entry = current {
        oldKeys.append(KeyBytes(bytes: entry.key.buffer))
        try decode(entry, partition)
        next = try cursor.next()
      } else {
        next = try cursor.seek(KeyBytes(tree.word(partition)))
      }
      let following = try following(next, partition)
      let end = try bound(changes, from: position, before: following)
      isAppend = isAppend && following == nil && appends(changes, position)
      try merge(changes[position..<end], partition)
      position = end
      current = try absorbs(following, partition) ? next : nil
    } while current != nil
    try write(partition, oldKeys, isAppend: isAppend, isTableEnd: next == nil)
    arena.removeLast(arena.count - ownBytes)
    return position
  }

  /// The block a pair belongs to: the last that begins at or before it, else the first; nil in an empty partition.
  private func findBlock(for pair: PackedPair, _ partition: PairTree.Partition) throws -> Entry? {
    let key = blockKey(pair, partition)
    let entry = try cursor.seek(key)
    if let entry, key.withBytes({ compareBytes($0, entry.key.buffer) }) == 0 { return entry }
    let before = entry == nil ? try cursor.last() : try cursor.previous()
    if let before, tree.contains(before.key, partition) { return before }
    if let entry, tree.contains(entry.key, partition) { return try cursor.seek(key) }
    return nil
  }

  private func blockKey(_ pair: PackedPair, _ partition: PairTree.Partition) -> KeyBytes {
    arena.withUnsafeBytes { bytes in
      tree.blockKey(partition, word: pair.word, bytes: PairOrder(arena: bytes).bytes(pair), key: pair.key)
    }
  }

  private mutating func decode(_ entry: Entry, _ partition: PairTree.Partition) throws {
    let view = try PairBlock(entry.value)
    guard view.isIntact(prefix: tree.word(partition)) else {
      throw tree.damage
    }
    view.decode(into: &existing, arena: &arena)
  }

  /// The block after the current one, if it is of the same partition.
  private func following(_ next: Entry?, _ partition: PairTree.Partition) throws -> PairBlock? {
    guard let next, tree.contains(next.key, partition) else { return nil }
    let block = try PairBlock(next.value)
    // By its first pair changes are distinguished: a false one would file them wrongly, or never come to an end.
    guard block.isIntact(prefix: tree.word(partition)) else { throw tree.damage }
    return block
  }

  /// Returns the end of the changes that sort before the first pair of the following block.
  private mutating func bound(_ changes: [PackedPair], from start: Int, before following: PairBlock?) throws -> Int {
    guard let following else { return min(changes.count, start + Self.roundSize) }
    let string = following.string(run: 0)
    var pair = PackedPair(word: following.word(run: 0), key: following.key(0))
    pair.offset = UInt32(arena.count)
    pair.length = UInt16(clamping: string.count)
    arena.append(contentsOf: string)
    return arena.withUnsafeBytes { bytes in
      let order = PairOrder(arena: bytes)
      var low = start
      var high = changes.count
      while low < high {
        let middle = (low + high) / 2
        if order.compare(changes[middle], pair) < 0 { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  private func appends(_ changes: [PackedPair], _ position: Int) -> Bool {
    guard position < changes.count, let last = existing.last else { return true }
    return arena.withUnsafeBytes { PairOrder(arena: $0).compare(last, changes[position]) < 0 }
  }

  /// Appends to `merged` the existing pairs with the changes done to them.
  private mutating func merge(_ changes: ArraySlice<PackedPair>, _ partition: PairTree.Partition) throws {
    merged.reserveCapacity(merged.count + existing.count + changes.count)
    var next = 0
    var missing: PackedPair?
    arena.withUnsafeBytes { bytes in
      let order = PairOrder(arena: bytes)
      for change in changes {
        while next < existing.count, order.compare(existing[next], change) < 0 {
          merged.append(existing[next])
          next += 1
        }
        if change.delta > 0 {
          for _ in 0..<change.delta { merged.append(change) }
          continue
        }
        for _ in 0..<(-Int(change.delta)) {
          guard next < existing.count, order.compare(existing[next], change) == 0 else {
            missing = missing ?? change
            break
          }
          next += 1
        }
      }
    }
    merged.append(contentsOf: existing[next...])
    guard let missing else { return }
    throw StorageError(
      .corrupted,
      "The table \(tree.table.name) lacks the entry of an object that is stored. Run `larder check` on the store.",
      key: ObjectKey(rawValue: missing.key))
  }

  /// Returns true if the merged pairs are so few that they should share with the following block.
  private func absorbs(_ following: PairBlock?, _ partition: PairTree.Partition) throws -> Bool {
    guard following != nil, !merged.isEmpty else { return false }
    guard merged.count < tree.limits.pairs / 4 else { return false }
    return arena.withUnsafeBytes { encoder(partition).size(merged, PairOrder(arena: $0)) } < tree.limits.bytes / 4
  }

  private func encoder(_ partition: PairTree.Partition) -> PairBlockEncoder {
    PairBlockEncoder(codec: tree.codec(partition), limits: tree.limits)
  }

  /// Writes the merged pairs as blocks in place of the old ones.
  private mutating func write(
    _ partition: PairTree.Partition, _ oldKeys: [KeyBytes], isAppend: Bool, isTableEnd: Bool
  ) throws {
    let encoder = encoder(partition)
    let cuts = arena.withUnsafeBytes { encoder.cuts(merged, fillsBlocks: isAppend, PairOrder(arena: $0)) }
    let keys = cuts.map { blockKey(merged[$0.lowerBound], partition) }
    for key in oldKeys where !keys.contains(key) { try transaction.delete(tree.table, key) }
    for (cut, key) in zip(cuts, keys) {
      arena.withUnsafeBytes { bytes in
        encoder.encode(merged[cut], prefix: tree.word(partition), PairOrder(arena: bytes), into: &block)
      }
      try transaction.put(tree.table, key, block, append: isTableEnd && isAppend && !oldKeys.contains(key))
    }
  }
}
