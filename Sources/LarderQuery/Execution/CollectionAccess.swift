import LarderStorage

/// The elements of one object's collection, whatever kind it is.
enum CollectionAccess {
  case stored(any ListReading)
  case keys([ObjectKey])

  var count: Int {
    switch self {
    case .stored(let list): list.count
    case .keys(let keys): keys.count
    }
  }

  func value(at position: Int) throws -> StoredValue {
    switch self {
    case .stored(let list): try list.value(at: position)
    case .keys(let keys): .link(keys[position])
    }
  }

  func values() throws -> [StoredValue] { try (0..<count).map { try value(at: $0) } }
}

extension StoreReader {
  /// The elements that a step leads to.
  func elements(_ step: ListStep, _ classID: ClassID, _ key: ObjectKey) throws -> CollectionAccess {
    if case .inverse(let origin) = step.source {
      return .keys(try backlinks(to: ObjectLink(classID: classID, key: key), from: origin, step.column))
    }
    return .stored(try reading(step, classID, key))
  }

  /// The stored elements that a step leads to; an inverse has none, see `elements`.
  func reading(_ step: ListStep, _ classID: ClassID, _ key: ObjectKey) throws -> any ListReading {
    switch step.source {
    case .list, .inverse: try list(classID, step.column, key)
    case .set: try set(classID, step.column, key)
    case .mapValues: try map(classID, step.column, key).values
    case .mapKeys: try map(classID, step.column, key).keys
    }
  }

  /// One element of a collection; nil where there is none.
  func element(
    _ step: ListStep, _ selector: SubscriptNode.Selector, _ classID: ClassID, _ key: ObjectKey
  ) throws -> StoredValue {
    switch selector {
    case .key(let name): return try map(classID, step.column, key).value(of: name) ?? .null
    case .position(let position):
      let elements = try elements(step, classID, key)
      let index = position < 0 ? Int64(elements.count) + position : position
      return index >= 0 && index < Int64(elements.count) ? try elements.value(at: Int(index)) : .null
    case .first, .any, .keys, .values: return try element(step, .position(0), classID, key)
    case .last: return try element(step, .position(-1), classID, key)
    }
  }
}
