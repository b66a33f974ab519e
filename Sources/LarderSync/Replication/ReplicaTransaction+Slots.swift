import LarderStorage
import LarderSyncProtocol

/// Assigning to places.
extension ReplicaTransaction {
  /// Gives a slot a value; a key of a map need not be there yet.
  func assign(_ value: SyncValue, _ slot: StoreSlot) throws {
    switch slot {
    case .nested(let link, let column, _) where column.type != .mixed: noteUnfit(value, column, link)
    case .property(let link, let column): try assign(value, column, link, isNew: false)
    case .element(let link, let column, let index): try assignElement(value, at: index, column, link)
    case .entry(let link, let column, let key): try assignEntry(value, key, column, link)
    case .nested(let link, let column, let path):
      guard let last = path.last else { return }
      let stored = try converted(value, column, in: link)
      let change: NestedChange =
        switch last {
        case .position(let index): .set(stored, at: index)
        case .key(let key): .put([(key, stored)])
        }
      try writer.mixed.edit(link.classID, column.id, link.key, Array(path.dropLast()), change)
      count()
    }
  }

  private func assignElement(
    _ value: SyncValue, at index: Int, _ column: ColumnDescriptor, _ link: ObjectLink
  ) throws {
    guard holdsEmbedded(column) else {
      count()
      return try writer.lists.set(
        link.classID, column.id, link.key, at: index, try converted(value, column, in: link))
    }
    let embedded = embedded(value, column, link)
    try writer.lists.remove(link.classID, column.id, link.key, index..<(index + 1))
    try makeEmbedded(embedded, column) { try writer.insertEmbedded(in: link.classID, column.id, link.key, at: index) }
  }

  private func assignEntry(
    _ value: SyncValue, _ key: String, _ column: ColumnDescriptor, _ link: ObjectLink
  ) throws {
    if holdsEmbedded(column), case .embedded(let embedded) = value {
      return try makeEmbedded(embedded, column) {
        try writer.maps.insertEmbedded(in: link.classID, column.id, link.key, mapKey: key)
      }
    }
    guard let stored = try fitting(value, column, in: link) else { return }
    if let current = try writer.map(link.classID, column.id, link.key).value(of: key), current.isStoredAlike(stored) {
      return
    }
    try writer.maps.put(link.classID, column.id, link.key, [(key, stored)])
    count()
  }

  // MARK: - Collections

  /// Returns true if a slot's collection is one that its property can hold; else the edit is left out, and that is noted.
  private func fits(_ slot: StoreSlot) -> Bool {
    let isFitting = slot.mixedPath == nil || slot.column.type == .mixed
    if !isFitting { noteUnfit(nil, slot.column, slot.link) }
    return isFitting
  }

  /// Inserts into the list in a slot.
  func insert(_ values: [SyncValue], at index: Int, _ slot: StoreSlot) throws {
    guard fits(slot) else { return }
    let (link, column) = (slot.link, slot.column)
    if let path = slot.mixedPath {
      let stored = try values.map { try converted($0, column, in: link) }
      try writer.mixed.edit(link.classID, column.id, link.key, path, .insert(stored, at: index))
    } else if holdsEmbedded(column) {
      for (offset, value) in values.enumerated() {
        try makeEmbedded(embedded(value, column, link), column) {
          try writer.insertEmbedded(in: link.classID, column.id, link.key, at: index + offset)
        }
      }
    } else {
      let stored = try values.map { try converted($0, column, in: link) }
      try writer.lists.insert(link.classID, column.id, link.key, at: index, stored)
    }
    count(values.count)
  }

  /// Removes from the list in a slot.
  func remove(at index: Int, _ slot: StoreSlot) throws {
    guard fits(slot) else { return }
    let (link, column) = (slot.link, slot.column)
    if let path = slot.mixedPath {
      try writer.mixed.edit(link.classID, column.id, link.key, path, .remove(index..<(index + 1)))
    } else {
      try writer.lists.remove(link.classID, column.id, link.key, index..<(index + 1))
    }
    count()
  }

  /// Moves within the list in a slot.
  func move(from: Int, to: Int, _ slot: StoreSlot) throws {
    guard fits(slot) else { return }
    let (link, column) = (slot.link, slot.column)
    if let path = slot.mixedPath {
      try writer.mixed.edit(link.classID, column.id, link.key, path, .move(from: from, to: to))
    } else {
      try writer.lists.move(link.classID, column.id, link.key, from: from, to: to)
    }
    count()
  }

  /// Takes a key out of the map in a slot.
  func removeKey(_ key: String, _ slot: StoreSlot) throws {
    guard fits(slot) else { return }
    let (link, column) = (slot.link, slot.column)
    if let path = slot.mixedPath {
      try writer.mixed.edit(link.classID, column.id, link.key, path, .removeKey(key))
    } else {
      try writer.maps.remove(link.classID, column.id, link.key, key)
    }
    count()
  }

  /// Empties the set or map in a slot.
  func removeAll(_ slot: StoreSlot) throws {
    guard fits(slot) else { return }
    let (link, column) = (slot.link, slot.column)
    if let path = slot.mixedPath {
      try writer.mixed.edit(link.classID, column.id, link.key, path, .clear)
    } else if column.collection == .set {
      try writer.sets.clear(link.classID, column.id, link.key)
    } else {
      try writer.maps.clear(link.classID, column.id, link.key)
    }
    count()
  }

  /// Puts a value into the set in a slot, or takes it out.
  func setMember(_ value: SyncValue, isPresent: Bool, _ slot: StoreSlot) throws {
    guard fits(slot) else { return }
    let (link, column) = (slot.link, slot.column)
    guard let stored = try fitting(value, column, in: link) else { return }
    if isPresent {
      try writer.sets.insert(link.classID, column.id, link.key, [stored])
    } else {
      try writer.sets.remove(link.classID, column.id, link.key, stored)
    }
    count()
  }
}
