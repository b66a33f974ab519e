import LarderStorage

/// A value of an object as it is shown: links followed as far as asked for.
package indirect enum ShownValue: Sendable {
  case scalar(StoredValue)
  case list([ShownValue], total: Int)
  /// Entries in the order of their keys.
  case map([(key: String, value: ShownValue)], total: Int)
  case object(ShownObject)
  /// An object that is not followed further. A property of any type does not tell the class; the value must.
  case link(ObjectName, tellsClass: Bool)
}

/// An object with its properties in the order of the class.
package struct ShownObject: Sendable {
  package var name: ObjectName
  package var isEmbedded: Bool
  package var properties: [(name: String, value: ShownValue)]
  /// The property that is the primary key, if one is.
  package var primaryKey: String?
}

/// Reads objects with what they link to, from the schema of the store alone.
package struct ObjectTree {
  private let reader: any StoreReader
  /// Elements of a collection that are shown at most.
  private let listLimit: Int

  package init(_ reader: any StoreReader, listLimit: Int = .max) {
    self.reader = reader
    self.listLimit = listLimit
  }

  /// An object, its embedded objects, and what it links to `depth` links away.
  ///
  /// - Throws: `StorageError` when the object does not exist or its values cannot be read.
  package func object(_ entry: ClassDescriptor, _ key: ObjectKey, depth: Int) throws -> ShownObject {
    try object(entry, key, depth: depth, path: [])
  }

  /// One property of an object, shown as `object` does.
  package func value(
    _ entry: ClassDescriptor, _ column: ColumnDescriptor, _ key: ObjectKey, depth: Int
  ) throws -> ShownValue {
    try value(entry, column, key, depth, [ObjectLink(classID: entry.id, key: key)])
  }

  private func object(
    _ entry: ClassDescriptor, _ key: ObjectKey, depth: Int, path: Set<ObjectLink>
  ) throws -> ShownObject {
    let path = path.union([ObjectLink(classID: entry.id, key: key)])
    let properties = try entry.columns.map { column in
      (name: column.name, value: try value(entry, column, key, depth, path))
    }
    return ShownObject(
      name: try name(entry, key), isEmbedded: entry.isEmbedded, properties: properties,
      primaryKey: entry.primaryKey?.name)
  }

  private func value(
    _ entry: ClassDescriptor, _ column: ColumnDescriptor, _ key: ObjectKey, _ depth: Int, _ path: Set<ObjectLink>
  ) throws -> ShownValue {
    if column.collection == .map {
      let map = try reader.map(entry.id, column.id, key)
      let shown = try (0..<min(map.count, listLimit)).map { position in
        (key: try map.key(at: position), value: try self.shown(try map.value(at: position), column, depth, path))
      }
      return .map(shown, total: map.count)
    }
    guard column.collection == .none else {
      let list = try reader.list(entry.id, column.id, key)
      let shown = try (0..<min(list.count, listLimit)).map { position in
        try self.shown(try list.value(at: position), column, depth, path)
      }
      return .list(shown, total: list.count)
    }
    return try shown(try reader.value(entry.id, column.id, key), column, depth, path)
  }

  /// A value of a property, such as one that was there before, without following its links.
  func value(_ value: StoredValue, of column: ColumnDescriptor) throws -> ShownValue { try shown(value, column, 0, []) }

  private func shown(
    _ value: StoredValue, _ column: ColumnDescriptor, _ depth: Int, _ path: Set<ObjectLink>
  ) throws -> ShownValue {
    switch value {
    case .link(let key):
      guard let target = column.target.flatMap({ reader.schema[$0] }) else { return .scalar(value) }
      return try linked(target, key, depth, path, tellsClass: false)
    case .object(let link):
      guard let target = reader.schema[link.classID] else { return .scalar(value) }
      return try linked(target, link.key, depth, path, tellsClass: true)
    case .list(let elements):
      return .list(
        try elements.prefix(listLimit).map { try shown($0, column, depth, path) }, total: elements.count)
    case .dictionary(let entries):
      let shown = try entries.prefix(listLimit).map {
        (key: $0.key, value: try self.shown($0.value, column, depth, path))
      }
      return .map(shown, total: entries.count)
    default: return .scalar(value)
    }
  }

  private func linked(
    _ target: ClassDescriptor, _ key: ObjectKey, _ depth: Int, _ path: Set<ObjectLink>, tellsClass: Bool
  ) throws -> ShownValue {
    guard try reader.contains(target.id, key) else { return .scalar(.null) }
    // Embedded objects are part of their owner; a circle of links ends where it closes.
    guard target.isEmbedded || (depth > 0 && !path.contains(ObjectLink(classID: target.id, key: key))) else {
      return .link(try name(target, key), tellsClass: tellsClass)
    }
    return .object(try object(target, key, depth: target.isEmbedded ? depth : depth - 1, path: path))
  }

  /// The name of an object.
  package func name(_ entry: ClassDescriptor, _ key: ObjectKey) throws -> ObjectName {
    ObjectName(
      className: entry.name, key: key,
      primaryKey: try entry.primaryKey.map { try reader.value(entry.id, $0.id, key) })
  }
}
