/// Changing sets.
package struct SetEditing {
  let writer: StoreWriter

  /// Inserts the values that the set does not hold yet.
  ///
  /// Values that compare equal (`StoredOrder`) are one element; the one that is there stays. Costs O(log n) for each value,
  /// or one pass over the set when there are many.
  /// - Returns: How many were inserted.
  /// - Throws: `.typeMismatch`, `.nullForRequired`, `.noSuchObject` for a link to a missing object, `.embeddedOwner` for
  ///   embedded objects, which cannot be in sets.
  @discardableResult
  package func insert(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ values: [StoredValue]
  ) throws -> Int {
    let (owner, set) = try openSet(classID, column, key)
    return try insert(writer.collections.prepare(values, owner, set.column), into: set, owner)
  }

  /// Removes a value; false when the set does not hold it.
  @discardableResult
  package func remove(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ value: StoredValue
  ) throws -> Bool {
    try remove(classID, column, key, [value]) == 1
  }

  /// Removes values.
  ///
  /// - Returns: How many the set held.
  @discardableResult
  package func remove(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ values: [StoredValue]
  ) throws -> Int {
    let (owner, set) = try openSet(classID, column, key)
    return try remove(values, from: set, owner, derived: false)
  }

  /// Removes every element.
  package func clear(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws {
    let (owner, set) = try openSet(classID, column, key)
    let size = set.editor.count
    guard size > 0 else { return }
    writer.collections.register(set)
    _ = try writer.collections.dropLinks(0..<size, set, owner)
    try set.editor.clear()
    writer.recorder.setEdited(classID, column, key, .clear, sizeBefore: size)
  }

  /// Makes the set hold just these values; what stays is not touched.
  package func assign(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ values: [StoredValue]
  ) throws {
    let (owner, set) = try openSet(classID, column, key)
    let values = try writer.collections.prepare(values, owner, set.column)
    if values.isEmpty { return try clear(classID, column, key) }
    let wanted = Self.sortedElements(values)
    var gone: [StoredValue] = []
    var next = 0
    for position in 0..<set.editor.count {
      let element = try set.editor.value(at: position)
      while next < wanted.count, StoredOrder.compare(wanted[next], element) < 0 { next += 1 }
      if next == wanted.count || StoredOrder.compare(wanted[next], element) != 0 { gone.append(element) }
    }
    _ = try remove(gone, from: set, owner, derived: false)
    _ = try insert(wanted, into: set, owner)
  }

  // MARK: - Steps

  private func openSet(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey
  ) throws -> (ClassWriter, OpenList) {
    let owner = try writer.classWriter(classID)
    guard try writer.contains(classID, key) else { throw writer.missing(classID, key) }
    return (owner, try writer.collections.open(owner, column, key, .set))
  }

  /// In order, of equal ones the first.
  static func sortedElements(_ values: [StoredValue]) -> [StoredValue] {
    let sorted = values.enumerated().sorted { left, right in
      let order = StoredOrder.compare(left.element, right.element)
      return order == 0 ? left.offset < right.offset : order < 0
    }
    var result: [StoredValue] = []
    result.reserveCapacity(sorted.count)
    for (_, value) in sorted where result.last.map({ StoredOrder.compare($0, value) != 0 }) ?? true {
      result.append(value)
    }
    return result
  }

  func insert(
    _ values: [StoredValue], into set: OpenList, _ owner: ClassWriter, derived: Bool = false
  ) throws -> Int {
    let size = set.editor.count
    let values = writer.schema.isSynced(set.id.classID) ? values.map(\.asSetElement) : values
    // Where each new value goes in the set as it is now.
    var places: [(position: Int, value: StoredValue)] = []
    var from = 0
    for value in Self.sortedElements(values) {
      let found = try set.editor.sortedPosition(of: value, from: from)
      from = found.position
      if !found.isThere { places.append((found.position, value)) }
    }
    guard !places.isEmpty else { return 0 }
    writer.collections.register(set)
    for place in places { writer.collections.noteLinks(of: place.value, set, owner, isInsert: true) }
    try set.editor.merge(places)
    let elements = places.enumerated().map { offset, place in
      SetEdit.Element(position: place.position + offset, value: LoggedValue(place.value))
    }
    writer.recorder.setEdited(
      set.id.classID, set.id.column, set.id.key, .insert(elements), sizeBefore: size, derived: derived)
    return places.count
  }

  func remove(_ values: [StoredValue], from set: OpenList, _ owner: ClassWriter, derived: Bool) throws -> Int {
    let size = set.editor.count
    var elements: [SetEdit.Element] = []
    var from = 0
    for value in Self.sortedElements(values) {
      let found = try set.editor.sortedPosition(of: value, from: from)
      from = found.position
      guard found.isThere else { continue }
      let element = try set.editor.value(at: found.position)
      writer.collections.noteLinks(of: element, set, owner, isInsert: false)
      elements.append(SetEdit.Element(position: found.position, value: LoggedValue(element)))
    }
    guard !elements.isEmpty else { return 0 }
    writer.collections.register(set)
    for element in elements.reversed() { try set.editor.remove(element.position..<element.position + 1) }
    writer.recorder.setEdited(
      set.id.classID, set.id.column, set.id.key, .remove(elements), sizeBefore: size, derived: derived)
    return elements.count
  }
}

extension StoreWriter {
  /// Changes sets.
  @inline(__always)
  package var sets: SetEditing { SetEditing(writer: self) }
}
