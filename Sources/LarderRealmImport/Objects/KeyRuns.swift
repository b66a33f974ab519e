import LarderStorage

/// The objects of a class that were carried: from their keys in the `.realm` file to those in the store.
///
/// Keys come in ascending order. Neighbours whose keys rise together take 24 bytes for all of them; keys with gaps everywhere take that for
/// each object.
struct KeyRuns {
  private struct Run {
    var first: Int64
    var count: Int
    /// Place of its first object among all.
    var place: Int
  }

  private var runs: [Run] = []
  /// The key in the store of the first object; later ones follow without gaps.
  private var start: UInt64?
  private(set) var count = 0
  /// The run that was found last: objects often link to neighbours.
  private var last = 0

  /// Adds the next object; its key in the store is one more than that of the object before it. False, with nothing done, for a key that is
  /// not above all others.
  mutating func append(_ key: Int64, as stored: ObjectKey) -> Bool {
    if start == nil { start = stored.rawValue }
    if let run = runs.last {
      let (offset, isFar) = key.subtractingReportingOverflow(run.first)
      guard key > run.first, isFar || offset >= run.count else { return false }
      if !isFar, offset == run.count {
        runs[runs.count - 1].count += 1
        count += 1
        return true
      }
    }
    runs.append(Run(first: key, count: 1, place: count))
    count += 1
    return true
  }

  /// The place of an object among all that were added; nil when it was not.
  mutating func place(of key: Int64) -> Int? {
    if last < runs.count, let place = place(of: key, in: runs[last]) { return place }
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].first <= key { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    last = low - 1
    return place(of: key, in: runs[last])
  }

  /// The key in the store of an object; nil when it was not carried.
  mutating func storedKey(of key: Int64) -> ObjectKey? {
    guard let start, let place = place(of: key) else { return nil }
    return ObjectKey(rawValue: start + UInt64(place))
  }

  /// Calls `body` with the key in the file and the place of each object.
  func forEach(_ body: (_ key: Int64, _ place: Int) -> Void) {
    for run in runs { for offset in 0..<run.count { body(run.first + Int64(offset), run.place + offset) } }
  }

  private func place(of key: Int64, in run: Run) -> Int? {
    let (offset, isBeyond) = key.subtractingReportingOverflow(run.first)
    guard !isBeyond, offset >= 0, offset < run.count else { return nil }
    return run.place + Int(offset)
  }
}
