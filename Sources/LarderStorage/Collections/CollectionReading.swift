/// Read access to a list.
package protocol ListReading {
  var count: Int { get }
  /// The element at a position; traps outside of `0..<count`. O(log count).
  func value(at position: Int) throws -> StoredValue
  /// Calls `body` with each stored chunk's encoded elements in order and the position of its first element, until it returns false.
  func forEachChunk(_ body: (_ firstPosition: Int, LeafView) throws -> Bool) throws
  /// All elements in order, read chunk by chunk.
  func values() throws -> [StoredValue]
}

extension ListReading {
  package func values() throws -> [StoredValue] {
    var result: [StoredValue] = []
    // What a root counts is believed as its chunks are read.
    result.reserveCapacity(min(count, 1 << 16))
    try forEachChunk { first, leaf in
      for slot in 0..<leaf.count {
        result.append(leaf.isLarge(slot) ? try value(at: first + slot) : try leaf.value(slot))
      }
      return true
    }
    return result
  }
}

/// Read access to a set: its elements without duplicates, in the order of `StoredOrder`.
package protocol SetReading: ListReading {
  /// Returns the position of an element that equals the value, or nil. O(log count).
  func position(of value: StoredValue) throws -> Int?
}

/// Read access to a map: values by key, in bytewise order of the keys.
package protocol MapReading {
  var count: Int { get }
  /// The key at a position; traps outside of `0..<count`. O(log count).
  func key(at position: Int) throws -> String
  /// The value at a position; traps outside of `0..<count`. O(log count).
  func value(at position: Int) throws -> StoredValue
  /// Returns the position of a key, or nil. O(log count).
  func position(of key: String) throws -> Int?
  /// The keys as a list of strings, and the values, each in order of the keys.
  var keys: any ListReading { get }
  var values: any ListReading { get }
}

extension MapReading {
  /// The value of a key, or nil when there is none; a stored nil is `.null`.
  package func value(of key: String) throws -> StoredValue? { try position(of: key).map { try value(at: $0) } }
}
