import LarderStorage

/// Folds the edits of a list, one after another, into a change set from the state before to the state after (N-18).
///
/// The list is kept as stretches: of elements it had at the beginning, by their old positions, and of new ones.
struct ListEditComposer {
  private struct Stretch {
    /// Old position of the first element; nil for new elements.
    var old: Int?
    var count: Int
    /// A single element that `move` took out of its place.
    var isMoved = false
  }

  /// More stretches than this are not followed: each edit walks them.
  private static let mostStretches = 4096

  private let oldCount: Int
  private(set) var count: Int
  private var stretches: [Stretch]
  private var replaced: Set<Int> = []

  init(count: Int) {
    oldCount = count
    self.count = count
    stretches = count > 0 ? [Stretch(old: 0, count: count)] : []
  }

  /// False when the edit does not fit the list, or there are too many to follow.
  mutating func apply(_ edit: ListEdit) -> Bool {
    guard edit.sizeBefore == count, stretches.count < ListEditComposer.mostStretches else { return false }
    switch edit.action {
    case .insert(let at, let inserted):
      guard at <= count else { return false }
      stretches.insert(Stretch(old: nil, count: inserted), at: split(at))
      count += inserted
    case .remove(let at, let removed):
      guard at + removed <= count else { return false }
      _ = take(at, removed)
    case .set(let at, let changed):
      guard at + changed <= count else { return false }
      for stretch in stretches[split(at)..<split(at + changed)] {
        if let old = stretch.old { replaced.formUnion(old..<old + stretch.count) }
      }
    case .move(let from, let to):
      guard from < count, to < count else { return false }
      var element = take(from, 1)
      for index in element.indices where element[index].old != nil { element[index].isMoved = true }
      stretches.insert(contentsOf: element, at: split(to))
      count += 1
    case .clear:
      stretches = []
      count = 0
    }
    return true
  }

  private mutating func take(_ at: Int, _ taken: Int) -> [Stretch] {
    let start = split(at)
    let end = split(at + taken)
    defer {
      stretches.removeSubrange(start..<end)
      count -= taken
    }
    return Array(stretches[start..<end])
  }

  /// Makes a stretch begin at a position; its index.
  private mutating func split(_ position: Int) -> Int {
    var before = 0
    for (index, stretch) in stretches.enumerated() {
      if before == position { return index }
      if before + stretch.count > position {
        let head = position - before
        stretches[index].count = head
        stretches.insert(
          Stretch(old: stretch.old.map { $0 + head }, count: stretch.count - head, isMoved: stretch.isMoved),
          at: index + 1)
        return index + 1
      }
      before += stretch.count
    }
    return stretches.count
  }

  /// The change so far.
  ///
  /// - Parameter modified: Old positions of elements that changed inside.
  func changeSet(modified: some Sequence<Int> = []) -> CollectionChangeSet {
    var touched = TouchedElements()
    var kept: [Range<Int>] = []
    var new = 0
    for stretch in stretches {
      if let old = stretch.old {
        kept.append(old..<old + stretch.count)
        if stretch.isMoved { touched.common.append(MoveFinder.Element(old: old, new: new)) }
      } else {
        touched.came += new..<new + stretch.count
      }
      new += stretch.count
    }
    var next = 0
    for range in kept.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      touched.gone += next..<range.lowerBound
      next = range.upperBound
    }
    touched.gone += next..<oldCount
    touched.modified = replaced.union(modified)
    return touched.changeSet()
  }
}
