/// Changing the values of a whole column, as migrations do. What is done here is not listed in the log, object by object.
struct ColumnAdjustment {
  let writer: StoreWriter

  /// Gives every object of a class the same value.
  func fill(_ column: ColumnDescriptor, _ classID: ClassID, with value: StoredValue) throws {
    let owner = try writer.classWriter(classID)
    try column.check(value, in: owner.descriptor)
    let descriptor = try writer.descriptor(classID, column.id)
    try writer.forEachKey(classID) { try writer.store(value, owner, descriptor, $0) }
    if column.isPrimaryKey { writer.schemaState.migrating?.unindexed.insert(classID) }
  }

  /// Writes the zeros of a column that was required and may be nil now: a leaf that is missing means nil from now on.
  func materializeZeros(_ column: ColumnDescriptor, _ classID: ClassID) throws {
    guard column.collection == .none else { return }
    let owner = try writer.classWriter(classID)
    let descriptor = try writer.descriptor(classID, column.id)
    for number in try writer.liveClusters(of: classID) {
      guard let bitmap = try writer.presence(classID, cluster: number)?.bitmap(capacity: writer.clusterSize),
        try writer.storedLeaf(owner, column.id, cluster: number) == nil
      else { continue }
      for slot in 0..<bitmap.count where bitmap[slot] {
        let key = ObjectKey(rawValue: UInt64(number * writer.clusterSize + slot))
        try writer.store(.zero(column.type), owner, descriptor, key)
      }
    }
  }

  /// Replaces each nil of a column that may not be nil any more; in sets it goes, unless the value is new there.
  func replaceNulls(_ column: ColumnDescriptor, _ classID: ClassID, with value: StoredValue) throws {
    let owner = try writer.classWriter(classID)
    let descriptor = try writer.descriptor(classID, column.id)
    guard column.collection == .none else {
      return try writer.forEachKey(classID) { try replaceNulls(descriptor, owner, $0, with: value) }
    }
    let isZero = value == .zero(column.type)
    for number in try writer.liveClusters(of: classID) {
      guard let bitmap = try writer.presence(classID, cluster: number)?.bitmap(capacity: writer.clusterSize) else {
        continue
      }
      let leaf = try writer.storedLeaf(owner, column.id, cluster: number)
      // Without a leaf all were nil, and read as zero from now on.
      if leaf == nil, isZero { continue }
      if let leaf, leaf.nullCount == 0 { continue }
      let nulls = (0..<bitmap.count).filter { slot in
        bitmap[slot] && (leaf.map { slot >= $0.count || $0.isNull(slot) } ?? true)
      }
      for slot in nulls {
        try writer.store(value, owner, descriptor, ObjectKey(rawValue: UInt64(number * writer.clusterSize + slot)))
      }
    }
    if column.isPrimaryKey { writer.schemaState.migrating?.unindexed.insert(classID) }
  }

  private func replaceNulls(
    _ column: ColumnDescriptor, _ owner: ClassWriter, _ key: ObjectKey, with value: StoredValue
  ) throws {
    let id = owner.descriptor.id
    let nulls = try writer.list(id, column.id, key).values().enumerated().filter { $0.element.isNull }.map(\.offset)
    guard !nulls.isEmpty else { return }
    if column.collection == .set {
      _ = try writer.sets.remove(
        [.null], from: writer.collections.open(owner, column.id, key, .set), owner, derived: false)
      try writer.sets.insert(id, column.id, key, [value])
      return
    }
    let elements = try writer.collections.open(owner, column.id, key, column.collection)
    writer.collections.register(elements)
    for position in nulls { try elements.editor.set(at: position, value) }
  }

  // MARK: - Renaming

  /// A value, or the contents of a collection, on its way to another column.
  enum ColumnContents {
    case single(StoredValue)
    case list([StoredValue])
    case map([(String, StoredValue)])
  }

  /// Returns the values that objects from a key on hold in a column.
  func newValues(
    of column: ColumnDescriptor, _ classID: ClassID, from first: ObjectKey
  ) throws -> [(ObjectKey, ColumnContents)] {
    let end = try writer.classWriter(classID).nextKey
    var result: [(ObjectKey, ColumnContents)] = []
    for number in first.rawValue..<max(end, first.rawValue) {
      let key = ObjectKey(rawValue: number)
      guard try writer.contains(classID, key) else { continue }
      switch column.collection {
      case .none: result.append((key, .single(try writer.value(classID, column.id, key))))
      case .list, .set: result.append((key, .list(try writer.list(classID, column.id, key).values())))
      case .map:
        let map = try writer.map(classID, column.id, key)
        result.append((key, .map(try (0..<map.count).map { (try map.key(at: $0), try map.value(at: $0)) })))
      }
    }
    return result
  }

  /// Writes what `newValues` read to another column.
  func restore(_ contents: ColumnContents, _ column: ColumnDescriptor, _ classID: ClassID, _ key: ObjectKey) throws {
    let owner = try writer.classWriter(classID)
    let descriptor = try writer.descriptor(classID, column.id)
    switch contents {
    case .single(let value): try writer.store(value, owner, descriptor, key)
    case .list(let values):
      try writer.collections.insertRaw(values, writer.collections.open(owner, column.id, key, column.collection), owner)
    case .map(let pairs):
      try writer.collections.insertRaw(pairs.map(\.1), writer.collections.open(owner, column.id, key, .map), owner)
      try writer.collections.insertRaw(
        pairs.map { .string($0.0) }, writer.collections.open(owner, column.id, key, .map, keys: true), owner)
    }
  }
}

extension StoreWriter {
  /// Changes whole columns.
  @inline(__always)
  var adjustment: ColumnAdjustment { ColumnAdjustment(writer: self) }
}
