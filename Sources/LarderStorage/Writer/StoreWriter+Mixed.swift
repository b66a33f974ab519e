/// Mixed values on their way into the store.
extension StoreWriter {
  /// Checks values that are to be stored, and gives their lists and dictionaries ids.
  ///
  /// - Throws: `.typeMismatch`, `.nullForRequired`, `.valueTooLarge`, `.noSuchObject` for a link to a missing object,
  ///   `.embeddedOwner` for a link to an embedded one.
  func prepare(_ values: [StoredValue], _ owner: ClassWriter, _ column: ColumnDescriptor) throws -> [StoredValue] {
    try check(values, owner, column)
    return column.type == .mixed ? try values.map { try prepareMixed($0, owner, column) } : values
  }

  func prepareMixed(_ value: StoredValue, _ owner: ClassWriter, _ column: ColumnDescriptor) throws -> StoredValue {
    try value.forEachLink { link in
      guard !(try classWriter(link.classID).descriptor.isEmbedded) else {
        throw StorageError(
          .embeddedOwner,
          "'\(owner.descriptor.name).\(column.name)' cannot link to an embedded object: it has one owner.",
          className: owner.descriptor.name, property: column.name)
      }
      guard try contains(link.classID, link.key) else { throw missing(link.classID, link.key) }
    }
    return value.isCollection ? value.withIDs { nextCollectionID() } : value
  }

  /// Versions are committed once, and numbers of cancelled transactions not given again, so neither are these ids.
  private func nextCollectionID() -> UInt64 {
    collectionIDs += 1
    return version << 28 | collectionIDs
  }

  /// Makes the links to objects of a class nil that a property's mixed value or values hold, at any depth (O-11); of a set they are
  /// removed.
  func unlinkMixed(
    _ origin: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey, from keys: Set<ObjectKey>, of classID: ClassID
  ) throws {
    func clear(_ value: StoredValue, _ start: [MixedStep], _ place: (position: Int, size: Int)?) -> StoredValue? {
      let paths = value.paths { $0.classID == classID && keys.contains($0.key) }
      guard !paths.isEmpty else { return nil }
      return paths.reduce(value) { value, path in
        guard let last = path.last, let parent = value.child(at: path.dropLast()) else { return .null }
        noteLink(in: parent, last, start + path.dropLast(), place, origin, column, key, derived: true)
        return value.replacing(path[...]) { _ in .null } ?? value
      }
    }
    switch column.collection {
    case .none:
      let value = try storedValue(origin, column, key)
      guard let cleared = clear(value, [], nil) else { return }
      try store(cleared, origin, column, key)
      if cleared.isNull { recorder.modified(origin.descriptor.id, column.id, key, derived: true) }
    case .set:
      let links = keys.map { StoredValue.object(ObjectLink(classID: classID, key: $0)) }
      _ = try remove(links, from: open(origin, column.id, key, .set), origin, derived: true)
    case .list, .map: try unlinkElements(origin, column, key, LinkTargets(keys, of: classID), clear)
    }
  }

  private func unlinkElements(
    _ origin: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey, _ targets: LinkTargets,
    _ clear: (StoredValue, [MixedStep], (position: Int, size: Int)?) -> StoredValue?
  ) throws {
    let list = try open(origin, column.id, key, column.collection)
    let keys = column.collection == .map ? try map(origin.descriptor.id, column.id, key) : nil
    let size = list.editor.count
    for position in try list.editor.positions(of: targets) {
      let value = try list.editor.value(at: position)
      let mapKey = try keys?.key(at: position)
      let step = mapKey.map { MixedStep.key($0) } ?? .position(position)
      guard let cleared = clear(value, [step], (position, size)) else { continue }
      register(list)
      noteLinks(of: value, list, origin, isInsert: false)
      noteLinks(of: cleared, list, origin, isInsert: true)
      try list.editor.set(at: position, cleared)
      guard cleared.isNull else { continue }
      if let mapKey {
        recorder.mapEdited(
          origin.descriptor.id, column.id, key, .put(key: mapKey, at: position, isNew: false), sizeBefore: size,
          derived: true)
      } else {
        recorder.listEdited(
          origin.descriptor.id, column.id, key, .set(at: position, count: 1), sizeBefore: size, derived: true)
      }
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

  /// A single value as it is stored, with links to rows that are not there.
  func storedValue(_ owner: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey) throws -> StoredValue {
    let (number, slot) = locate(key)
    let decoded = try self.column(owner, column.id, cluster(owner, number))
    if let value = try decoded.value(slot) { return value }
    return try StoredValue(bytes: try largeValue(owner.descriptor.id, column.id, key), type: column.type)
  }
}
