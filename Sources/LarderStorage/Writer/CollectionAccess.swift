/// The lists, sets and maps that a transaction changes: opening them, and the steps that all changes of them are made of.
///
/// A map is two lists of the same length, a set one list in order. Every change of an element is noted for the backlinks here.
struct CollectionAccess {
  let writer: StoreWriter

  /// The list, the elements of a set, or the values or keys of a map, opened.
  func open(
    _ owner: ClassWriter, _ column: ColumnID, _ key: ObjectKey, _ kind: CollectionKind = .list, keys: Bool = false
  ) throws -> OpenList {
    let id = ListID(classID: owner.descriptor.id, column: column, key: key, holdsKeys: keys)
    if writer.openLists.isOverLimit() { try makeRoom() }
    if let known = writer.openLists[id], known.column.collection == kind { return known }
    guard Int(column.rawValue) < owner.shape.columns.count, let descriptor = owner.shape.columns[Int(column.rawValue)],
      descriptor.collection == kind
    else {
      throw StorageError(
        .typeMismatch, "Column \(column.rawValue) of '\(owner.descriptor.name)' is not a \(kind).",
        className: owner.descriptor.name)
    }
    if writer.openLists.isFull { try makeRoom() }
    let editor = try writer.store.listEditor(
      id, descriptor, transaction: writer.transaction, isNew: owner.isNew(key) && !writer.openLists.hasClosed,
      limit: mostElements)
    editor.search = writer.openLists.searches[id]
    let list = OpenList(id: id, column: descriptor, editor: editor)
    writer.openLists.insert(list)
    return list
  }

  /// More elements than all lists have that are stored: a root that counts more is damaged.
  var mostElements: Int { writer.base.mostElements &+ writer.openLists.writtenElements }

  /// Writes out and lets go of lists that are too many to stay open, and before them, once, the clusters that are full of new objects: where
  /// the end of a file is lost, objects are not lost before what they hold.
  private func makeRoom() throws {
    writer.cache.viewsChanged()
    for case let owner? in writer.classes where owner.isDirty {
      let first = (Int(owner.firstNewKey) + writer.clusterSize - 1) / writer.clusterSize
      let full = first..<max(first, (Int(owner.nextKey) - 1) / writer.clusterSize)
      for number in owner.clusters.keys.sorted() where full.contains(number) && !owner.written.contains(number) {
        guard let cluster = owner.clusters[number], cluster.isDirty else { continue }
        try writer.placeCatalog()
        // It stays decoded: what is being changed may be in it.
        try writer.clusterWriting.write(cluster, owner, false)
        try writer.indexes.flushLargePairs(owner)
      }
    }
    try writer.closeLists()
  }

  /// To be called right before each change of a list.
  func register(_ list: OpenList) { writer.openLists.register(list) }

  /// To be called right before each change of a map.
  func register(_ map: OpenMap) {
    register(map.keys)
    register(map.values)
  }

  func openMap(_ owner: ClassWriter, _ column: ColumnID, _ key: ObjectKey) throws -> OpenMap {
    let values = try open(owner, column, key, .map)
    let keys = try open(owner, column, key, .map, keys: true)
    guard keys.editor.count == values.editor.count else {
      throw StorageError(
        .corrupted,
        "A map of '\(owner.descriptor.name)' has \(keys.editor.count) keys and \(values.editor.count) values. Run "
          + "`larder check` on the store.", className: owner.descriptor.name, property: values.column.name, key: key)
    }
    return OpenMap(keys: keys, values: values)
  }

