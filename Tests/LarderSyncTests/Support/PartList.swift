/// A list of ids as the server has it, of which a device has some elements: the model of a list with hidden entries (Y-32).
struct PartList {
  var entries: [Int]
  /// The elements that are on the device.
  var here: Set<Int>

  /// The elements that show.
  var visible: [Int] { entries.filter(here.contains) }

  /// The elements that do not show, each once.
  var hidden: [Int] { Set(entries).subtracting(here).sorted() }

  /// Returns the place of the element that shows at a position; the end for the position after the last.
  private func place(_ position: Int) -> Int {
    let places = entries.indices.filter { here.contains(entries[$0]) }
    return position < places.count ? places[position] : entries.count
  }

  /// New ones come right before what shows at the position, or at the end.
  mutating func insert(_ ids: [Int], at position: Int) { entries.insert(contentsOf: ids, at: place(position)) }

  mutating func remove(_ range: Range<Int>) {
    for position in range.reversed() { entries.remove(at: place(position)) }
  }

  /// Moves to right before, or right after, what shows at the new position.
  mutating func move(from source: Int, to position: Int) {
    let (from, to) = (place(source), place(position))
    let id = entries.remove(at: from)
    entries.insert(id, at: to)
  }

  /// Two moves.
  mutating func swap(_ first: Int, _ second: Int) {
    let (low, high) = (min(first, second), max(first, second))
    guard low < high else { return }
    move(from: high, to: low)
    if high - low > 1 { move(from: low + 1, to: high) }
  }

  mutating func replace(_ position: Int, with id: Int) { entries[place(position)] = id }
}
