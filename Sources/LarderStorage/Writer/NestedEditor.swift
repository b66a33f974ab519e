/// Changes one collection in memory, and says what the log is to hold.
struct NestedEditor {
  let owner: ClassDescriptor
  let column: ColumnDescriptor
  /// Checks a new value and gives its collections ids.
  let prepare: (StoredValue) throws -> StoredValue

  func apply(
    _ change: NestedChange, to value: StoredValue, _ edits: inout [NestedEdit.Change]
  ) throws -> StoredValue {
    switch value {
    case .list(var list):
      var size = list.count
      for action in try edit(&list.elements, change) {
        let edit = ListEdit(action, sizeBefore: size)
        size = edit.sizeAfter
        edits.append(.list(edit))
      }
      return .list(list)
    case .dictionary(var entries):
      for edit in try edit(&entries, change) { edits.append(.dictionary(edit)) }
      return .dictionary(entries)
    default: return value
    }
  }

  private func edit(_ elements: inout [StoredValue], _ change: NestedChange) throws -> [ListEdit.Action] {
    let count = elements.count
    switch change {
    case .insert(let values, let position):
      try require(position >= 0 && position <= count, position, count)
      guard !values.isEmpty else { return [] }
      elements.insert(contentsOf: try values.map(prepare), at: position)
      return [.insert(at: position, count: values.count)]
    case .remove(let range):
      try require(range.lowerBound >= 0 && range.upperBound <= count, range.upperBound - 1, count)
      guard !range.isEmpty else { return [] }
      elements.removeSubrange(range)
      return [.remove(at: range.lowerBound, count: range.count)]
    case .set(let value, let position):
      try require(elements.indices.contains(position), position, count)
      elements[position] = try prepare(value)
      return [.set(at: position, count: 1)]
    case .move(let source, let target):
      for position in [source, target] { try require(elements.indices.contains(position), position, count) }
      guard source != target else { return [] }
      elements.insert(elements.remove(at: source), at: target)
      return [.move(from: source, to: target)]
    case .clear:
      guard count > 0 else { return [] }
      elements = []
      return [.clear]
    case .assign(.list(let list)):
      elements = try list.map(prepare)
      let inserted = ListEdit.Action.insert(at: 0, count: elements.count)
      return (count > 0 ? [.clear] : []) + (elements.isEmpty ? [] : [inserted])
    case .put, .removeKey, .assign: throw mismatch("a list")
    }
  }

  private func edit(_ entries: inout StoredDictionary, _ change: NestedChange) throws -> [MapEdit] {
    switch change {
    case .put(let pairs):
      return try put(StoredDictionary(pairs.map { (key: $0.0, value: $0.1) }), &entries)
    case .removeKey(let key):
      let (position, isThere) = entries.position(of: key)
      guard isThere else { return [] }
      defer { entries[key] = nil }
      return [MapEdit(.remove(key: key, at: position), sizeBefore: entries.count)]
    case .clear:
      guard !entries.isEmpty else { return [] }
      return [clear(&entries)]
    case .assign(.dictionary(let new)):
      let cleared = entries.isEmpty ? [] : [clear(&entries)]
      return cleared + (try put(new, &entries))
    case .insert, .remove, .set, .move, .assign: throw mismatch("a dictionary")
    }
  }

  private func clear(_ entries: inout StoredDictionary) -> MapEdit {
    let size = entries.count
    entries.removeAll()
    return MapEdit(.clear, sizeBefore: size)
  }

  private func put(_ new: StoredDictionary, _ entries: inout StoredDictionary) throws -> [MapEdit] {
    try new.map { entry in
      let value = try prepare(entry.value)
      let (position, isThere) = entries.position(of: entry.key)
      let edit = MapEdit(.put(key: entry.key, at: position, isNew: !isThere), sizeBefore: entries.count)
      entries[entry.key] = value
      return edit
    }
  }

  private func require(_ isInRange: Bool, _ position: Int, _ count: Int) throws {
    if !isInRange { throw StorageError.outOfBounds(position, count, owner, column) }
  }

  private func mismatch(_ what: String) -> StorageError {
    StorageError(
      .typeMismatch, "The collection in '\(owner.name).\(column.name)' is \(what): the change does not fit.",
      className: owner.name, property: column.name)
  }
}
