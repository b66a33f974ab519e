/// Leading links to other rows, of single objects, of collections and within mixed values.
struct LinkMoving {
  let writer: StoreWriter
  /// The new targets of links that lead to one of its objects now. Where the new target is the present one, the links' properties count as changed.
  let moves: KeyMoves
  /// True if the change follows from another one, so that it is not sent to other devices.
  let isDerived: Bool

  /// Objects whose links of one property lead to some objects.
  struct Links {
    let origin: ClassWriter
    let column: ColumnDescriptor
    /// Ascending.
    let keys: [ObjectKey]
    let targets: [ObjectKey]
  }

  /// Returns the links to objects of a class, by property. Looks all up before anything is changed.
  static func linking(
    to owner: ClassWriter, _ keys: some Collection<ObjectKey>, in writer: StoreWriter
  ) throws -> [Links] {
    guard !keys.isEmpty else { return [] }
    for (originID, _) in owner.shape.incoming where try writer.classWriter(originID).hasNewLinks { try writer.flush() }
    return try owner.shape.incoming.compactMap { originID, column in
      let origin = try writer.classWriter(originID)
      guard origin.count > 0 else { return nil }
      var found: Set<ObjectKey> = []
      var targets: [ObjectKey] = []
      for key in keys {
        let link = ObjectLink(classID: owner.descriptor.id, key: key)
        let origins = try writer.pairReading.storedBacklinks(to: link, from: originID, column.id)
        if !origins.isEmpty { targets.append(key) }
        found.formUnion(origins)
      }
      return found.isEmpty ? nil : Links(origin: origin, column: column, keys: found.sorted(), targets: targets)
    }
  }

  /// Leads all of these links on.
  func lead(_ links: [Links]) throws {
    for link in links {
      for key in link.keys where try writer.contains(link.origin.descriptor.id, key) {
        try lead(link.origin, link.column, key)
      }
    }
  }

  /// Leads the links in a property of an object on.
  func lead(_ origin: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey) throws {
    switch column.collection {
    case .none:
      let value = try writer.storedValue(origin, column, key)
      guard moves.concern(value, column) else { return }
      let led = moves.led(value, column)
      if led != value { try writer.store(led, origin, column, key) }
      if value.isCollection {
        noteNested(value, [], nil, origin, column, key)
      } else {
        writer.recorder.modified(origin.descriptor.id, column.id, key, derived: isDerived)
      }
    case .set:
      let set = try writer.collections.open(origin, column.id, key, .set)
      let old = try set.editor.values().filter { moves.concern($0, column) }
      _ = try writer.sets.remove(old, from: set, origin, derived: isDerived)
      _ = try writer.sets.insert(old.map { moves.led($0, column) }, into: set, origin, derived: isDerived)
    case .list, .map: try leadElements(origin, column, key)
    }
  }

  private func leadElements(_ origin: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey) throws {
    let id = origin.descriptor.id
    let list = try writer.collections.open(origin, column.id, key, column.collection)
    let keys = column.collection == .map ? try writer.map(id, column.id, key) : nil
    let size = list.editor.count
    var positions: [KeyRange] = []
    for (position, value) in try list.editor.values().enumerated() where moves.concern(value, column) {
      let led = moves.led(value, column)
      if led != value {
        writer.collections.register(list)
        writer.collections.noteLinks(of: value, list, origin, isInsert: false)
        writer.collections.noteLinks(of: led, list, origin, isInsert: true)
        try list.editor.set(at: position, led)
      }
      let mapKey = try keys?.key(at: position)
      if value.isCollection {
        let step = mapKey.map { MixedStep.key($0) } ?? .position(position)
        noteNested(value, [step], (position, size), origin, column, key)
      } else if let mapKey {
        writer.recorder.mapEdited(
          id, column.id, key, .put(key: mapKey, at: position, isNew: false), sizeBefore: size, derived: isDerived)
      } else {
        positions.append(KeyRange(start: UInt64(position), count: 1))
      }
    }
    for run in KeyRanges(unordered: positions).runs {
      writer.recorder.listEdited(
        id, column.id, key, .set(at: Int(run.start), count: Int(run.count)), sizeBefore: size, derived: isDerived)
    }
  }

  /// Logs each link that was led on within a list or dictionary of a mixed value.
  private func noteNested(
    _ value: StoredValue, _ start: [MixedStep], _ place: (position: Int, size: Int)?, _ origin: ClassWriter,
    _ column: ColumnDescriptor, _ key: ObjectKey
  ) {
    for path in value.paths(where: moves.moves) {
      guard let last = path.last, let parent = value.child(at: path.dropLast()) else { continue }
      writer.mixed.noteLink(in: parent, last, start + path.dropLast(), place, origin, column, key, derived: isDerived)
    }
  }
}
