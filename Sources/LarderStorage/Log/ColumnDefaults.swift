/// Created objects whose property holds the default of its declaration: in one column, sorted runs of keys.
///
/// Objects are mostly filled in the order of their keys, so that a run grows at the end.
struct ColumnDefaults {
  private var runs: [KeyRange] = []

  /// The keys.
  var ranges: KeyRanges { KeyRanges(unordered: runs) }

  mutating func add(_ key: UInt64) {
    guard let last = runs.last else { return runs.append(KeyRange(start: key, count: 1)) }
    if key == last.end {
      runs[runs.count - 1] = KeyRange(start: last.start, count: last.count + 1)
    } else if key > last.end {
      runs.append(KeyRange(start: key, count: 1))
    } else {
      let place = place(of: key)
      if place < runs.count, runs[place].start <= key { return }
      runs.insert(KeyRange(start: key, count: 1), at: place)
    }
  }

  mutating func remove(_ key: UInt64) {
    let place = place(of: key)
    guard place < runs.count, runs[place].start <= key else { return }
    let run = runs[place]
    let parts = [
      KeyRange(start: run.start, count: key - run.start), KeyRange(start: key + 1, count: run.end - key - 1),
    ]
    runs.replaceSubrange(place...place, with: parts.filter { $0.count > 0 })
  }

  /// The first run that does not end before the key. O(log n).
  private func place(of key: UInt64) -> Int {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].end <= key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
