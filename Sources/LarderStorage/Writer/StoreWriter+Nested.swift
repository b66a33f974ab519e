/// A change of a list or dictionary within a mixed value.
package enum NestedChange {
  case insert([StoredValue], at: Int)
  case remove(Range<Int>)
  case set(StoredValue, at: Int)
  /// The element is taken out, and then put in so that it stands at `to`.
  case move(from: Int, to: Int)
  case put([(String, StoredValue)])
  /// Harmless when the key is not there.
  case removeKey(String)
  case clear
  /// New contents of the same kind; the collection stays the same one.
  case assign(StoredValue)
}

/// Changing lists and dictionaries within mixed values.
extension StoreWriter {
  /// Changes a list or dictionary within a mixed value of a property.
  ///
  /// - Parameters:
  ///   - path: Where the collection is, as in `nested`. Empty for a property that is itself the collection.
  ///   - id: When given, that collection is changed, wherever edits around it have moved it.
  /// - Throws: `.noSuchCollection` when there is none, `.typeMismatch` for a list edit of a dictionary and the other way
  ///   round, `.indexOutOfRange`, and what `set` throws for values.
  /// - Complexity: O(size of the whole mixed value).
  package func nestedEdit(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ path: [MixedStep], id: UInt64? = nil,
    _ change: NestedChange
  ) throws {
    let owner = try classWriter(classID)
    guard try contains(classID, key) else { throw missing(classID, key) }
    let descriptor = try descriptor(classID, column)
    guard let found = try nested(classID, column, key, path: path, id: id) else {
      throw StorageError(
        .noSuchCollection,
        "'\(owner.descriptor.name).\(descriptor.name)' holds no such collection any more: it was removed or replaced.",
        className: owner.descriptor.name, property: descriptor.name, key: key)
    }
    let editor = NestedEditor(owner: owner.descriptor, column: descriptor) { [self] in
      try prepare([$0], owner, descriptor)[0]
    }
    let isRoot = descriptor.collection == .none
    let rest = isRoot ? found.path[...] : found.path.dropFirst()
    var edits: [NestedEdit.Change] = []
    func changed(_ root: StoredValue) throws -> StoredValue {
      let result = try root.replacing(rest) { try editor.apply(change, to: $0, &edits) } ?? root
      try descriptor.check(result, in: owner.descriptor)
      return result
    }
    var place: (position: Int, size: Int)?
    if isRoot {
      let result = try changed(try storedValue(owner, descriptor, key))
      guard !edits.isEmpty else { return }
      try store(result, owner, descriptor, key)
    } else {
      let list = try open(owner, column, key, descriptor.collection)
      let position = try position(of: found.path.first, owner, descriptor, key)
      let value = try list.editor.value(at: position)
      let result = try changed(value)
      guard !edits.isEmpty else { return }
      register(list)
      noteLinks(of: value, list, owner, isInsert: false)
      noteLinks(of: result, list, owner, isInsert: true)
      try list.editor.set(at: position, result)
      place = (position, list.editor.count)
    }
    for edit in edits {
      noteNested(NestedEdit(path: found.path, edit), at: place, owner, descriptor, key)
    }
  }

  /// Logs a change within a mixed value, of a property or at a place in its collection.
  func noteNested(
    _ edit: NestedEdit, at place: (position: Int, size: Int)?, _ owner: ClassWriter, _ column: ColumnDescriptor,
    _ key: ObjectKey
  ) {
    let classID = owner.descriptor.id
    recorder.nestedEdited(classID, column.id, key, edit)
    guard let place else { return }
    if case .key(let mapKey) = edit.path.first, column.collection == .map {
      recorder.mapEdited(
        classID, column.id, key, .put(key: mapKey, at: place.position, isNew: false), sizeBefore: place.size,
        derived: edit.isDerived, nested: true)
    } else {
      recorder.listEdited(
        classID, column.id, key, .set(at: place.position, count: 1), sizeBefore: place.size,
        derived: edit.isDerived, nested: true)
    }
  }

  /// Where the first step of a path leads in the property's own collection.
  private func position(
    of step: MixedStep?, _ owner: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey
  ) throws -> Int {
    switch step {
    case .position(let position): return position
    case .key(let mapKey): return try map(owner.descriptor.id, column.id, key).position(of: mapKey) ?? 0
    case nil: return 0
    }
  }
}

/// Changes one collection in memory, and says what the log is to hold.
private struct NestedEditor {
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
