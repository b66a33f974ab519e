import LarderLMDB

/// Changing lists.
extension StoreWriter {
  /// Inserts elements so that the first lands at a position in `0...count`.
  ///
  /// - Throws: `.indexOutOfRange`, `.typeMismatch`, `.nullForRequired`, `.noSuchObject` for a link to a missing object,
  ///   `.embeddedOwner` for a list of embedded objects (see `insertEmbedded`).
  package func listInsert(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, at position: Int, _ values: [StoredValue]
  ) throws {
    let (owner, list) = try openList(classID, column, key)
    guard position >= 0, position <= list.editor.count else {
      throw StorageError.outOfBounds(position, list.editor.count, owner.descriptor, list.column)
    }
    let values = try prepare(values, owner, list.column)
    try insert(values, at: position, list, owner)
  }

  /// Removes the elements of a range; embedded ones are deleted.
  package func listRemove(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ range: Range<Int>
  ) throws {
    let (owner, list) = try openList(classID, column, key)
    guard range.lowerBound >= 0, range.upperBound <= list.editor.count else {
      throw StorageError.outOfBounds(range.upperBound - 1, list.editor.count, owner.descriptor, list.column)
    }
    try remove(range, list, owner, derived: false, deletingEmbedded: true)
  }

  /// Replaces one element.
  package func listSet(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, at position: Int, _ value: StoredValue
  ) throws {
    let (owner, list) = try openList(classID, column, key)
    guard position >= 0, position < list.editor.count else {
      throw StorageError.outOfBounds(position, list.editor.count, owner.descriptor, list.column)
    }
    let value = try prepare([value], owner, list.column)[0]
    register(list)
    if list.column.holdsLinks {
      noteLinks(of: try list.editor.value(at: position), list, owner, isInsert: false)
      noteLinks(of: value, list, owner, isInsert: true)
    }
    try list.editor.set(at: position, value)
    recorder.listEdited(classID, column, key, .set(at: position, count: 1), sizeBefore: list.editor.count)
  }

  /// Moves an element: it is taken out, and then put in so that it stands at `target`.
  package func listMove(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, from source: Int, to target: Int
  ) throws {
    let (owner, list) = try openList(classID, column, key)
    let count = list.editor.count
    for position in [source, target] where position < 0 || position >= count {
      throw StorageError.outOfBounds(position, count, owner.descriptor, list.column)
    }
    guard source != target else { return }
    register(list)
    try list.editor.move(from: source, to: target)
    recorder.listEdited(classID, column, key, .move(from: source, to: target), sizeBefore: count)
  }

