/// Changing maps.
package struct MapEditing {
  let writer: StoreWriter

  /// Sets the values of keys, adding those that are not there; of pairs with one key the last counts.
  ///
  /// Costs O(log n) for each pair, or one pass over the map when many keys are new. In a map of embedded objects only
  /// `.null` can be put, which deletes the object that was there (see `insertEmbedded(in:_:_:mapKey:)`).
  /// - Throws: `.typeMismatch`, `.nullForRequired`, `.valueTooLarge` (also of a key), `.noSuchObject`, `.embeddedOwner`.
  package func put(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ pairs: [(String, StoredValue)]
  ) throws {
    let (owner, map) = try openMap(classID, column, key)
    let pairs = try prepare(pairs, owner, map.column)
    try put(StoredDictionary(pairs.map { (key: $0.0, value: $0.1) }), map, owner)
  }

  /// Removes a key with its value; an embedded object is deleted. False when the key is not there.
  @discardableResult
  package func remove(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ mapKey: String
  ) throws -> Bool {
    let (owner, map) = try openMap(classID, column, key)
    let found = try map.keys.editor.sortedPosition(of: .string(mapKey))
    guard found.isThere else { return false }
    try remove(mapKey, at: found.position, map, owner)
    return true
  }

  /// Removes every key; embedded objects are deleted.
  package func clear(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws {
    let (owner, map) = try openMap(classID, column, key)
    let size = map.count
    guard size > 0 else { return }
    writer.collections.register(map)
    let children = try writer.collections.dropLinks(0..<size, map.values, owner)
    try map.values.editor.clear()
    try map.keys.editor.clear()
    writer.recorder.mapEdited(classID, column, key, .clear, sizeBefore: size)
    try writer.deletion.deleteEmbedded(children, map.column)
  }

  /// Makes the map hold just these pairs. Keys that stay count as set.
  package func assign(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ pairs: [(String, StoredValue)]
  ) throws {
    let (owner, map) = try openMap(classID, column, key)
    let pairs = try prepare(pairs, owner, map.column)
    if pairs.isEmpty { return try clear(classID, column, key) }
    let wanted = StoredDictionary(pairs.map { (key: $0.0, value: $0.1) })
    for position in (0..<map.count).reversed() {
      let present = try map.key(at: position)
      if wanted[present] == nil { try remove(present, at: position, map, owner) }
    }
    try put(wanted, map, owner)
  }

  /// Makes an embedded object under a key of a map of its owner; a previous one is deleted.
  package func insertEmbedded(
    in classID: ClassID, _ column: ColumnID, _ key: ObjectKey, mapKey: String
  ) throws -> ObjectKey {
    let (owner, descriptor, target) = try writer.creation.embeddedSlot(classID, column, key)
    guard descriptor.collection == .map else { throw StorageError.notCollection(.map, owner.descriptor, descriptor) }
    let (_, map) = try openMap(classID, column, key)
    try checkKey(mapKey, owner, descriptor)
    let made = try writer.creation.makeRow(target)
    writer.recorder.owned(target.descriptor.id, made, by: ObjectLink(classID: classID, key: key), column)
    try put([mapKey: .link(made)], map, owner)
    return made
  }

  // MARK: - Steps

  private func openMap(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey
  ) throws -> (ClassWriter, OpenMap) {
    let owner = try writer.classWriter(classID)
    guard try writer.contains(classID, key) else { throw writer.missing(classID, key) }
    return (owner, try writer.collections.openMap(owner, column, key))
  }

  private func prepare(
    _ pairs: [(String, StoredValue)], _ owner: ClassWriter, _ column: ColumnDescriptor
  ) throws -> [(String, StoredValue)] {
    for (key, _) in pairs { try checkKey(key, owner, column) }
    return Array(zip(pairs.map(\.0), try writer.collections.prepare(pairs.map(\.1), owner, column)))
  }

  private func checkKey(_ key: String, _ owner: ClassWriter, _ column: ColumnDescriptor) throws {
    guard key.utf8.count <= StoreLayout.maximumValueSize else {
      throw StorageError(
        .valueTooLarge,
        "A key of '\(owner.descriptor.name).\(column.name)' is \(key.utf8.count) bytes long; the limit is "
          + "\(StoreLayout.maximumValueSize).", className: owner.descriptor.name, property: column.name)
    }
  }

  private func put(_ entries: StoredDictionary, _ map: OpenMap, _ owner: ClassWriter) throws {
    writer.collections.register(map)
    var size = map.count
    var children: [ObjectKey] = []
    var new: [(position: Int, entry: StoredDictionary.Entry)] = []
    var from = 0
    for entry in entries {
      let found = try map.keys.editor.sortedPosition(of: .string(entry.key), from: from)
      from = found.position
      if found.isThere {
        children += try writer.collections.dropLinks(found.position..<found.position + 1, map.values, owner)
        try map.values.editor.set(at: found.position, entry.value)
      } else {
        new.append((found.position, entry))
      }
      writer.collections.noteLinks(of: entry.value, map.values, owner, isInsert: true)
      writer.recorder.mapEdited(
        map.id.classID, map.id.column, map.id.key,
        .put(key: entry.key, at: found.position + new.count - (found.isThere ? 0 : 1), isNew: !found.isThere),
        sizeBefore: size, value: entry.value)
      if !found.isThere { size += 1 }
    }
    try map.keys.editor.merge(new.map { ($0.position, .string($0.entry.key)) })
    try map.values.editor.merge(new.map { ($0.position, $0.entry.value) })
    try writer.deletion.deleteEmbedded(children, map.column)
  }

  private func remove(_ key: String, at position: Int, _ map: OpenMap, _ owner: ClassWriter) throws {
    writer.collections.register(map)
    let size = map.count
    let children = try writer.collections.dropLinks(position..<position + 1, map.values, owner)
    try map.values.editor.remove(position..<position + 1)
    try map.keys.editor.remove(position..<position + 1)
    writer.recorder.mapEdited(
      map.id.classID, map.id.column, map.id.key, .remove(key: key, at: position), sizeBefore: size)
    try writer.deletion.deleteEmbedded(children, map.column)
  }
}

extension StoreWriter {
  /// Changes maps.
  @inline(__always)
  package var maps: MapEditing { MapEditing(writer: self) }
}
