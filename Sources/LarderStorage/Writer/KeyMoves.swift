/// The objects that get new keys, and those keys: of each class the moved objects follow one another after all others (L-6).
package struct KeyMoves: Sendable {
  private struct Moved {
    /// Ascending.
    let keys: [ObjectKey]
    let first: UInt64
    /// By place, where they do not follow one another.
    var places: [ObjectKey] = []
  }

  private var classes: [ClassID: Moved] = [:]

  package init() {}

  /// - Parameters:
  ///   - objects: Ascending, by class.
  ///   - nextKey: The key that the next object of a class gets.
  init(_ objects: [ClassID: [ObjectKey]], nextKey: (ClassID) throws -> UInt64) rethrows {
    for (id, keys) in objects where !keys.isEmpty { classes[id] = Moved(keys: keys, first: try nextKey(id)) }
  }

  /// Of one class: where each of its objects moves to.
  init(_ id: ClassID, _ moves: [ObjectKey: ObjectKey]) {
    let keys = moves.keys.sorted()
    classes[id] = Moved(keys: keys, first: 0, places: keys.compactMap { moves[$0] })
  }

  var isEmpty: Bool { classes.isEmpty }
  /// Classes of which objects move, in order.
  var classIDs: [ClassID] { classes.keys.sorted() }

  /// The moved objects of a class by the keys they had, ascending.
  func objects(of id: ClassID) -> [ObjectKey] { classes[id]?.keys ?? [] }

  /// The new key of an object; nil for one that keeps its key. O(log moved).
  package func newKey(_ id: ClassID, _ key: ObjectKey) -> ObjectKey? {
    guard let moved = classes[id], let lowest = moved.keys.first, let highest = moved.keys.last, key >= lowest,
      key <= highest
    else { return nil }
    var (low, high) = (0, moved.keys.count)
    while low < high {
      let middle = (low + high) / 2
      if moved.keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    guard moved.keys[low] == key else { return nil }
    return moved.places.isEmpty ? ObjectKey(rawValue: moved.first + UInt64(low)) : moved.places[low]
  }

  /// Returns true if a link leads to an object that moves.
  func moves(_ link: ObjectLink) -> Bool { newKey(link.classID, link.key) != nil }

  /// Returns true if a value of a column links to an object that moves, at any depth.
  func concern(_ value: StoredValue, _ column: ColumnDescriptor) -> Bool {
    switch value {
    case .link(let key): return column.target.flatMap { newKey($0, key) } != nil
    case .object(let link): return moves(link)
    case .list, .dictionary:
      var isFound = false
      value.forEachLink { isFound = isFound || moves($0) }
      return isFound
    default: return false
    }
  }

  /// The value of a column with its links, at any depth, led to the new keys.
  func led(_ value: StoredValue, _ column: ColumnDescriptor) -> StoredValue {
    switch value {
    case .link(let key): column.target.flatMap { newKey($0, key) }.map { .link($0) } ?? value
    case .object, .list, .dictionary:
      value.mapLinks { link in
        newKey(link.classID, link.key).map { ObjectLink(classID: link.classID, key: $0) } ?? link
      }
    default: value
    }
  }
}
