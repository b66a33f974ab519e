import LarderLMDB

/// Giving each object of a class one owner, when the class becomes embedded (M-70, M-71).
struct OwnerAssignment {
  let writer: StoreWriter

  /// Deletes objects that nothing links to, and copies those that several links lead to, so that each link has its own.
  ///
  /// - Throws: `.invalidSchema` when a value of any type links to an object of the class.
  func giveOwners(_ id: ClassID) throws {
    let owner = try writer.classWriter(id)
    try writer.flush()
    for origin in writer.schema.classes {
      for column in origin.columns where column.type == .mixed {
        let tree = writer.store.tree(.backlinks(id, origin.id, column.id), codec: .integer)
        let reader = PairReader(tree) { [writer] in try writer.transaction.cursor(writer.store.tables.backlinks) }
        guard try reader.entryCount() > 0 else { continue }
        throw StorageError(
          .invalidSchema,
          "Cannot make '\(owner.descriptor.name)' embedded: values of '\(origin.name).\(column.name)' link to objects of it. "
            + "Clear them in the migration.", className: owner.descriptor.name, property: column.name)
      }
    }
    // All look-ups first: each change might make the next one write.
    var ownerless: [ObjectKey] = []
    var shared: [(origin: ClassID, column: ColumnDescriptor, key: ObjectKey, target: ObjectKey, keepsFirst: Bool)] = []
    let origins = writer.schema.origins(of: id)
    try writer.forEachKey(id) { key in
      var isFirst = true
      for (origin, column) in origins {
        let links = try writer.pairReading.storedBacklinks(
          to: ObjectLink(classID: id, key: key), from: origin.id, column.id)
        var last: ObjectKey?
        for (position, link) in links.enumerated() where link != last {
          last = link
          let isOnly = position + 1 == links.count || links[position + 1] != link
          if !(isFirst && isOnly) { shared.append((origin.id, column, link, key, isFirst)) }
          isFirst = false
        }
      }
      if isFirst { ownerless.append(key) }
    }
    let owning = owningColumns(owner)
    for link in shared {
      try copyTarget(of: link.column, link.origin, link.key, link.target, owner, owning, keepsFirst: link.keepsFirst)
    }
    for key in ownerless { try writer.deletion.deleteRow(owner, key, derived: true) }
  }

  /// Deletes objects of an embedded class whose owners have lost the property that held them.
  func deleteOwnerless(_ id: ClassID) throws {
    try writer.flush()
    let origins = writer.schema.origins(of: id)
    var ownerless: [ObjectKey] = []
    try writer.forEachKey(id) { key in
      let target = ObjectLink(classID: id, key: key)
      let isOwned = try origins.contains {
        try !writer.pairReading.storedBacklinks(to: target, from: $0.id, $1.id).isEmpty
      }
      if !isOwned { ownerless.append(key) }
    }
    let owner = try writer.classWriter(id)
    for key in ownerless { try writer.deletion.deleteRow(owner, key, derived: true) }
  }

  /// Columns of a class whose objects are copied along with an object: those of classes that are embedded already. What classes
  /// hold that become embedded later is shared until their turn comes.
  private func owningColumns(_ owner: ClassWriter) -> Set<ColumnID> {
    Set(owner.descriptor.columns.filter { $0.target.flatMap { writer.schema[$0] }?.isEmbedded ?? false }.map(\.id))
  }

  /// Lets the links of one property to an object lead to copies of it; the first link keeps the object if it may.
  private func copyTarget(
    of column: ColumnDescriptor, _ originID: ClassID, _ key: ObjectKey, _ target: ObjectKey, _ owner: ClassWriter,
    _ owning: Set<ColumnID>, keepsFirst: Bool
  ) throws {
    let origin = try writer.classWriter(originID)
    guard column.collection != .none else {
      if keepsFirst { return }
      let copy = try copyRow(owner, target, owning)
      try writer.store(.link(copy), origin, column, key)
      return
    }
    var keeps = keepsFirst
    let list = try writer.collections.open(origin, column.id, key, column.collection)
    for position in 0..<list.editor.count where try list.editor.value(at: position) == .link(target) {
      guard !keeps else {
        keeps = false
        continue
      }
      let copy = try copyRow(owner, target, owning)
      writer.collections.register(list)
      writer.collections.noteLinks(of: .link(target), list, origin, isInsert: false)
      writer.collections.noteLinks(of: .link(copy), list, origin, isInsert: true)
      try list.editor.set(at: position, .link(copy))
    }
  }

  /// A copy of an object with copies of its embedded objects; other links lead where they led.
  private func copyRow(_ owner: ClassWriter, _ key: ObjectKey, _ owning: Set<ColumnID>) throws -> ObjectKey {
    let id = owner.descriptor.id
    let copy = try writer.creation.makeRow(owner)
    func copied(_ value: StoredValue, _ column: ColumnDescriptor) throws -> StoredValue {
      guard owning.contains(column.id), case .link(let child) = value, let target = column.target else { return value }
      let childOwner = try writer.classWriter(target)
      return .link(try copyRow(childOwner, child, Set(childOwner.shape.owning.map(\.id))))
    }
    for column in owner.descriptor.columns {
      switch column.collection {
      case .none:
        let value = try copied(try writer.value(id, column.id, key), column)
        try writer.store(
          value.isCollection ? writer.collections.prepareMixed(value, owner, column) : value, owner, column, copy)
      case .list, .set, .map:
        let values = try writer.list(id, column.id, key).values().map { try copied($0, column) }
        let prepared =
          column.type == .mixed ? try values.map { try writer.collections.prepareMixed($0, owner, column) } : values
        try writer.collections.insertRaw(
          prepared, writer.collections.open(owner, column.id, copy, column.collection), owner)
        guard column.collection == .map else { continue }
        let map = try writer.map(id, column.id, key)
        let keys = try (0..<map.count).map { StoredValue.string(try map.key(at: $0)) }
        try writer.collections.insertRaw(keys, writer.collections.open(owner, column.id, copy, .map, keys: true), owner)
      }
    }
    return copy
  }
}

extension StoreWriter {
  /// Gives objects owners.
  @inline(__always)
  var owners: OwnerAssignment { OwnerAssignment(writer: self) }
}
