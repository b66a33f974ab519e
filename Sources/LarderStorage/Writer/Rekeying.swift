import LarderLMDB

/// Giving objects new keys, as a migration does with those whose primary keys it changed (L-6).
///
/// In the log an object with the old key went and one with the new key came. Links to it are set again, on purpose: nothing else
/// could derive where they lead now. They are led on before the old objects go, so that none of them becomes nil on the way. Embedded
/// objects go and come with their owners, since the key of one names it only within its owner (L-20).
struct Rekeying {
  let writer: StoreWriter

  /// Moves objects with all they hold, and what they own, to new keys after all others of their classes.
  ///
  /// Every object that moves or links to one that does is looked at once: O(values moved + values linking).
  /// - Parameters:
  ///   - objects: Of classes that are not embedded; ascending.
  ///   - embedded: Every embedded class, each before those that it owns.
  func rekey(_ objects: [ClassID: [ObjectKey]], embedded: [ClassID]) throws -> KeyMoves {
    // Backlinks are looked up as they were last written.
    try writer.flush()
    try writer.closeLists()
    let owned = Set(embedded)
    let moves = try KeyMoves(try withOwned(objects, embedded)) { try writer.classWriter($0).nextKey }
    // Nothing else could derive where the links lead now.
    let links = LinkMoving(writer: writer, moves: moves, isDerived: false)
    for entry in writer.schema.classes {
      let origin = try writer.classWriter(entry.id)
      for column in entry.columns where column.holdsLinks && !(column.target.map(owned.contains) ?? false) {
        for run in try keepers(linkingBy: column, of: entry.id, moves, owned).runs {
          for key in run.start..<run.end { try links.lead(origin, column, ObjectKey(rawValue: key)) }
        }
      }
    }
    for id in moves.classIDs {
      let owner = try writer.classWriter(id)
      for key in moves.objects(of: id) { try move(key, owner, moves, owned) }
    }
    return moves
  }

  /// The objects, and the embedded ones that they own at any depth; ascending.
  private func withOwned(
    _ objects: [ClassID: [ObjectKey]], _ embedded: [ClassID]
  ) throws -> [ClassID: [ObjectKey]] {
    var result = objects
    for id in objects.keys.sorted() + embedded {
      // Those of an embedded class came owner by owner.
      result[id]?.sort()
      guard let keys = result[id] else { continue }
      for column in try writer.classWriter(id).descriptor.columns {
        guard let target = column.target, embedded.contains(target) else { continue }
        for key in keys {
          for case .link(let child) in try contents(writer.classWriter(id), column, key)
          where try writer.contains(target, child) {
            result[target, default: []].append(child)
          }
        }
      }
    }
    return result
  }

  /// Returns the values of a property as they are stored, with links to rows that are not there.
  private func contents(
    _ owner: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey
  ) throws -> [StoredValue] {
    column.collection == .none
      ? [try writer.storedValue(owner, column, key)] : try writer.list(owner.descriptor.id, column.id, key).values()
  }

  // MARK: - Links

  /// Objects that link to moved ones and keep their own keys.
  private func keepers(
    linkingBy column: ColumnDescriptor, of id: ClassID, _ moves: KeyMoves, _ owned: Set<ClassID>
  ) throws -> KeyRanges {
    var found: [KeyRange] = []
    for target in moves.classIDs where column.type == .mixed ? !owned.contains(target) : column.target == target {
      for key in moves.objects(of: target) {
        let link = ObjectLink(classID: target, key: key)
        for origin in try writer.pairReading.storedBacklinks(to: link, from: id, column.id)
        where found.last?.start != origin.rawValue && moves.newKey(id, origin) == nil {
          found.append(KeyRange(start: origin.rawValue, count: 1))
        }
      }
    }
    return KeyRanges(unordered: found)
  }

  // MARK: - Rows

  /// Makes the new row of an object, and takes the old one away.
  private func move(_ key: ObjectKey, _ owner: ClassWriter, _ moves: KeyMoves, _ owned: Set<ClassID>) throws {
    let id = owner.descriptor.id
    let new = try writer.creation.makeRow(owner)
    for column in owner.descriptor.columns {
      if column.collection != .none {
        try moveElements(key, to: new, owner, column, moves)
      } else {
        let value = moves.led(try writer.storedValue(owner, column, key), column)
        // The new row holds nil already.
        if !value.isNull { try writer.store(value, owner, column, new) }
      }
      guard let target = column.target, owned.contains(target) else { continue }
      for case .link(let child) in try contents(owner, column, new) {
        writer.recorder.owned(target, child, by: ObjectLink(classID: id, key: new), column.id)
      }
    }
    let (number, slot) = writer.locate(key)
    let known = writer.recorder.needsPrimaryKeys ? try writer.deletion.knownKey(id, key, now: nil) : nil
    writer.deletion.clearRow(
      owner, try writer.cluster(owner, number), slot, key, primaryKey: known, derived: owned.contains(id))
  }

  private func moveElements(
    _ key: ObjectKey, to new: ObjectKey, _ owner: ClassWriter, _ column: ColumnDescriptor, _ moves: KeyMoves
  ) throws {
    let id = owner.descriptor.id
    guard try writer.list(id, column.id, key).count > 0 else { return }
    func moved(keys: Bool) throws -> [StoredValue] {
      let source = try writer.collections.open(owner, column.id, key, column.collection, keys: keys)
      let values = try source.editor.values()
      writer.collections.register(source)
      if column.holdsLinks, !keys {
        for value in values { writer.collections.noteLinks(of: value, source, owner, isInsert: false) }
      }
      try source.editor.clear()
      return values
    }
    var values = try moved(keys: false)
    if column.holdsLinks {
      values = values.map { moves.led($0, column) }
      if column.collection == .set { values = SetEditing.sortedElements(values) }
    }
    try writer.collections.insertRaw(values, writer.collections.open(owner, column.id, new, column.collection), owner)
    guard column.collection == .map else { return }
    try writer.collections.insertRaw(
      try moved(keys: true), writer.collections.open(owner, column.id, new, .map, keys: true), owner)
  }
}

extension StoreWriter {
  /// Gives objects new keys.
  @inline(__always)
  var rekeying: Rekeying { Rekeying(writer: self) }
}
