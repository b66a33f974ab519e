/// Collects keys in any order; keys that come one after another cost an addition each.
struct RunBuffer {
  private var runs: [KeyRange] = []
  private var start: UInt64 = .max
  private var end: UInt64 = .max

  @inline(__always)
  mutating func add(_ key: UInt64) {
    if key == end {
      end &+= 1
    } else if key < start || key > end {
      begin(key, count: 1)
    }
  }

  mutating func add(_ run: KeyRange) {
    guard run.count > 0 else { return }
    if run.start == end { end = run.end } else { begin(run.start, count: run.count) }
  }

  @inline(never)
  private mutating func begin(_ key: UInt64, count: UInt64) {
    flush()
    start = key
    end = key + count
  }

  private mutating func flush() {
    if start < end { runs.append(KeyRange(start: start, count: end - start)) }
  }

  /// The number of runs that were collected, as far as they were written down: some more than there are ranges.
  var runCount: Int { runs.count }
  var isEmpty: Bool { start == end && runs.isEmpty }

  /// Returns the number of runs that were collected so far. O(1).
  mutating func mark() -> Int {
    flush()
    (start, end) = (.max, .max)
    return runs.count
  }

  /// Forgets what came since a mark.
  mutating func restore(_ mark: Int) {
    runs.removeSubrange(mark...)
    (start, end) = (.max, .max)
  }

  /// The keys, sorted and merged.
  func ranges() -> KeyRanges {
    var copy = self
    copy.flush()
    return KeyRanges(unordered: copy.runs)
  }
}
