/// Created objects whose property holds the default of its declaration: in one column.
///
/// Keeps what was said of the keys, in order, and works out at the end what holds: objects may be filled in any order, and coming back to
/// a mark drops what was said since. Objects that are mostly filled in the order of their keys take a step for each run of keys.
struct ColumnDefaults {
  private struct Step {
    var start: UInt64
    var end: UInt64
    var isAdded: Bool
  }

  private var steps: [Step] = []
  /// Steps before this one belong to a mark and do not change.
  private var sealed = 0
  /// Keys from here on occur in no step but the last.
  private var fresh: UInt64 = 0

  mutating func add(_ key: UInt64) {
    if let last = steps.last, steps.count > sealed, last.isAdded, last.end == key {
      steps[steps.count - 1].end += 1
    } else {
      append(Step(start: key, end: key + 1, isAdded: true))
    }
  }

  mutating func remove(_ key: UInt64) {
    guard let last = steps.last, steps.count > sealed, last.end == (last.isAdded ? key + 1 : key),
      !last.isAdded || key >= fresh
    else { return append(Step(start: key, end: key + 1, isAdded: false)) }
    if !last.isAdded {
      steps[steps.count - 1].end += 1
    } else if last.start == key {
      steps.removeLast()
    } else {
      steps[steps.count - 1].end -= 1
    }
  }

  /// Returns true if a key was added and not removed since. It costs time in the number of steps.
  func contains(_ key: UInt64) -> Bool {
    steps.last { $0.start <= key && key < $0.end }?.isAdded ?? false
  }

  private mutating func append(_ step: Step) {
    if let last = steps.last { fresh = max(fresh, last.end) }
    steps.append(step)
  }

  // MARK: - Marks

  /// Returns the number of steps so far, and keeps those from changing. O(1).
  mutating func mark() -> Int {
    sealed = steps.count
    return sealed
  }

  /// Forgets what was said since a mark.
  mutating func restore(_ mark: Int) {
    steps.removeSubrange(mark...)
    sealed = mark
  }

  // MARK: - The end

  /// The keys: of each what was said last. O(n log n).
  var ranges: KeyRanges {
    if steps.allSatisfy(\.isAdded) {
      return KeyRanges(unordered: steps.map { KeyRange(start: $0.start, count: $0.end - $0.start) })
    }
    // The borders part the keys into stretches; steps are laid over them from the last one on, each on what is still bare.
    let borders = Set(steps.flatMap { [$0.start, $0.end] }).sorted()
    let places = Dictionary(uniqueKeysWithValues: borders.enumerated().map { ($1, $0) })
    // Leads to the first bare stretch at or after one.
    var next = Array(0...borders.count)
    func bare(_ stretch: Int) -> Int {
      var found = stretch
      while next[found] != found { found = next[found] }
      var place = stretch
      while next[place] != found { (next[place], place) = (found, next[place]) }
      return found
    }
    var runs: [KeyRange] = []
    for step in steps.reversed() {
      guard let start = places[step.start], let end = places[step.end] else { continue }
      var stretch = bare(start)
      while stretch < end {
        if step.isAdded {
          runs.append(KeyRange(start: borders[stretch], count: borders[stretch + 1] - borders[stretch]))
        }
        next[stretch] = stretch + 1
        stretch = bare(stretch + 1)
      }
    }
    return KeyRanges(unordered: runs)
  }
}
