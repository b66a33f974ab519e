/// Changing lists.
package struct ListEditing {
  let writer: StoreWriter

  /// Inserts elements so that the first lands at a position in `0...count`.
  ///
  /// - Throws: `.indexOutOfRange`, `.typeMismatch`, `.nullForRequired`, `.noSuchObject` for a link to a missing object,
  ///   `.embeddedOwner` for a list of embedded objects (see `insertEmbedded`).
  package func insert(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, at position: Int, _ values: [StoredValue]
  ) throws {
    let (owner, list) = try openList(classID, column, key)
    guard position >= 0, position <= list.editor.count else {
      throw StorageError.outOfBounds(position, list.editor.count, owner.descriptor, list.column)
    }
    let values = try writer.collections.prepare(values, owner, list.column)
    try writer.collections.insert(values, at: position, list, owner)
  }

  /// Removes the elements of a range; embedded ones are deleted.
  package func remove(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ range: Range<Int>
  ) throws {
    let (owner, list) = try openList(classID, column, key)
    guard range.lowerBound >= 0, range.upperBound <= list.editor.count else {
      throw StorageError.outOfBounds(range.upperBound - 1, list.editor.count, owner.descriptor, list.column)
    }
    let children = try writer.collections.remove(range, list, owner, derived: false)
    try writer.deletion.deleteEmbedded(children, list.column)
  }

  /// Replaces one element.
  package func set(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, at position: Int, _ value: StoredValue
  ) throws {
    let (owner, list) = try openList(classID, column, key)
    guard position >= 0, position < list.editor.count else {
      throw StorageError.outOfBounds(position, list.editor.count, owner.descriptor, list.column)
    }
    let value = try writer.collections.prepare([value], owner, list.column)[0]
    writer.collections.register(list)
    if list.column.holdsLinks {
      writer.collections.noteLinks(of: try list.editor.value(at: position), list, owner, isInsert: false)
      writer.collections.noteLinks(of: value, list, owner, isInsert: true)
    }
    try list.editor.set(at: position, value)
    writer.recorder.listEdited(
      classID, column, key, .set(at: position, count: 1), sizeBefore: list.editor.count,
      values: [value])
  }

  /// Moves an element: it is taken out, and then put in so that it is at `target`.
  package func move(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, from source: Int, to target: Int
  ) throws {
    let (owner, list) = try openList(classID, column, key)
    let count = list.editor.count
    for position in [source, target] where position < 0 || position >= count {
      throw StorageError.outOfBounds(position, count, owner.descriptor, list.column)
    }
    guard source != target else { return }
    writer.collections.register(list)
    try list.editor.move(from: source, to: target)
    writer.recorder.listEdited(classID, column, key, .move(from: source, to: target), sizeBefore: count)
  }

  /// Removes every element; embedded ones are deleted.
  package func clear(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws {
    let (owner, list) = try openList(classID, column, key)
    try clear(list, owner)
  }

  /// Replaces the whole contents: a clear and an insertion.
  package func assign(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ values: [StoredValue]
  ) throws {
    let (owner, list) = try openList(classID, column, key)
    let values = try writer.collections.prepare(values, owner, list.column)
    try clear(list, owner)
    if !values.isEmpty { try writer.collections.insert(values, at: 0, list, owner) }
  }

  // MARK: - Steps

  /// The list, opened; whatever was opened before may be written out first.
  private func openList(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey
  ) throws -> (ClassWriter, OpenList) {
    let owner = try writer.classWriter(classID)
    guard try writer.contains(classID, key) else { throw writer.missing(classID, key) }
    return (owner, try writer.collections.open(owner, column, key))
  }

  private func clear(_ list: OpenList, _ owner: ClassWriter) throws {
    let size = list.editor.count
    guard size > 0 else { return }
    writer.collections.register(list)
    let children = try writer.collections.dropLinks(0..<size, list, owner)
    try list.editor.clear()
    writer.recorder.listEdited(list.id.classID, list.id.column, list.id.key, .clear, sizeBefore: size)
    try writer.deletion.deleteEmbedded(children, list.column)
  }
}

extension StoreWriter {
  /// Changes lists.
  @inline(__always)
  package var lists: ListEditing { ListEditing(writer: self) }
}
