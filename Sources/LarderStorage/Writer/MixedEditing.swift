/// Changing lists and dictionaries within mixed values, and the record of what changed there.
package struct MixedEditing {
  let writer: StoreWriter

  /// Changes a list or dictionary within a mixed value of a property.
  ///
  /// - Parameters:
  ///   - path: Where the collection is, as in `nested`. Empty for a property that is itself the collection.
  ///   - id: When given, that collection is changed, wherever edits around it have moved it.
  /// - Throws: `.noSuchCollection` when there is none, `.typeMismatch` for a list edit of a dictionary and the other way
  ///   round, `.indexOutOfRange`, and what `set` throws for values.
  /// - Complexity: O(size of the whole mixed value).
  package func edit(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ path: [MixedStep], id: UInt64? = nil,
    _ change: NestedChange
  ) throws {
    let owner = try writer.classWriter(classID)
    guard try writer.contains(classID, key) else { throw writer.missing(classID, key) }
    let descriptor = try writer.descriptor(classID, column)
    guard let found = try writer.nested(classID, column, key, path: path, id: id) else {
      throw removed(owner, descriptor, key)
    }
    let editor = NestedEditor(owner: owner.descriptor, column: descriptor) { [writer] in
      try writer.collections.prepare([$0], owner, descriptor)[0]
    }
    let isRoot = descriptor.collection == .none
    let rest = isRoot ? found.path[...] : found.path.dropFirst()
    var (edits, after): ([NestedEdit.Change], StoredValue) = ([], .null)
    func changed(_ root: StoredValue) throws -> StoredValue {
      after = try root.replacing(rest) { try editor.apply(change, to: $0, &edits) } ?? root
      try descriptor.check(after, in: owner.descriptor)
      return after
    }
    var place: (position: Int, size: Int)?
    if isRoot {
      let result = try changed(try writer.storedValue(owner, descriptor, key))
      guard !edits.isEmpty else { return }
      try writer.store(result, owner, descriptor, key)
    } else {
      let list = try writer.collections.open(owner, column, key, descriptor.collection)
      let position = try position(of: found.path.first, owner, descriptor, key)
      let value = try list.editor.value(at: position), result = try changed(value)
      guard !edits.isEmpty else { return }
      writer.collections.register(list)
      writer.collections.noteLinks(of: value, list, owner, isInsert: false)
      writer.collections.noteLinks(of: result, list, owner, isInsert: true)
      try list.editor.set(at: position, result)
      place = (position, list.editor.count)
    }
    let nested = edits.map { NestedEdit(path: found.path, $0) }
    for edit in nested { noteNested(edit, in: after.child(at: rest), at: place, owner, descriptor, key) }
  }

  private func removed(_ owner: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey) -> StorageError {
    let (name, property) = (owner.descriptor.name, column.name)
    return StorageError(
      .noSuchCollection, "'\(name).\(property)' holds no such collection any more: it was removed or replaced.",
      className: name, property: property, key: key)
  }

  /// Logs a change within a mixed value, of a property or at a place in its collection.
  func noteNested(
    _ edit: NestedEdit, in collection: StoredValue? = nil, at place: (position: Int, size: Int)?, _ owner: ClassWriter,
    _ column: ColumnDescriptor, _ key: ObjectKey
  ) {
    let classID = owner.descriptor.id
    writer.recorder.nestedEdited(classID, column.id, key, edit, in: collection)
    guard let place else { return }
    if case .key(let mapKey) = edit.path.first, column.collection == .map {
      writer.recorder.mapEdited(
        classID, column.id, key, .put(key: mapKey, at: place.position, isNew: false), sizeBefore: place.size,
        derived: edit.isDerived, nested: true)
    } else {
      writer.recorder.listEdited(
        classID, column.id, key, .set(at: place.position, count: 1), sizeBefore: place.size,
        derived: edit.isDerived, nested: true)
    }
  }

  /// Logs that a link within a collection changed.
  ///
  /// - Parameters:
  ///   - parent: The list or dictionary that holds it, with the number of its elements.
  ///   - step: Its place there.
  ///   - path: Where the collection is.
  ///   - place: That of the whole value in the property's own collection, and the size of it.
  func noteLink(
    in parent: StoredValue, _ step: MixedStep, _ path: [MixedStep], _ place: (position: Int, size: Int)?,
    _ origin: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey, derived: Bool
  ) {
    let change: NestedEdit.Change
    switch (parent, step) {
    case (.list(let list), .position(let position)):
      change = .list(ListEdit(.set(at: position, count: 1), sizeBefore: list.count, isDerived: derived))
    case (.dictionary(let entries), .key(let name)):
      let position = entries.position(of: name).position
      change = .dictionary(
        MapEdit(.put(key: name, at: position, isNew: false), sizeBefore: entries.count, isDerived: derived))
    default: return
    }
    noteNested(NestedEdit(path: path, change), at: place, origin, column, key)
  }

  /// Returns the position that the first step of a path leads to in the property's own collection.
  private func position(
    of step: MixedStep?, _ owner: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey
  ) throws -> Int {
    switch step {
    case .position(let position): return position
    case .key(let mapKey): return try writer.map(owner.descriptor.id, column.id, key).position(of: mapKey) ?? 0
    case nil: return 0
    }
  }
}

extension StoreWriter {
  /// Changes lists and dictionaries within mixed values.
  @inline(__always)
  package var mixed: MixedEditing { MixedEditing(writer: self) }
}
