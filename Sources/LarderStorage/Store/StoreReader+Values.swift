import LarderLMDB

extension StoreReader {
  /// Splits a key into cluster and slot.
  @inline(__always)
  package func locate(_ key: ObjectKey) -> (cluster: Int, slot: Int) {
    let (cluster, slot) = key.rawValue.quotientAndRemainder(dividingBy: UInt64(clusterSize))
    return (Int(truncatingIfNeeded: cluster), Int(slot))
  }

  package func contains(_ classID: ClassID, _ key: ObjectKey) throws -> Bool {
    let (cluster, slot) = locate(key)
    guard cluster < (try clusterCount(of: classID)) else { return false }
    guard let presence = try presence(classID, cluster: cluster) else { return false }
    return slot < presence.count && presence.bool(slot)
  }

  /// The class's descriptor; throws `.unknownClass`.
  package func descriptor(_ classID: ClassID) throws -> ClassDescriptor {
    guard let found = schema[classID] else {
      throw StorageError(.unknownClass, "The store has no class number \(classID.rawValue).")
    }
    return found
  }

  /// The column's descriptor; throws `.unknownProperty`.
  package func descriptor(_ classID: ClassID, _ column: ColumnID) throws -> ColumnDescriptor {
    let entry = try descriptor(classID)
    guard let found = entry.column(column) else {
      throw StorageError(
        .unknownProperty, "Class '\(entry.name)' has no column number \(column.rawValue).", className: entry.name)
    }
    return found
  }

  /// Throws `.typeMismatch` unless the column holds such a collection.
  func requireKind(_ kind: CollectionKind, _ classID: ClassID, _ column: ColumnID) throws {
    let entry = try descriptor(classID)
    let descriptor = try descriptor(classID, column)
    guard descriptor.collection == kind else { throw StorageError.notCollection(kind, entry, descriptor) }
  }

  /// The error for an object that is not there.
  package func missing(_ classID: ClassID, _ key: ObjectKey) -> StorageError {
    let name = schema[classID]?.name ?? "class \(classID.rawValue)"
    return StorageError(
      .noSuchObject, "There is no object \(key.rawValue) of '\(name)'; it may have been deleted.", className: name,
      key: key)
  }

  package func value(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> StoredValue {
    guard try contains(classID, key) else { throw missing(classID, key) }
    let descriptor = try descriptor(classID, column)
    let (cluster, slot) = locate(key)
    guard let leaf = try leaf(classID, column, cluster: cluster), slot < leaf.count else {
      return StoredValue.initial(descriptor)
    }
    return try value(leaf, slot, classID, descriptor, key)
  }

  /// The value in a slot of a leaf, read from its own place when it is too large for the leaf.
  func value(
    _ leaf: LeafView, _ slot: Int, _ classID: ClassID, _ descriptor: ColumnDescriptor, _ key: ObjectKey
  ) throws -> StoredValue {
    if leaf.isNull(slot) { return .null }
    if leaf.isLarge(slot) {
      let value = try StoredValue(bytes: try largeValue(classID, descriptor.id, key), type: descriptor.type)
      return descriptor.type == .mixed ? try withoutGhosts(value) : value
    }
    if descriptor.type == .link, let target = descriptor.target {
      // A link to a row that is not there reads as nil (L-8).
      guard let linked = leaf.link(slot), try contains(target, linked) else { return .null }
      return .link(linked)
    }
    return descriptor.type == .mixed ? try withoutGhosts(leaf.value(slot)) : try leaf.value(slot)
  }

  /// A mixed value with links to rows that are not there as nil (L-8).
  func withoutGhosts(_ value: StoredValue) throws -> StoredValue {
    switch value {
    case .object(let link): return try schema[link.classID] != nil && contains(link.classID, link.key) ? value : .null
    case .list(var list):
      list.elements = try list.elements.map { try withoutGhosts($0) }
      return .list(list)
    case .dictionary(let entries): return .dictionary(try entries.mapValues { try withoutGhosts($0) })
    default: return value
    }
  }

  package func object(_ classID: ClassID, primaryKey: StoredValue) throws -> ObjectKey? {
    let entry = try descriptor(classID)
    guard let column = entry.primaryKey else {
      throw StorageError(
        .unknownProperty, "Class '\(entry.name)' has no primary key.", className: entry.name)
    }
    try column.check(primaryKey, in: entry)
    return try index(classID, column.id)?.keys(equalTo: primaryKey).first
  }
}

extension StoredValue {
  /// Returns the value that an object reads before anything was stored: nil, or the type's zero (M-47).
  package static func initial(_ column: ColumnDescriptor) -> StoredValue {
    column.isOptional ? .null : zero(column.type)
  }
}

extension StorageError {
  static func notCollection(
    _ kind: CollectionKind, _ owner: ClassDescriptor, _ column: ColumnDescriptor
  ) -> StorageError {
    StorageError(
      .typeMismatch, "'\(owner.name).\(column.name)' is not a \(kind).", className: owner.name, property: column.name)
  }
}
