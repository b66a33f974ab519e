/// Taking away the links to objects that are deleted (O-11).
struct LinkRemoval {
  let writer: StoreWriter

  /// Takes away the links to objects that are about to go.
  func unlink(_ owner: ClassWriter, _ keys: some Collection<ObjectKey>) throws {
    for (originID, column) in owner.shape.incoming {
      let origin = try writer.classWriter(originID)
      guard origin.count > 0 else { continue }
      // Links that were taken away since may still be listed; to find all of those that were set, all must be written.
      // Objects that are deleted one after the other would otherwise be written out one after the other.
      if origin.hasNewLinks { try writer.flush() }
      // All look-ups first: each change of a link might make the next look-up write the backlinks out.
      let links = try keys.map { key in
        let target = ObjectLink(classID: owner.descriptor.id, key: key)
        return (target: key, origins: try writer.pairReading.storedBacklinks(to: target, from: originID, column.id))
      }
      try unlink(origin, column, links, of: owner.descriptor.id)
    }
  }

  /// Takes the links away, looking through what an object's column holds once, however many of its links go.
  private func unlink(
    _ origin: ClassWriter, _ column: ColumnDescriptor, _ links: [(target: ObjectKey, origins: [ObjectKey])],
    of classID: ClassID
  ) throws {
    var targets: [ObjectKey: (keys: Set<ObjectKey>, count: Int)] = [:]
    for link in links {
      for originKey in link.origins {
        targets[originKey, default: ([], 0)].keys.insert(link.target)
        targets[originKey]?.count += 1
      }
    }
    for (originKey, wanted) in targets.sorted(by: { $0.key < $1.key })
    where try writer.contains(origin.descriptor.id, originKey) {
      try unlink(origin, column, originKey, from: wanted.keys, of: classID, atMost: wanted.count)
    }
  }

  /// Takes away the links of one object's column to some objects, if there are any.
  ///
  /// - Parameter limit: How often a list or map links to them, as far as is known; it may do so less often.
  private func unlink(
    _ origin: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey, from targets: Set<ObjectKey>,
    of classID: ClassID, atMost limit: Int
  ) throws {
    let id = origin.descriptor.id
    if column.type == .mixed { return try unlinkMixed(origin, column, key, from: targets, of: classID) }
    switch column.collection {
    case .none:
      guard case .link(let target) = try writer.value(id, column.id, key), targets.contains(target) else { return }
      try writer.store(.null, origin, column, key)
      writer.recorder.modified(id, column.id, key, derived: true)
    case .list: try unlinkList(origin, column, key, from: LinkTargets(targets, of: classID), atMost: limit)
    case .set:
      _ = try writer.sets.remove(
        targets.map { .link($0) }, from: writer.collections.open(origin, column.id, key, .set), origin, derived: true)
    case .map: try unlinkMap(origin, column, key, from: LinkTargets(targets, of: classID), atMost: limit)
    }
  }

  private func unlinkList(
    _ origin: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey, from targets: LinkTargets, atMost limit: Int
  ) throws {
    let list = try writer.collections.open(origin, column.id, key)
    // Removed from the end on, so that the others keep their positions.
    var positions = try list.editor.positions(of: targets, limit: limit)[...]
    while let last = positions.popLast() {
      var start = last
      while positions.last == start - 1, let position = positions.popLast() { start = position }
      _ = try writer.collections.remove(start..<last + 1, list, origin, derived: true)
    }
  }

  /// Makes the values nil that link to objects which go; the keys stay (O-11).
  private func unlinkMap(
    _ origin: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey, from targets: LinkTargets, atMost limit: Int
  ) throws {
    let map = try writer.collections.openMap(origin, column.id, key)
    for position in try map.values.editor.positions(of: targets, limit: limit) {
      let value = try map.values.editor.value(at: position)
      writer.collections.register(map)
      writer.collections.noteLinks(of: value, map.values, origin, isInsert: false)
      try map.values.editor.set(at: position, .null)
      writer.recorder.mapEdited(
        map.id.classID, map.id.column, key, .put(key: try map.key(at: position), at: position, isNew: false),
        sizeBefore: map.count, derived: true)
    }
  }

  /// Makes the links to objects of a class nil that a property's mixed value or values hold, at any depth (O-11); of a set they are
  /// removed.
  private func unlinkMixed(
    _ origin: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey, from keys: Set<ObjectKey>, of classID: ClassID
  ) throws {
    func clear(_ value: StoredValue, _ start: [MixedStep], _ place: (position: Int, size: Int)?) -> StoredValue? {
      let paths = value.paths { $0.classID == classID && keys.contains($0.key) }
      guard !paths.isEmpty else { return nil }
      return paths.reduce(value) { value, path in
        guard let last = path.last, let parent = value.child(at: path.dropLast()) else { return .null }
        writer.mixed.noteLink(in: parent, last, start + path.dropLast(), place, origin, column, key, derived: true)
        return value.replacing(path[...]) { _ in .null } ?? value
      }
    }
    switch column.collection {
    case .none:
      let value = try writer.storedValue(origin, column, key)
      guard let cleared = clear(value, [], nil) else { return }
      try writer.store(cleared, origin, column, key)
      if cleared.isNull { writer.recorder.modified(origin.descriptor.id, column.id, key, derived: true) }
    case .set:
      let links = keys.map { StoredValue.object(ObjectLink(classID: classID, key: $0)) }
      _ = try writer.sets.remove(
        links, from: writer.collections.open(origin, column.id, key, .set), origin, derived: true)
    case .list, .map: try unlinkElements(origin, column, key, LinkTargets(keys, of: classID), clear)
    }
  }

  private func unlinkElements(
    _ origin: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey, _ targets: LinkTargets,
    _ clear: (StoredValue, [MixedStep], (position: Int, size: Int)?) -> StoredValue?
  ) throws {
    let list = try writer.collections.open(origin, column.id, key, column.collection)
    let keys = column.collection == .map ? try writer.map(origin.descriptor.id, column.id, key) : nil
    let size = list.editor.count
    for position in try list.editor.positions(of: targets) {
      let value = try list.editor.value(at: position)
      let mapKey = try keys?.key(at: position)
      let step = mapKey.map { MixedStep.key($0) } ?? .position(position)
      guard let cleared = clear(value, [step], (position, size)) else { continue }
      writer.collections.register(list)
      writer.collections.noteLinks(of: value, list, origin, isInsert: false)
      writer.collections.noteLinks(of: cleared, list, origin, isInsert: true)
      try list.editor.set(at: position, cleared)
      guard cleared.isNull else { continue }
      if let mapKey {
        writer.recorder.mapEdited(
          origin.descriptor.id, column.id, key, .put(key: mapKey, at: position, isNew: false), sizeBefore: size,
          derived: true)
      } else {
        writer.recorder.listEdited(
          origin.descriptor.id, column.id, key, .set(at: position, count: 1), sizeBefore: size, derived: true)
      }
    }
  }
}

extension StoreWriter {
  /// Takes away links to objects that are deleted.
  @inline(__always)
  var links: LinkRemoval { LinkRemoval(writer: self) }
}
