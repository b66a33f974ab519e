import LarderStorage

/// Sorts keys by criteria read column by column.
///
/// Each criterion becomes a word per object. The words are radix-sorted; ties are ordered by whole values where a word is
/// only a prefix, then by the next criterion, at last by the order before.
struct Sorter {
  let context: ExecutionContext
  let classID: ClassID
  let sortKeys: [SortKey]

  init(_ context: ExecutionContext, _ classID: ClassID, _ sortKeys: [SortKey]) {
    self.context = context
    self.classID = classID
    self.sortKeys = sortKeys
  }

  /// The first `limit` of the sorted keys.
  func apply(_ keys: [ObjectKey], limit: Int = .max) throws -> [ObjectKey] {
    guard keys.count > 1, limit > 0, keys.count < Int(UInt32.max), !sortKeys.isEmpty else {
      return Array(keys.prefix(max(0, limit)))
    }
    var run = run(keys)
    return try run.order(limit: limit).map { keys[Int($0.position)] }
  }

  /// All of the sorted keys, and their words by the first criterion (`SortPrefix`); no words where that has none.
  func applyWithPrefixes(_ keys: [ObjectKey]) throws -> (keys: [ObjectKey], prefixes: [UInt64]) {
    guard let first = sortKeys.first, first.hasPrefixes, !keys.isEmpty, keys.count < Int(UInt32.max) else {
      return (try apply(keys), [])
    }
    var run = run(keys)
    let order = try run.order(limit: .max)
    return (order.map { keys[Int($0.position)] }, try run.column(0).prefixes(order))
  }

  private func run(_ keys: [ObjectKey]) -> SortRun {
    let raw = keys.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) }
    return SortRun(context: context, classID: classID, sortKeys: sortKeys, keys: raw)
  }
}

/// The state of one sort.
private struct SortRun {
  let context: ExecutionContext
  let classID: ClassID
  let sortKeys: [SortKey]
  let keys: [UInt64]
  private var columns: [SortColumn] = []

  init(context: ExecutionContext, classID: ClassID, sortKeys: [SortKey], keys: [UInt64]) {
    self.context = context
    self.classID = classID
    self.sortKeys = sortKeys
    self.keys = keys
  }

  /// Criteria after the first are read only when there are ties.
  mutating func column(_ level: Int) throws -> SortColumn {
    while columns.count <= level {
      columns.append(try SortColumn(context, classID, sortKeys[columns.count], keys))
    }
    return columns[level]
  }

  mutating func order(limit: Int) throws -> ArraySlice<SortEntry> {
    let first = try column(0)
    var entries = [SortEntry]()
    if limit < keys.count / 8 {
      entries = Self.smallest(limit, of: first)
    } else {
      entries.reserveCapacity(keys.count)
      for position in keys.indices { entries.append(SortEntry(word: 0, position: UInt32(position))) }
    }
    var scratch = entries
    try entries.withUnsafeMutableBufferPointer { entries in
      try scratch.withUnsafeMutableBufferPointer { scratch in
        try sort(entries, scratch, level: 0)
      }
    }
    return entries.prefix(limit)
  }

  /// At least the first `limit` entries by rank and word, with all that equal the last of them, in the order before.
  private static func smallest(_ limit: Int, of column: SortColumn) -> [SortEntry] {
    guard let ranks = column.ranks else { return smallest(limit, of: column.words) { _ in true } }
    var kept: [SortEntry] = []
    for rank in UInt8(0)...2 where kept.count < limit {
      if rank == SortColumn.valueRank {
        kept += smallest(limit - kept.count, of: column.words) { ranks[$0] == rank }
      } else {
        for position in ranks.indices where ranks[position] == rank {
          kept.append(SortEntry(word: 0, position: UInt32(truncatingIfNeeded: position)))
        }
      }
    }
    return kept
  }

