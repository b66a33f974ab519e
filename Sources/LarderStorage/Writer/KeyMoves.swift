/// Which objects get new keys, and which ones: of each class the moved objects follow one another after all others (L-6).
package struct KeyMoves: Sendable {
  private struct Moved {
    /// Ascending.
    let keys: [ObjectKey]
    let first: UInt64
  }

  private var classes: [ClassID: Moved] = [:]

  package init() {}

  /// - Parameters:
  ///   - objects: Ascending, by class.
  ///   - nextKey: The key that the next object of a class gets.
  init(_ objects: [ClassID: [ObjectKey]], nextKey: (ClassID) throws -> UInt64) rethrows {
    for (id, keys) in objects where !keys.isEmpty { classes[id] = Moved(keys: keys, first: try nextKey(id)) }
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
    return moved.keys[low] == key ? ObjectKey(rawValue: moved.first + UInt64(low)) : nil
  }

  /// Whether a link leads to an object that moves.
  func moves(_ link: ObjectLink) -> Bool { newKey(link.classID, link.key) != nil }

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
