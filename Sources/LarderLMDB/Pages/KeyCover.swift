/// Ranges of keys, both ends in them.
struct KeyCover {
  /// In order, none overlapping another.
  private var ranges: [(first: TreeKey, last: TreeKey)]

  /// - Parameter ranges: In order, none overlapping another.
  init(_ ranges: [(first: TreeKey, last: TreeKey)]) { self.ranges = ranges }

  /// Returns the number of ranges that end before a key.
  private func place(_ key: TreeKey) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].last.precedes(key, isNumber: false) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func contains(_ key: TreeKey) -> Bool {
    let place = place(key)
    return place < ranges.count && !key.precedes(ranges[place].first, isNumber: false)
  }

  mutating func add(_ first: TreeKey, _ last: TreeKey) {
    let start = place(first)
    var end = start
    var range = (first: first, last: last)
    while end < ranges.count, !last.precedes(ranges[end].first, isNumber: false) {
      if ranges[end].first.precedes(range.first, isNumber: false) { range.first = ranges[end].first }
      if range.last.precedes(ranges[end].last, isNumber: false) { range.last = ranges[end].last }
      end += 1
    }
    ranges.replaceSubrange(start..<end, with: [range])
  }
}