  @inline(__always)
  private static func smallest(
    _ limit: Int, of words: [UInt64], where isWanted: (Int) -> Bool
  ) -> [SortEntry] {
    var kept: [SortEntry] = []
    var capacity = max(4 * limit, 1024)
    var threshold = UInt64.max
    for position in words.indices {
      let word = words[position]
      guard word <= threshold, isWanted(position) else { continue }
      kept.append(SortEntry(word: word, position: UInt32(truncatingIfNeeded: position)))
      guard kept.count >= capacity else { continue }
      threshold = kept.map(\.word).sorted()[limit - 1]
      kept.removeAll { $0.word > threshold }
      capacity = max(capacity, 2 * kept.count)
    }
    return kept
  }

  private mutating func sort(
    _ entries: UnsafeMutableBufferPointer<SortEntry>, _ scratch: UnsafeMutableBufferPointer<SortEntry>, level: Int
  ) throws {
    guard entries.count > 1, level < sortKeys.count else { return }
    let column = try column(level)
    var start = 0
    for (rank, count) in Self.partition(entries, scratch, column.ranks) where count > 0 {
      let part = UnsafeMutableBufferPointer(rebasing: entries[start..<start + count])
      let spare = UnsafeMutableBufferPointer(rebasing: scratch[start..<start + count])
      start += count
      guard rank == SortColumn.valueRank else {
        try sort(part, spare, level: level + 1)
        continue
      }
      for index in part.indices { part[index].word = column.words[Int(part[index].position)] }
      RadixSort.sort(part, scratch: spare)
      try sortTies(part, spare, column, level)
    }
  }

  /// Puts the ranks one after the other, stably, and tells how many there are of each.
  private static func partition(
    _ entries: UnsafeMutableBufferPointer<SortEntry>, _ scratch: UnsafeMutableBufferPointer<SortEntry>,
    _ ranks: [UInt8]?
  ) -> [(rank: UInt8, count: Int)] {
    guard let ranks else { return [(SortColumn.valueRank, entries.count)] }
    var counts = [0, 0, 0]
    for entry in entries { counts[Int(ranks[Int(entry.position)])] += 1 }
    var next = [0, counts[0], counts[0] + counts[1]]
    for entry in entries {
      let rank = Int(ranks[Int(entry.position)])
      scratch[next[rank]] = entry
      next[rank] += 1
    }
    _ = entries.update(fromContentsOf: scratch[..<entries.count])
    return counts.enumerated().map { (UInt8($0.offset), $0.element) }
  }

  /// Orders the runs of equal words.
  private mutating func sortTies(
    _ entries: UnsafeMutableBufferPointer<SortEntry>, _ scratch: UnsafeMutableBufferPointer<SortEntry>,
    _ column: SortColumn, _ level: Int
  ) throws {
    guard !column.isExact || level + 1 < sortKeys.count else { return }
    var start = 0
    while start < entries.count {
      var end = start + 1
      while end < entries.count, entries[end].word == entries[start].word { end += 1 }
      if end - start > 1 {
        let run = UnsafeMutableBufferPointer(rebasing: entries[start..<end])
        let spare = UnsafeMutableBufferPointer(rebasing: scratch[start..<end])
        if column.isExact {
          try sort(run, spare, level: level + 1)
        } else {
          try sortWhole(run, spare, column, level)
        }
      }
      start = end
    }
  }

  /// Orders entries of equal words by their whole values.
  private mutating func sortWhole(
    _ entries: UnsafeMutableBufferPointer<SortEntry>, _ scratch: UnsafeMutableBufferPointer<SortEntry>,
    _ column: SortColumn, _ level: Int
  ) throws {
    var sorted = entries
    try sorted.sort { a, b in
      let order = try column.compare(Int(a.position), Int(b.position))
      return order != 0 ? order < 0 : a.position < b.position
    }
    guard level + 1 < sortKeys.count else { return }
    var start = 0
    while start < entries.count {
      var end = start + 1
      while end < entries.count,
        try column.compare(Int(entries[start].position), Int(entries[end].position)) == 0
      { end += 1 }
      if end - start > 1 {
        try sort(
          UnsafeMutableBufferPointer(rebasing: entries[start..<end]),
          UnsafeMutableBufferPointer(rebasing: scratch[start..<end]), level: level + 1)
      }
      start = end
    }
  }
}
