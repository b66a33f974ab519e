import LarderStorage
import LarderSyncProtocol

extension SyncCatalog {
  /// The classes as a server is offered them. Which properties may be asked for is the server's to say.
  var declared: SyncSchema {
    SyncSchema(
      classes: entries.map { entry in
        var properties = entry.columns.compactMap { property($0) }
        if let key = entry.primaryKey, let property = property(key) { properties.append(property) }
        let name = SyncText(entry.descriptor.name)
        return SchemaClass(
          name, kind: entry.kind,
          primaryKey: entry.primaryKey.map { SyncText($0.name) }, properties: properties)
      })
  }

  /// Nil for a link to a class that is not synchronised.
  private func property(_ column: ColumnDescriptor) -> SchemaProperty? {
    var target: Entry?
    if let id = column.target {
      guard let found = self[id] else { return nil }
      target = found
    }
    let type = SchemaType(column.type, toEmbedded: target?.descriptor.isEmbedded ?? false)
    return SchemaProperty(
      SyncText(column.name), type, collection: SchemaCollection(column.collection), isOptional: column.isOptional,
      target: target.map { SyncText($0.descriptor.name) },
      merge: column.mergeKind == .counter ? .counter : .newest)
  }
}

extension SyncCatalog.Entry {
  fileprivate var kind: SchemaClassKind {
    if descriptor.isEmbedded { return .embedded }
    return descriptor.syncMode == .asymmetric ? .asymmetric : .object
  }
}

extension SchemaType {
  fileprivate init(_ type: ColumnType, toEmbedded: Bool) {
    self =
      switch type {
      case .bool: .bool
      case .int: .int
      case .float: .float
      case .double: .double
      case .decimal128: .decimal
      case .string: .string
      case .data: .data
      case .date: .date
      case .objectId: .objectID
      case .uuid: .uuid
      case .link: toEmbedded ? .embedded : .link
      case .mixed: .mixed
      }
  }
}

extension SchemaCollection {
  fileprivate init(_ kind: CollectionKind) {
    self =
      switch kind {
      case .none: .none
      case .list: .list
      case .set: .set
      case .map: .map
      }
  }
}