  /// Removes every element; embedded ones are deleted.
  package func listClear(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws {
    let (owner, list) = try openList(classID, column, key)
    try clear(list, owner)
  }

  /// Replaces the whole contents: a clear and an insertion.
  package func listAssign(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ values: [StoredValue]
  ) throws {
    let (owner, list) = try openList(classID, column, key)
    let values = try prepare(values, owner, list.column)
    try clear(list, owner)
    if !values.isEmpty { try insert(values, at: 0, list, owner) }
  }

  // MARK: - Steps

  /// Opened lists that may wait in memory.
  private static var openLimit: Int { 8_192 }

  /// The list, opened; whatever was opened before may be written out first.
  func openList(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey
  ) throws -> (ClassWriter, OpenList) {
    let owner = try classWriter(classID)
    guard try contains(classID, key) else { throw missing(classID, key) }
    return (owner, try open(owner, column, key))
  }

  /// The list, the elements of a set, or the values or keys of a map, opened.
  func open(
    _ owner: ClassWriter, _ column: ColumnID, _ key: ObjectKey, _ kind: CollectionKind = .list, keys: Bool = false
  ) throws -> OpenList {
    let id = ListID(classID: owner.descriptor.id, column: column, key: key, holdsKeys: keys)
    countLists()
    if listBytes > listLimit { try closeLists() }
    if let known = lists[id], known.column.collection == kind { return known }
    guard Int(column.rawValue) < owner.columns.count, let descriptor = owner.columns[Int(column.rawValue)],
      descriptor.collection == kind
    else {
      throw StorageError(
        .typeMismatch, "Column \(column.rawValue) of '\(owner.descriptor.name)' is not a \(kind).",
        className: owner.descriptor.name)
    }
    if lists.count >= Self.openLimit { try closeLists() }
    let editor = try store.listEditor(
      id, descriptor, transaction: transaction, isNew: owner.isNew(key) && !hasClosedLists, limit: mostElements)
    editor.search = linkSearches[id]
    let list = OpenList(id: id, column: descriptor, editor: editor)
    lists[id] = list
    return list
  }

  /// More elements than all lists have that are stored: a root that counts more is damaged.
  var mostElements: Int { base.mostElements &+ writtenElements }

  /// Writes out and lets go of every list that was opened.
  func closeLists() throws {
    try flushLists()
    for list in lists.values { list.isRegistered = false }
    keepSearches()
    hasClosedLists = hasClosedLists || !lists.isEmpty
    lists = [:]
    listBytes = 0
    uncountedLists = []
  }

  /// Keeps what searches in long lists have learnt, as far as it takes little memory: without it the first search in a list that is
  /// opened again would look at every element.
  private func keepSearches() {
    for (id, list) in lists {
      if list.editor.root.level > 0, let search = list.editor.search { linkSearches[id] = search }
    }
    let bytes = linkSearches.values.reduce(64 * linkSearches.count) { $0 + $1.bytes }
    if bytes > listLimit { linkSearches = [:] }
  }

  /// Writes out the lists that changed.
  func flushLists() throws {
    guard !changedLists.isEmpty else { return }
    if changedLists.count > 1 { try placeCatalog() }
    for list in changedLists.sorted(by: { $0.id < $1.id }) {
      try list.editor.flush(transaction)
      writtenElements += list.editor.count
      list.isChanged = false
    }
    changedLists = []
  }

  /// To be called right before each change of a list.
  func register(_ list: OpenList) {
    if !list.isRegistered {
      list.isRegistered = true
      list.countedBytes = 0
      lists[list.id] = list
    }
    if !list.isChanged {
      list.isChanged = true
      changedLists.append(list)
    }
    if uncountedLists.last !== list { uncountedLists.append(list) }
  }

  /// Counts what lists have come to hold by their last changes.
  private func countLists() {
    for list in uncountedLists {
      listBytes += list.editor.heldBytes - list.countedBytes
      list.countedBytes = list.editor.heldBytes
    }
    uncountedLists.removeAll(keepingCapacity: true)
  }

  /// Checks elements that are to be stored.
  func check(_ values: [StoredValue], _ owner: ClassWriter, _ column: ColumnDescriptor) throws {
    let target = try column.target.map { try classWriter($0) }
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
      guard try contains(target.descriptor.id, linked) else { throw missing(target.descriptor.id, linked) }
    }
  }

  func insert(_ values: [StoredValue], at position: Int, _ list: OpenList, _ owner: ClassWriter) throws {
    register(list)
    let size = list.editor.count
    if list.column.holdsLinks { for value in values { noteLinks(of: value, list, owner, isInsert: true) } }
    try list.editor.insert(values, at: position)
    recorder.listEdited(
      list.id.classID, list.id.column, list.id.key, .insert(at: position, count: values.count), sizeBefore: size)
  }

  func remove(
    _ range: Range<Int>, _ list: OpenList, _ owner: ClassWriter, derived: Bool, deletingEmbedded: Bool
  ) throws {
    register(list)
    let size = list.editor.count
    let children = try dropLinks(range, list, owner)
    try list.editor.remove(range)
    recorder.listEdited(
      list.id.classID, list.id.column, list.id.key, .remove(at: range.lowerBound, count: range.count),
      sizeBefore: size, derived: derived)
    if deletingEmbedded { try deleteEmbedded(children, list.column) }
  }

  private func clear(_ list: OpenList, _ owner: ClassWriter) throws {
    let size = list.editor.count
    guard size > 0 else { return }
    register(list)
    let children = try dropLinks(0..<size, list, owner)
    try list.editor.clear()
    recorder.listEdited(list.id.classID, list.id.column, list.id.key, .clear, sizeBefore: size)
    try deleteEmbedded(children, list.column)
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

  func deleteEmbedded(_ keys: [ObjectKey], _ column: ColumnDescriptor) throws {
    guard let target = column.target, try classWriter(target).descriptor.isEmbedded else { return }
    for key in keys { try deleteRow(try classWriter(target), key, derived: true) }
  }
}
