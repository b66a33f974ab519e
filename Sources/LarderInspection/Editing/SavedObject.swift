import LarderStorage

/// The contents of an object as they were, with what is embedded in it: enough to make it again.
struct SavedObject: Sendable {
  /// The value or values of a property.
  enum Content: Sendable {
    case one(StoredValue)
    case many([StoredValue])
    case pairs([(key: String, value: StoredValue)])
    case embedded(SavedObject)
    case embeddedMany([SavedObject])
    case embeddedPairs([(key: String, object: SavedObject)])
  }

  let entry: ClassDescriptor
  let primaryKey: StoredValue?
  private let contents: [(column: ColumnDescriptor, content: Content)]

  init(_ entry: ClassDescriptor, _ key: ObjectKey, in reader: some StoreReader) throws {
    self.entry = entry
    primaryKey = try entry.primaryKey.map { try reader.value(entry.id, $0.id, key) }
    contents = try entry.columns.filter { !$0.isPrimaryKey }.map {
      ($0, try Content(entry, $0, key, in: reader))
    }
  }

  /// Writes the contents to an object of the same class. Links to objects that are deleted since become nil, or are left out.
  func write(to key: ObjectKey, _ remade: RemadeObjects, _ writer: StoreWriter) throws {
    for (column, content) in contents { try content.write(entry, column, key, remade, writer) }
  }
}

extension SavedObject.Content {
  init(_ entry: ClassDescriptor, _ column: ColumnDescriptor, _ key: ObjectKey, in reader: some StoreReader) throws {
    let embedded = column.target.flatMap { reader.schema[$0] }.flatMap { $0.isEmbedded ? $0 : nil }
    func object(_ value: StoredValue) throws -> SavedObject? {
      guard case .link(let inner) = value, let embedded else { return nil }
      return try SavedObject(embedded, inner, in: reader)
    }
    switch column.collection {
    case .none:
      let value = try reader.value(entry.id, column.id, key)
      self = try object(value).map { .embedded($0) } ?? .one(value)
    case .list, .set:
      let values = try reader.list(entry.id, column.id, key).values()
      self = embedded == nil ? .many(values) : .embeddedMany(try values.compactMap(object))
    case .map:
      let map = try reader.map(entry.id, column.id, key)
      let pairs = try (0..<map.count).map { (key: try map.key(at: $0), value: try map.value(at: $0)) }
      self =
        embedded == nil
        ? .pairs(pairs)
        : .embeddedPairs(try pairs.compactMap { pair in try object(pair.value).map { (pair.key, $0) } })
    }
  }

  func write(
    _ entry: ClassDescriptor, _ column: ColumnDescriptor, _ key: ObjectKey, _ remade: RemadeObjects,
    _ writer: StoreWriter
  ) throws {
    func alive(_ saved: StoredValue) throws -> StoredValue? {
      let value = remade.now(saved, target: column.target)
      switch value {
      case .link(let linked):
        guard let target = column.target, try writer.contains(target, linked) else { return nil }
      case .object(let link): guard try writer.contains(link.classID, link.key) else { return nil }
      default: break
      }
      return value
    }
    switch self {
    case .one(let value): try writer.set(entry.id, column.id, key, try alive(value) ?? .null)
    case .many(let values):
      let values = try values.compactMap(alive)
      if column.collection == .set {
        try writer.sets.assign(entry.id, column.id, key, values)
      } else {
        try writer.lists.assign(entry.id, column.id, key, values)
      }
    case .pairs(let pairs):
      try writer.maps.assign(entry.id, column.id, key, try pairs.map { ($0.key, try alive($0.value) ?? .null) })
    case .embedded(let object):
      try object.write(to: try writer.createEmbedded(in: entry.id, column.id, key), remade, writer)
    case .embeddedMany(let objects):
      for (position, object) in objects.enumerated() {
        try object.write(
          to: try writer.insertEmbedded(in: entry.id, column.id, key, at: position), remade, writer)
      }
    case .embeddedPairs(let pairs):
      for pair in pairs {
        try pair.object.write(
          to: try writer.maps.insertEmbedded(in: entry.id, column.id, key, mapKey: pair.key), remade, writer)
      }
    }
  }
}
