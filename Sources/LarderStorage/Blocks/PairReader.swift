import LarderCrypto
import LarderLMDB

/// An end of a range of values in a pair tree.
package enum PairBound {
  case unbounded
  case inclusive(IndexValue)
  case exclusive(IndexValue)
}

/// Reads a pair tree through cursors of a read or write transaction.
///
/// Belongs to one thread at a time, like the cursors; cheap to make. Blocks are searched in place.
package struct PairReader {
  package let tree: PairTree
  private let makeCursor: () throws -> any CursorReading
  private let verified: VerifiedBlocks?
  /// The blocks of the values, where something keeps them.
  private let list: BlockList?
  /// The greatest number of copies of one pair. A block says their number in a few bytes, and a reader that believes it fills memory with them.
  let mostCopies: Int

  /// - Parameters:
  ///   - verified: blocks that need no check of their checksum; without it none is checked, as `verify` wants it.
  ///   - mostCopies: more copies of one pair are damage; one pair may be there for each element of all lists.
  ///   - list: the blocks of the values, which need no cursor then.
  ///   - cursor: gives a cursor on the tree's table, for use until the call that asked for it returns.
  package init(
    _ tree: PairTree, verified: VerifiedBlocks? = nil, mostCopies: Int = .max,
    cursor: @escaping () throws -> any CursorReading
  ) {
    self.init(tree, verified: verified, list: nil, mostCopies: mostCopies, cursor: cursor)
  }

  init(
    _ tree: PairTree, verified: VerifiedBlocks?, list: BlockList?, mostCopies: Int = .max,
    cursor: @escaping () throws -> any CursorReading
  ) {
    self.mostCopies = mostCopies
    self.tree = tree
    self.verified = verified
    self.list = list
    self.makeCursor = cursor
  }

  /// Makes sure that a block is as it was written.
  @inline(__always)
  func check(_ bytes: ByteView, _ partition: PairTree.Partition) throws {
    guard let verified else { return }
    guard verified.isIntact(bytes, prefix: tree.word(partition)) else { throw tree.damage }
    // Of the smaller numbers the header is asked.
    let count = Int(bytes.load(PairBlockFormat.count, as: UInt32.self))
    if count > PairBlockFormat.mostPairs, count > mostCopies { throw tree.damage }
  }

  // MARK: Equality

  /// The smallest key that has the value, or nil: the point lookup of a unique index. One seek; the block is searched
  /// in place.
  package func firstKey(equalTo value: IndexValue) throws -> ObjectKey? {
    if let hashed = try tree.hashed(value) { return try firstKey(equalTo: hashed) }
    switch try tree.stored(value) {
    case .null: return try firstKey(.nulls, PairTarget())
    case .integer(let word): return try firstKey(.values, PairTarget(word: word))
    case .bytes(let bytes):
      return try bytes.withUnsafeBytes { try firstKey(.values, PairTarget(word: PackedPair.word(of: $0), bytes: $0)) }
    }
  }

  /// The smallest key that has the integer, or nil.
  package func firstKey(equalTo word: UInt64) throws -> ObjectKey? {
    if let hash = tree.hash { return try firstKey(equalTo: hash.value(of: word, in: tree.prefix)) }
    return try firstKey(.values, PairTarget(word: word))
  }

  /// The smallest key that has the hash, or nil.
  private func firstKey(equalTo hash: HashedValue) throws -> ObjectKey? {
    if let list { return list.firstKey(equalTo: hash) }
    return try hash.withBytes { try firstKey(.values, PairTarget(word: hash.high, bytes: $0)) }
  }

  private func firstKey(_ partition: PairTree.Partition, _ target: PairTarget) throws -> ObjectKey? {
    try reading {
      var walk = try walk(partition, from: target)
      while let bytes = try walk.next(tree, partition) {
        try check(bytes, partition)
        let block = try PairBlock(bytes)
        let run = block.runs(below: target)
        if run < block.runs {
          guard block.compare(run: run, target) == 0 else { return nil }
          return ObjectKey(rawValue: block.key(block.pairs(inFirst: run)))
        }
      }
      return nil
    }
  }

  /// The smallest key that has the text, which is not cut, or nil. Copies nothing of a native string.
  func firstKey(equalTo text: String) throws -> ObjectKey? {
    var text = text
    return try text.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      if let hash = tree.hash { return try firstKey(equalTo: hash.value(of: bytes, in: tree.prefix)) }
      return try firstKey(.values, PairTarget(word: PackedPair.word(of: bytes), bytes: bytes))
    }
  }

  /// Number of pairs with the value; blocks that hold nothing else are counted by their headers.
  package func count(equalTo value: IndexValue) throws -> Int {
    guard tree.hash == nil, case .integer(let word) = value else {
      return try count(from: .inclusive(value), to: .inclusive(value))
    }
    return try count(equalTo: word)
  }

  /// Number of pairs with the integer.
  func count(equalTo word: UInt64) throws -> Int {
    try reading {
      if tree.hash != nil { return try count(equalTo: .integer(word)) }
      let target = PairTarget(word: word)
      if let list { return try pairs(list, upTo: target) - pairs(list, below: target) }
      var walk = try walk(.values, from: target)
      var total = 0
      while let bytes = try walk.next(tree, .values) {
        try check(bytes, .values)
        if let count = PairBlock.count(ifAllEqual: word, bytes) {
          total += count
        } else {
          let block = try PairBlock(bytes)
          if block.first > word { break }
          total += block.pairs(inFirst: block.runs(upTo: target)) - block.pairs(inFirst: block.runs(below: target))
          if block.last > word { break }
        }
      }
      return total
    }
  }

  /// Number of all pairs whose value is below the target.
  private func pairs(_ list: BlockList, below target: PairTarget) throws -> Int {
    let position = try list.blocks(below: target)
    guard position > 0 else { return 0 }
    try check(list[position - 1], .values)
    let block = try PairBlock(list[position - 1])
    return list.pairs(before: position - 1) + block.pairs(inFirst: block.runs(below: target))
  }

  /// Number of all pairs whose value is not above the target.
  private func pairs(_ list: BlockList, upTo target: PairTarget) throws -> Int {
    let position = try list.blocks(upTo: target)
    guard position > 0 else { return 0 }
    try check(list[position - 1], .values)
    let block = try PairBlock(list[position - 1])
    return list.pairs(before: position - 1) + block.pairs(inFirst: block.runs(upTo: target))
  }

  /// Keys of the pairs with the value, ascending.
  package func keys(equalTo value: IndexValue) throws -> [ObjectKey] {
    try keys(from: .inclusive(value), to: .inclusive(value))
  }

  // MARK: Ranges

  /// Number of pairs in the bounds. Nulls count only between two null bounds.
  package func count(from lower: PairBound, to upper: PairBound) throws -> Int {
    if let list, let count = try count(list, from: lower, to: upper) { return count }
    var total = 0
    try forEachSpan(from: lower, to: upper) { _, pairs in
      total += pairs.count
      return true
    }
    return total
  }

  /// The same without looking at what is between; nil for null bounds.
  private func count(_ list: BlockList, from lower: PairBound, to upper: PairBound) throws -> Int? {
    let before: Int
    switch lower {
    case .inclusive(.null), .exclusive(.null): return nil
    case .unbounded: before = 0
    case .inclusive(let value): before = try withTarget(value) { try pairs(list, below: $0) }
    case .exclusive(let value): before = try withTarget(value) { try pairs(list, upTo: $0) }
    }
    switch upper {
    case .inclusive(.null), .exclusive(.null): return nil
    case .unbounded: return list.pairs(before: list.count) - before
    case .inclusive(let value): return max(0, try withTarget(value) { try pairs(list, upTo: $0) } - before)
    case .exclusive(let value): return max(0, try withTarget(value) { try pairs(list, below: $0) } - before)
    }
  }

  /// Keys of the pairs in the bounds, in (value, key) order.
  package func keys(from lower: PairBound, to upper: PairBound) throws -> [ObjectKey] {
    var result: [ObjectKey] = []
    try forEachSpan(from: lower, to: upper) { block, pairs in
      block.appendKeys(pairs, to: &result)
      return true
    }
    return result
  }

  /// Number of all pairs, with those of null. O(blocks).
  package func entryCount() throws -> Int {
    try count(from: .inclusive(.null), to: .inclusive(.null)) + count(from: .unbounded, to: .unbounded)
  }

  /// Visits all keys in (value, key) order, nulls first, or wholly reversed, until `body` returns false.
  package func forEach(descending: Bool, _ body: (ObjectKey) throws -> Bool) throws {
    try forEachBlock(descending: descending) { block in
      for index in 0..<block.count {
        let key = block.key(descending ? block.count - 1 - index : index)
        if try !body(ObjectKey(rawValue: key)) { return false }
      }
      return true
    }
  }

  // MARK: Blocks

  /// Visits all blocks in order, nulls first, or reversed, until `body` returns false.
  func forEachBlock(descending: Bool, _ body: (PairBlock) throws -> Bool) throws {
    try reading {
      let cursor = try makeCursor()
      var entry: Entry?
      if descending {
        entry = try cursor.seek(KeyBytes(tree.prefix | 0xFF))
        entry = entry == nil ? try cursor.last() : try cursor.previous()
      } else {
        entry = try cursor.seek(KeyBytes(tree.prefix))
      }
      while let found = entry, tree.contains(found.key, .nulls) || tree.contains(found.key, .values) {
        try check(found.value, tree.contains(found.key, .nulls) ? .nulls : .values)
        if try !body(PairBlock(found.value)) { return }
        entry = descending ? try cursor.previous() : try cursor.next()
      }
    }
  }

  /// Visits the entries of one partition in order until `body` returns false.
  func forEachEntry(_ partition: PairTree.Partition, _ body: (Entry) throws -> Bool) throws {
    try reading {
      let cursor = try makeCursor()
      var entry = try cursor.seek(KeyBytes(tree.word(partition)))
      while let found = entry, tree.contains(found.key, partition) {
        if try !body(found) { return }
        entry = try cursor.next()
      }
    }
  }

  /// Visits the parts of blocks that are in the bounds, in order, until `body` returns false.
  func forEachSpan(
    from lower: PairBound, to upper: PairBound, _ body: (PairBlock, Range<Int>) throws -> Bool
  ) throws {
    switch (lower, upper) {
    case (.inclusive(.null), .inclusive(.null)):
      try forEachSpan(.nulls, from: .everything, to: .everything, body)
    case (.exclusive(.null), _), (_, .exclusive(.null)), (_, .inclusive(.null)):
      return
    case (.inclusive(.null), _):
      try forEachSpan(from: .unbounded, to: upper, body)
    default:
      try withTarget(lower) { lower in
        try withTarget(upper) { upper in try forEachSpan(.values, from: lower, to: upper, body) }
      }
    }
  }

  /// A bound whose value is in memory.
  private struct Limit {
    static var everything: Limit { Limit(target: nil, isInclusive: true) }
    var target: PairTarget?
    var isInclusive: Bool
  }

  private func withTarget(_ bound: PairBound, _ body: (Limit) throws -> Void) throws {
    switch bound {
    case .unbounded: try body(.everything)
    case .inclusive(let value): try withTarget(value) { try body(Limit(target: $0, isInclusive: true)) }
    case .exclusive(let value): try withTarget(value) { try body(Limit(target: $0, isInclusive: false)) }
    }
  }

  private func withTarget<R>(_ value: IndexValue, _ body: (PairTarget) throws -> R) throws -> R {
    switch try tree.stored(value) {
    case .null: return try body(PairTarget())
    case .integer(let word): return try body(PairTarget(word: word))
    case .bytes(let bytes):
      return try bytes.withUnsafeBytes { try body(PairTarget(word: PackedPair.word(of: $0), bytes: $0)) }
    }
  }

  private func forEachSpan(
    _ partition: PairTree.Partition, from lower: Limit, to upper: Limit,
    _ body: (PairBlock, Range<Int>) throws -> Bool
  ) throws {
    try reading {
      var walk = try walk(partition, from: lower.target)
      var isBelow = lower.target != nil
      while let bytes = try walk.next(tree, partition) {
        try check(bytes, partition)
        let block = try PairBlock(bytes)
        var start = 0
        if isBelow, let target = lower.target {
          start = block.pairs(inFirst: lower.isInclusive ? block.runs(below: target) : block.runs(upTo: target))
          isBelow = start == block.count
        }
        var end = block.count
        if let target = upper.target {
          let order = block.compare(run: block.runs - 1, target)
          if order > 0 || (order == 0 && !upper.isInclusive) {
            end = block.pairs(inFirst: upper.isInclusive ? block.runs(upTo: target) : block.runs(below: target))
          }
        }
        if start < end, try !body(block, start..<end) { return }
        if end < block.count { return }
      }
    }
  }

  /// Gives what LMDB says of a damaged page the store's form. The verifier, which has no blocks that need no check, does so itself.
  @inline(__always)
  private func reading<Result>(_ body: () throws -> Result) throws -> Result {
    guard let verified else { return try body() }
    return try storageErrors(verified.path, body)
  }

  /// Goes over the blocks of a partition in order, from the first one that can hold the target or a greater value.
  @inline(__always)
  private func walk(_ partition: PairTree.Partition, from target: PairTarget?) throws -> BlockWalk {
    if let list, partition == .values {
      return .list(list, next: try target.map { max(0, try list.blocks(below: $0) - 1) } ?? 0)
    }
    let cursor = try makeCursor()
    return .cursor(cursor, at: try start(cursor, partition, target))
  }

  private enum BlockWalk {
    case list(BlockList, next: Int)
    /// The entry is the next one to look at.
    case cursor(any CursorReading, at: Entry?)
    /// The cursor is on the entry looked at last.
    case moving(any CursorReading)

    @inline(__always)
    mutating func next(_ tree: PairTree, _ partition: PairTree.Partition) throws -> ByteView? {
      let entry: Entry?
      switch self {
      case .list(let list, let position):
        guard position < list.count else { return nil }
        self = .list(list, next: position + 1)
        return list[position]
      case .cursor(let cursor, let first):
        entry = first
        self = .moving(cursor)
      case .moving(let cursor): entry = try cursor.next()
      }
      guard let entry, tree.contains(entry.key, partition) else { return nil }
      return entry.value
    }
  }

  /// The first block that can hold the target or a greater value.
  @inline(__always)
  private func start(
    _ cursor: any CursorReading, _ partition: PairTree.Partition, _ target: PairTarget?
  ) throws -> Entry? {
    guard let target else { return try cursor.seek(KeyBytes(tree.word(partition))) }
    let key = tree.seekKey(partition, word: target.word, bytes: target.bytes)
    // The block before the first one that begins at the target or above may end with it.
    let after = try cursor.seek(key)
    let before = after == nil ? try cursor.last() : try cursor.previous()
    if let before, tree.contains(before.key, partition) { return before }
    return try cursor.seek(key)
  }
}
