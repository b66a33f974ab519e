import LarderStorage

/// The elements of the collections that a path leads to from one object, one after the other.
struct ElementWalk {
  let steps: [SQLColumn.Step]
  let sources: RowSources
  /// A collection for each step that is one, the last of which has the elements; empty at the end.
  private var levels: [Level] = []

  private struct Level {
    var elements: Elements
    var position = 0
    /// The number of the step after it.
    var next: Int
  }

  /// A collection of one object.
  private enum Elements {
    case list(any ListReading)
    case map(any MapReading)

    var count: Int {
      switch self {
      case .list(let list): list.count
      case .map(let map): map.count
      }
    }

    func value(at position: Int) throws -> StoredValue {
      switch self {
      case .list(let list): try list.value(at: position)
      case .map(let map): try map.value(at: position)
      }
    }
  }

  init(_ steps: [SQLColumn.Step], _ sources: RowSources) { (self.steps, self.sources) = (steps, sources) }

  /// Goes to an object's first element.
  ///
  /// - Returns: false when it has none.
  mutating func start(_ key: ObjectKey) throws -> Bool {
    levels.removeAll(keepingCapacity: true)
    return try descend(key, 0) ? true : try advance()
  }

  /// Goes to the next element of the object; false at the end.
  mutating func advance() throws -> Bool {
    while let level = levels.last {
      guard level.position + 1 < level.elements.count else {
        levels.removeLast()
        continue
      }
      levels[levels.count - 1].position += 1
      if level.next == steps.count { return true }
      if try descendFromElement() { return true }
    }
    return false
  }

  /// Goes from an object over the steps from one on.
  private mutating func descend(_ key: ObjectKey, _ first: Int) throws -> Bool {
    var key = key
    for place in first..<steps.count {
      let step = steps[place]
      let elements: Elements
      switch step.column.collection {
      case .none:
        guard let next = try sources.cell(step).link(key.rawValue) else { return false }
        key = ObjectKey(rawValue: next)
        continue
      case .map: elements = .map(try sources.reader.map(step.classID, step.column.id, key))
      case .list, .set: elements = .list(try sources.reader.list(step.classID, step.column.id, key))
      }
      guard elements.count > 0 else { return false }
      levels.append(Level(elements: elements, next: place + 1))
      return place + 1 == steps.count ? true : try descendFromElement()
    }
    return false
  }

  /// Goes from the last level's embedded object on.
  private mutating func descendFromElement() throws -> Bool {
    guard let level = levels.last, case .link(let key) = try level.elements.value(at: level.position) else {
      return false
    }
    return try descend(key, level.next)
  }

  /// The place of the element in a collection, counted from the outermost.
  func position(_ level: Int) -> Int { levels[level].position }

  /// The key of the entry of a map.
  func key(_ level: Int) throws -> String? {
    guard case .map(let map) = levels[level].elements else { return nil }
    return try map.key(at: levels[level].position)
  }

  /// The element; a link only as far as it leads to an object.
  func element() throws -> StoredValue {
    guard let level = levels.last, let column = steps.last?.column else { return .null }
    let value = try level.elements.value(at: level.position)
    guard case .link(let key) = value, let target = column.target else { return value }
    return try sources.presence(target).contains(key.rawValue) ? value : .null
  }
}
