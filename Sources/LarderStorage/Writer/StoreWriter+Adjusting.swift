import LarderLMDB

/// Changing the values of a whole column, as migrations do. What is done here is not listed in the log, object by object.
extension StoreWriter {
  /// Calls `body` with the key of each object of a class, ascending; `body` may change the class's columns.
  package func forEachKey(_ classID: ClassID, _ body: (ObjectKey) throws -> Void) throws {
    for number in try liveClusters(of: classID) {
      guard let bitmap = try presence(classID, cluster: number)?.bitmap(capacity: clusterSize) else { continue }
      for slot in 0..<bitmap.count where bitmap[slot] {
        try body(ObjectKey(rawValue: UInt64(number * clusterSize + slot)))
      }
    }
  }

  /// Gives every object of a class the same value.
  func fill(_ column: ColumnDescriptor, _ classID: ClassID, with value: StoredValue) throws {
    let owner = try classWriter(classID)
    try column.check(value, in: owner.descriptor)
    let descriptor = try descriptor(classID, column.id)
    try forEachKey(classID) { try store(value, owner, descriptor, $0) }
    if column.isPrimaryKey { migrating?.unindexed.insert(classID) }
  }

  /// Writes the zeros of a column that was required and may be nil now: a leaf that is missing means nil from now on.
  func materializeZeros(_ column: ColumnDescriptor, _ classID: ClassID) throws {
    guard column.collection == .none else { return }
    let owner = try classWriter(classID)
    let descriptor = try descriptor(classID, column.id)
    for number in try liveClusters(of: classID) {
      guard let bitmap = try presence(classID, cluster: number)?.bitmap(capacity: clusterSize),
        try storedLeaf(owner, column.id, cluster: number) == nil
      else { continue }
      for slot in 0..<bitmap.count where bitmap[slot] {
        let key = ObjectKey(rawValue: UInt64(number * clusterSize + slot))
        try store(.zero(column.type), owner, descriptor, key)
      }
    }
  }

  /// Replaces each nil of a column that may not be nil any more; in sets it goes, unless the value is new there.
  func replaceNulls(_ column: ColumnDescriptor, _ classID: ClassID, with value: StoredValue) throws {
    let owner = try classWriter(classID)
    let descriptor = try descriptor(classID, column.id)
    guard column.collection == .none else {
      return try forEachKey(classID) { try replaceNulls(descriptor, owner, $0, with: value) }
    }
    let isZero = value == .zero(column.type)
    for number in try liveClusters(of: classID) {
      guard let bitmap = try presence(classID, cluster: number)?.bitmap(capacity: clusterSize) else { continue }
      let leaf = try storedLeaf(owner, column.id, cluster: number)
      // Without a leaf all were nil, and read as zero from now on.
      if leaf == nil, isZero { continue }
      if let leaf, leaf.nullCount == 0 { continue }
      let nulls = (0..<bitmap.count).filter { slot in
        bitmap[slot] && (leaf.map { slot >= $0.count || $0.isNull(slot) } ?? true)
      }
      for slot in nulls {
        try store(value, owner, descriptor, ObjectKey(rawValue: UInt64(number * clusterSize + slot)))
      }
    }
    if column.isPrimaryKey { migrating?.unindexed.insert(classID) }
  }

  private func replaceNulls(
    _ column: ColumnDescriptor, _ owner: ClassWriter, _ key: ObjectKey, with value: StoredValue
  ) throws {
    let id = owner.descriptor.id
    let nulls = try list(id, column.id, key).values().enumerated().filter { $0.element.isNull }.map(\.offset)
    guard !nulls.isEmpty else { return }
    if column.collection == .set {
      _ = try remove([.null], from: open(owner, column.id, key, .set), owner, derived: false)
      try setInsert(id, column.id, key, [value])
      return
    }
    let elements = try open(owner, column.id, key, column.collection)
    register(elements)
    for position in nulls { try elements.editor.set(at: position, value) }
  }

  // MARK: - Indexes

  func removeIndex(of column: ColumnDescriptor, in classID: ClassID) throws {
    guard let codec = IndexValue.codec(for: column.type) else { return }
    let tree = PairTreeID.index(classID, column.id)
    try store.tree(tree, codec: codec).removeAll(in: transaction)
    writtenTrees.insert(tree)
  }

  func removeComposite(_ id: UInt16, in classID: ClassID) throws {
    let tree = PairTreeID.composite(classID, id)
    try store.tree(tree, codec: .bytes).removeAll(in: transaction)
    writtenTrees.insert(tree)
  }

  // MARK: - Renaming

  /// A value, or the contents of a collection, on its way to another column.
  enum ColumnContents {
    case single(StoredValue)
    case list([StoredValue])
    case map([(String, StoredValue)])
  }

  /// What objects from a key on hold in a column.
  func newValues(
    of column: ColumnDescriptor, _ classID: ClassID, from first: ObjectKey
  ) throws -> [(ObjectKey, ColumnContents)] {
    let end = try classWriter(classID).nextKey
    var result: [(ObjectKey, ColumnContents)] = []
    for number in first.rawValue..<max(end, first.rawValue) {
      let key = ObjectKey(rawValue: number)
      guard try contains(classID, key) else { continue }
      switch column.collection {
      case .none: result.append((key, .single(try value(classID, column.id, key))))
      case .list, .set: result.append((key, .list(try list(classID, column.id, key).values())))
      case .map:
        let map = try map(classID, column.id, key)
        result.append((key, .map(try (0..<map.count).map { (try map.key(at: $0), try map.value(at: $0)) })))
      }
    }
    return result
  }

  /// Writes what `newValues` read to another column.
  func restore(_ contents: ColumnContents, _ column: ColumnDescriptor, _ classID: ClassID, _ key: ObjectKey) throws {
    let owner = try classWriter(classID)
    let descriptor = try descriptor(classID, column.id)
    switch contents {
    case .single(let value): try store(value, owner, descriptor, key)
    case .list(let values): try insertRaw(values, open(owner, column.id, key, column.collection), owner)
    case .map(let pairs):
      try insertRaw(pairs.map(\.1), open(owner, column.id, key, .map), owner)
      try insertRaw(pairs.map { .string($0.0) }, open(owner, column.id, key, .map, keys: true), owner)
    }
  }

  /// Puts elements that are in order and checked into an empty collection.
  func insertRaw(_ values: [StoredValue], _ list: OpenList, _ owner: ClassWriter) throws {
    guard !values.isEmpty else { return }
    register(list)
    if !list.id.holdsKeys { for value in values { noteLinks(of: value, list, owner, isInsert: true) } }
    try list.editor.insert(values, at: 0)
  }
}
