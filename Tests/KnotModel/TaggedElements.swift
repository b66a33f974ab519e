/// A collection's elements, known by the positions they had when observers were notified last, through all that was done since.
package struct TaggedElements: Codable {
  /// By position now: the position then; nil for an element that came since.
  package private(set) var old: [Int?] = []
  /// Positions then of places that were assigned since.
  package private(set) var replaced: Set<Int> = []

  package init(count: Int = 0) { old = Array(0..<count) }

  package mutating func insert(at position: Int) { old.insert(nil, at: position) }
  package mutating func remove(at position: Int) { old.remove(at: position) }
  package mutating func removeAll() { old = [] }
  package mutating func set(at position: Int) { if let then = old[position] { replaced.insert(then) } }
  package mutating func move(from: Int, to: Int) { old.insert(old.remove(at: from), at: to) }
}
