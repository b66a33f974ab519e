import LarderStorage
import LarderSyncProtocol

/// Reads objects of a store as values that mean the same on every device. Names within values are all the root's.
struct StoredObjects {
  let reader: any StoreReader
  let catalog: SyncCatalog
  /// Names objects that are not here while links lead to them.
  let ghost: (ObjectLink) throws -> StoredValue?

  /// Nil for an object without a primary key, and for one that is not known at all.
  func name(of link: ObjectLink) throws -> ObjectName? {
    guard let entry = catalog[link.classID], let column = entry.primaryKey else { return nil }
    let isHere = try reader.contains(link.classID, link.key)
    let value = isHere ? try reader.value(link.classID, column.id, link.key) : try ghost(link)
    return value.flatMap { PrimaryKey($0) }.map {
      ObjectName(className: SyncText(entry.descriptor.name), key: $0)
    }
  }

  /// The properties of an object that have values, without the primary key.
  func properties(of link: ObjectLink) throws -> [SyncProperty] {
    guard let entry = catalog[link.classID] else { return [] }
    return try entry.columns.compactMap { column in
      let value = try value(of: column, link)
      if case .null = value { return nil }
      return SyncProperty(SyncText(column.name), value)
    }
  }

  /// A property; empty collections are empty collections.
  func value(of column: ColumnDescriptor, _ link: ObjectLink) throws -> SyncValue {
    switch column.collection {
    case .none: return try converted(reader.unfilteredValue(link.classID, column.id, link.key), column)
    case .list:
      let values = try elements(of: column, link)
      return .list(
        SyncList(incarnation: .root, entries: values.map { SyncListEntry(element: .root, value: $0) }))
    case .set: return .set(SyncSet(incarnation: .root, values: try elements(of: column, link)))
    case .map:
      let map = try reader.map(link.classID, column.id, link.key)
      let keys = try (0..<map.count).map { SyncText(try map.key(at: $0)) }
      let values = try elements(of: column, link)
      return .map(SyncMap(incarnation: .root, entries: zip(keys, values).map { SyncMapEntry($0, $1) }))
    }
  }

  /// The elements of a list or set, or the values of a map.
  func elements(of column: ColumnDescriptor, _ link: ObjectLink) throws -> [SyncValue] {
    let list = try reader.list(link.classID, column.id, link.key)
    return try (0..<list.count).map { try converted(list.value(at: $0), column) }
  }

  func converted(_ value: StoredValue, _ column: ColumnDescriptor) throws -> SyncValue {
    switch value {
    case .link(let key):
      guard let target = column.target, let entry = catalog[target] else { return .null }
      let link = ObjectLink(classID: target, key: key)
      if entry.descriptor.isEmbedded {
        return .embedded(SyncEmbedded(incarnation: .root, properties: try properties(of: link)))
      }
      return try name(of: link).map { .link($0) } ?? .null
    case .object(let link): return try name(of: link).map { .link($0) } ?? .null
    case .list(let list):
      return .list(
        SyncList(
          incarnation: .root,
          entries: try list.map { SyncListEntry(element: .root, value: try converted($0, column)) }))
    case .dictionary(let entries):
      return .map(
        SyncMap(
          incarnation: .root,
          entries: try entries.map { SyncMapEntry(SyncText($0.key), try converted($0.value, column)) }))
    default: return SyncValue(plain: value) ?? .null
    }
  }
}