  // MARK: - Values

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
      guard !(try writer.classWriter(link.classID).descriptor.isEmbedded) else {
        throw StorageError(
          .embeddedOwner,
          "'\(owner.descriptor.name).\(column.name)' cannot link to an embedded object: it has one owner.",
          className: owner.descriptor.name, property: column.name)
      }
      try checkTarget(link)
    }
    return value.isCollection ? value.withIDs { nextCollectionID() } : value
  }

  /// Versions are committed once, and numbers of cancelled transactions not given again, so neither are these ids.
  private func nextCollectionID() -> UInt64 {
    writer.collectionIDs += 1
    return writer.version << 28 | writer.collectionIDs
  }

  /// Checks elements that are to be stored.
  func check(_ values: [StoredValue], _ owner: ClassWriter, _ column: ColumnDescriptor) throws {
    let target = try column.target.map { try writer.classWriter($0) }
    for value in values {
      try column.check(value, in: owner.descriptor)
      guard let target, !value.isNull else { continue }
      guard !target.descriptor.isEmbedded else {
        throw StorageError(
          .embeddedOwner,
          "An embedded object has one owner: insert it into '\(owner.descriptor.name).\(column.name)' as a new one.",
          className: owner.descriptor.name, property: column.name)
      }
      guard case .link(let linked) = value else { continue }
      try checkTarget(ObjectLink(classID: target.descriptor.id, key: linked))
    }
  }

  /// Throws `.noSuchObject` for a link that may not be stored.
  func checkTarget(_ link: ObjectLink) throws {
    guard try !writer.contains(link.classID, link.key), try !GhostKeeping(writer: writer).allows(link) else { return }
    throw writer.missing(link.classID, link.key)
  }

  // MARK: - Steps

  func insert(_ values: [StoredValue], at position: Int, _ list: OpenList, _ owner: ClassWriter) throws {
    register(list)
    let size = list.editor.count
    if list.column.holdsLinks { for value in values { noteLinks(of: value, list, owner, isInsert: true) } }
    try list.editor.insert(values, at: position)
    writer.recorder.listEdited(
      list.id.classID, list.id.column, list.id.key, .insert(at: position, count: values.count), sizeBefore: size,
      values: values)
  }

  func remove(
    _ range: Range<Int>, _ list: OpenList, _ owner: ClassWriter, derived: Bool
  ) throws -> [ObjectKey] {
    register(list)
    let size = list.editor.count
    let children = try dropLinks(range, list, owner)
    try list.editor.remove(range)
    writer.recorder.listEdited(
      list.id.classID, list.id.column, list.id.key, .remove(at: range.lowerBound, count: range.count),
      sizeBefore: size, derived: derived)
    return children
  }

  /// Puts elements that are in order and checked into an empty collection.
  func insertRaw(_ values: [StoredValue], _ list: OpenList, _ owner: ClassWriter) throws {
    guard !values.isEmpty else { return }
    register(list)
    if !list.id.holdsKeys { for value in values { noteLinks(of: value, list, owner, isInsert: true) } }
    try list.editor.insert(values, at: 0)
  }

  // MARK: - Links

  /// Notes the links that an element of a collection brings or takes.
  func noteLinks(of value: StoredValue, _ list: OpenList, _ owner: ClassWriter, isInsert: Bool) {
    if case .link(let key) = value, let target = list.column.target {
      let link = ObjectLink(classID: target, key: key)
      writer.indexes.noteBacklink(owner, list.column, from: list.id.key, to: link, isInsert: isInsert)
    } else if list.column.type == .mixed {
      value.forEachLink {
        writer.indexes.noteBacklink(owner, list.column, from: list.id.key, to: $0, isInsert: isInsert)
      }
    }
  }

  /// Notes the links that go with a range of a list, and returns them.
  func dropLinks(_ range: Range<Int>, _ list: OpenList, _ owner: ClassWriter) throws -> [ObjectKey] {
    guard list.column.holdsLinks else { return [] }
    var targets: [ObjectKey] = []
    for position in range {
      let value = try list.editor.value(at: position)
      noteLinks(of: value, list, owner, isInsert: false)
      if case .link(let target) = value { targets.append(target) }
    }
    return targets
  }
}

extension StoreWriter {
  /// The steps that changes of lists, sets and maps have in common.
  @inline(__always)
  var collections: CollectionAccess { CollectionAccess(writer: self) }
}
