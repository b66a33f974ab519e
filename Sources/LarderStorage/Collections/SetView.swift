/// A set over the list of its sorted elements, stored or open for changes.
struct SetView: SetReading {
  let elements: any ListReading

  init(_ elements: any ListReading) { self.elements = elements }

  package var count: Int { elements.count }
  package func value(at position: Int) throws -> StoredValue { try elements.value(at: position) }
  package func forEachChunk(_ body: (_ firstPosition: Int, LeafView) throws -> Bool) throws {
    try elements.forEachChunk(body)
  }

  package func position(of value: StoredValue) throws -> Int? {
    let found = try elements.sortedPosition(of: value)
    return found.isThere ? found.position : nil
  }
}

extension ListReading {
  /// Returns the position of a value among sorted elements from a position on, or the one at which it would be inserted. O(log count) elements are
  /// looked at.
  func sortedPosition(of value: StoredValue, from start: Int = 0) throws -> (position: Int, isThere: Bool) {
    var low = start
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      let order = StoredOrder.compare(try self.value(at: middle), value)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }
}
