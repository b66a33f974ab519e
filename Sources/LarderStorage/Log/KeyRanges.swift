/// Object keys that follow one another.
package struct KeyRange: Hashable, Sendable {
  package let start: UInt64
  package let count: UInt64

  package init(start: UInt64, count: UInt64) {
    self.start = start
    self.count = count
  }

  /// The key after the last one.
  package var end: UInt64 { start + count }
}

/// A set of object keys as ascending, disjoint runs that do not touch. Made for keys that come in bulk.
package struct KeyRanges: Hashable, Sendable {
  package private(set) var runs: [KeyRange] = []

  package init() {}

  /// Sorts and merges; runs may come in any order and overlap.
  package init(unordered: [KeyRange]) {
    if KeyRanges.isAscending(unordered) {
      for run in unordered { append(run) }
    } else if let bits = KeyBits(unordered) {
      bits.forEachRun { runs.append($0) }
    } else {
      for run in unordered.sorted(by: { $0.start < $1.start }) { append(run) }
    }
  }

  package init(_ keys: some Sequence<ObjectKey>) {
    self.init(unordered: keys.map { KeyRange(start: $0.rawValue, count: 1) })
  }

  private static func isAscending(_ runs: [KeyRange]) -> Bool {
    zip(runs, runs.dropFirst()).allSatisfy { $0.start <= $1.start }
  }

  /// Adds a run that starts at or after the start of the last one.
  private mutating func append(_ run: KeyRange) {
    guard run.count > 0 else { return }
    guard let last = runs.last, run.start <= last.end else {
      runs.append(run)
      return
    }
    let end = max(last.end, run.end)
    runs[runs.count - 1] = KeyRange(start: last.start, count: end - last.start)
  }

  package var isEmpty: Bool { runs.isEmpty }
  /// Number of keys. O(runs).
  package var count: Int { runs.reduce(0) { $0 + Int($1.count) } }
  package var first: ObjectKey? { runs.first.map { ObjectKey(rawValue: $0.start) } }
  package var last: ObjectKey? { runs.last.map { ObjectKey(rawValue: $0.end - 1) } }

  /// O(log runs).
  package func contains(_ key: ObjectKey) -> Bool {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].end <= key.rawValue { low = middle + 1 } else { high = middle }
    }
    return low < runs.count && runs[low].start <= key.rawValue
  }

  /// Ascending.
  package func forEach(_ body: (ObjectKey) throws -> Void) rethrows {
    for run in runs {
      for key in run.start..<run.end { try body(ObjectKey(rawValue: key)) }
    }
  }

  package var keys: [ObjectKey] {
    var result: [ObjectKey] = []
    result.reserveCapacity(count)
    forEach { result.append($0) }
    return result
  }

  package func union(_ other: KeyRanges) -> KeyRanges {
    if other.isEmpty { return self }
    if isEmpty { return other }
    return KeyRanges(unordered: runs + other.runs)
  }

  /// The keys that are not in `other`. O(runs of both).
  package func subtracting(_ other: KeyRanges) -> KeyRanges {
    if isEmpty || other.isEmpty { return self }
    var result = KeyRanges()
    var next = 0
    for run in runs {
      var start = run.start
      while next < other.runs.count, other.runs[next].end <= start { next += 1 }
      var hole = next
      while hole < other.runs.count, other.runs[hole].start < run.end {
        if other.runs[hole].start > start {
          result.append(KeyRange(start: start, count: other.runs[hole].start - start))
        }
        start = max(start, other.runs[hole].end)
        hole += 1
      }
      if start < run.end { result.append(KeyRange(start: start, count: run.end - start)) }
    }
    return result
  }
}

extension KeyRanges {
  func encode(into writer: inout LogWriter) {
    writer.varint(runs.count)
    var previous: UInt64 = 0
    for run in runs {
      // The lowest bit says that a length follows: most runs of scattered updates hold one key.
      let isLong = run.count > 1
      writer.varint((run.start - previous) << 1 | (isLong ? 1 : 0))
      if isLong { writer.varint(run.count) }
      previous = run.end
    }
  }

  init(decoding reader: inout LogReader) throws {
    let count = try reader.count()
    runs.reserveCapacity(count)
    var previous: UInt64 = 0
    for index in 0..<count {
      let word = try reader.varint()
      let length = word & 1 == 1 ? try reader.varint() : 1
      let (start, startOverflow) = previous.addingReportingOverflow(word >> 1)
      let (end, endOverflow) = start.addingReportingOverflow(length)
      guard !startOverflow, !endOverflow, length > 0, end < 1 << 63, index == 0 || start > previous else {
        throw LogReader.damage("a range of keys is invalid")
      }
      runs.append(KeyRange(start: start, count: length))
      previous = end
    }
  }
}

/// Keys as bits, to put many scattered ones in order: far cheaper than sorting when they are close enough.
private struct KeyBits {
  private let base: UInt64
  private var words: [UInt64]

  /// Nil when there are few runs or they are too far apart.
  init?(_ runs: [KeyRange]) {
    guard runs.count >= 64 else { return nil }
    var low = UInt64.max
    var high: UInt64 = 0
    for run in runs {
      low = min(low, run.start)
      high = max(high, run.end)
    }
    guard low < high, (high - low) / 64 < UInt64(runs.count) * 8 else { return nil }
    base = low & ~63
    words = [UInt64](repeating: 0, count: Int((high - base + 63) / 64))
    for run in runs {
      let first = run.start - base
      if run.count == 1 {
        words[Int(first >> 6)] |= 1 << (first & 63)
      } else {
        for bit in first..<first + run.count { words[Int(bit >> 6)] |= 1 << (bit & 63) }
      }
    }
  }

  func forEachRun(_ body: (KeyRange) -> Void) {
    var start: UInt64?
    for (index, word) in words.enumerated() {
      let position = base + UInt64(index) * 64
      if word == 0 || word == .max, (word == .max) == (start != nil) { continue }
      var bit: UInt64 = 0
      while bit < 64 {
        let rest = (start == nil ? word : ~word) >> bit
        if rest == 0 { break }
        bit += UInt64(rest.trailingZeroBitCount)
        if let begun = start {
          body(KeyRange(start: begun, count: position + bit - begun))
          start = nil
        } else {
          start = position + bit
        }
      }
    }
    if let start { body(KeyRange(start: start, count: base + UInt64(words.count) * 64 - start)) }
  }
}
