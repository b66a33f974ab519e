import LarderLMDB

/// Walking an index as a stable sort by its column would order the objects.
extension IndexView {
  package func forEachSorted(
    from lower: IndexBound, to upper: IndexBound, withNulls: Bool, descending: Bool,
    _ body: (ObjectKey) throws -> Bool
  ) throws {
    precondition(isOrdered, "an index of hashes knows no order")
    func visitNulls() throws -> Bool {
      guard withNulls else { return true }
      for key in try reader.keys(equalTo: .null) { if try !body(key) { return false } }
      return true
    }
    if descending {
      if try falling(from: lower, to: upper, body) { _ = try visitNulls() }
    } else if try visitNulls() {
      try rising(from: lower, to: upper, body)
    }
  }

  package func count(from lower: IndexBound, to upper: IndexBound, limit: Int) throws -> Int {
    precondition(isOrdered, "an index of hashes knows no ranges")
    var total = 0
    try reader.forEachSpan(from: bound(lower, isLower: true), to: bound(upper, isLower: false)) { _, pairs in
      total += pairs.count
      return total <= limit
    }
    return total
  }

  private func rising(from lower: IndexBound, to upper: IndexBound, _ body: (ObjectKey) throws -> Bool) throws {
    var pending = CutRun()
    var goesOn = true
    func flush() throws {
      let keys = try whole(pending.keys, lower, upper)
      pending.keys.removeAll()
      for key in keys where goesOn { goesOn = try body(key) }
    }
    try reader.forEachSpan(from: bound(lower, isLower: true), to: bound(upper, isLower: false)) { block, pairs in
      guard block.holdsCutValues else {
        try flush()
        for index in pairs where goesOn { goesOn = try body(ObjectKey(rawValue: block.key(index))) }
        return goesOn
      }
      for run in 0..<block.runs {
        let part = block.pairs(run: run).clamped(to: pairs)
        if part.isEmpty { continue }
        let string = block.string(run: run)
        if string.count > PairLimits.valueBytes {
          if !pending.head.elementsEqual(string) { try flush() }
          pending.head = Array(string)
          block.appendKeys(part, to: &pending.keys)
        } else {
          try flush()
          for index in part where goesOn { goesOn = try body(ObjectKey(rawValue: block.key(index))) }
        }
      }
      return goesOn
    }
    try flush()
  }

  /// Blocks and runs backwards, the keys of each value forwards. False when `body` wanted no more.
  private func falling(
    from lower: IndexBound, to upper: IndexBound, _ body: (ObjectKey) throws -> Bool
  ) throws -> Bool {
    var spans: [(block: ByteView, pairs: Range<Int>)] = []
    try reader.forEachSpan(from: bound(lower, isLower: true), to: bound(upper, isLower: false)) { block, pairs in
      spans.append((block.bytes, pairs))
      return true
    }
    var pending = FallingRun()
    var goesOn = true
    func flush() throws {
      let taken = pending.take()
      let keys = pending.isCut ? try whole(taken, lower, upper, descending: true) : taken
      for key in keys where goesOn { goesOn = try body(key) }
    }
    for (bytes, pairs) in spans.reversed() {
      let block = try PairBlock(bytes)
      for run in stride(from: block.runs - 1, through: 0, by: -1) where goesOn {
        let part = block.pairs(run: run).clamped(to: pairs)
        if part.isEmpty { continue }
        if part.upperBound == pairs.upperBound, pending.continues(block, run) {
          pending.add(block, part)
        } else {
          try flush()
          pending.begin(block, run, part)
        }
        // Only the first value of a span can go on in the block before.
        if part.lowerBound > pairs.lowerBound { try flush() }
      }
      if !goesOn { return false }
    }
    try flush()
    return goesOn
  }

  /// Keys that share a cut value, in order of their whole values, those out of bounds left out.
  private func whole(
    _ keys: [ObjectKey], _ lower: IndexBound, _ upper: IndexBound, descending: Bool = false
  ) throws -> [ObjectKey] {
    if keys.isEmpty { return [] }
    let rising = try ordered(keys).filter { try contains($0.value, lower, upper) }
    guard descending else { return rising.map(\.key) }
    var result: [ObjectKey] = []
    var rest = rising[...]
    while let last = rest.last {
      let group = rest.suffix(while: { $0.value == last.value })
      result += group.map(\.key)
      rest = rest.dropLast(group.count)
    }
    return result
  }
}

/// The keys of one value, collected over the blocks it spans.
private struct FallingRun {
  /// The last block's keys first.
  private var parts: [[ObjectKey]] = []
  private var word: UInt64 = 0
  private var string: [UInt8] = []
  private(set) var isCut = false

  mutating func begin(_ block: PairBlock, _ run: Int, _ pairs: Range<Int>) {
    add(block, pairs)
    let bytes = block.string(run: run)
    isCut = bytes.count > PairLimits.valueBytes
    // The value is compared with that of another block only.
    guard pairs.lowerBound == 0 else { return }
    word = block.word(run: run)
    string = Array(bytes)
  }

  func continues(_ block: PairBlock, _ run: Int) -> Bool {
    !parts.isEmpty && block.word(run: run) == word && block.string(run: run).elementsEqual(string)
  }

  /// Adds keys that come before all others.
  mutating func add(_ block: PairBlock, _ pairs: Range<Int>) {
    var part: [ObjectKey] = []
    block.appendKeys(pairs, to: &part)
    parts.append(part)
  }

  /// All keys in ascending order; forgets them.
  mutating func take() -> [ObjectKey] {
    defer { parts.removeAll(keepingCapacity: true) }
    return parts.count == 1 ? parts[0] : Array(parts.reversed().joined())
  }
}

extension ArraySlice {
  /// The longest end whose elements all satisfy the condition.
  fileprivate func suffix(while isWanted: (Element) -> Bool) -> ArraySlice {
    self[(lastIndex { !isWanted($0) }.map { $0 + 1 } ?? startIndex)...]
  }
}
