/// A collection's elements, known by the positions they had when observers were told last, through all that was done since.
struct TaggedElements {
  /// By position now: the position then; nil for an element that came since.
  private(set) var old: [Int?] = []
  /// Positions then of places that were assigned since.
  private(set) var replaced: Set<Int> = []

  init(count: Int = 0) { old = Array(0..<count) }

  mutating func insert(at position: Int) { old.insert(nil, at: position) }
  mutating func remove(at position: Int) { old.remove(at: position) }
  mutating func removeAll() { old = [] }
  mutating func set(at position: Int) { if let then = old[position] { replaced.insert(then) } }
  mutating func move(from: Int, to: Int) { old.insert(old.remove(at: from), at: to) }
}
