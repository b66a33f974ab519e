import LarderStorage
import LarderSyncProtocol

/// A class of a schema as the query engine sees it: the properties that subscriptions may ask for, numbered.
struct QueriedClass: Sendable {
  let source: SchemaClass
  /// A schema of the class alone.
  let schema: StoreSchema
  static let id = ClassID(rawValue: 0)
  /// By number of the column, less one.
  private let names: [SyncText]

  init(_ source: SchemaClass) throws(SubscriptionQueryError) {
    guard source.kind == .object else {
      throw SubscriptionQueryError(
        .unknown, source.name.string, nil,
        "Class '\(source.name)' holds \(source.kind == .embedded ? "embedded" : "asymmetric") objects, which are not subscribed to."
      )
    }
    self.source = source
    var columns: [ColumnDescriptor] = []
    var names: [SyncText] = []
    for property in source.properties {
      guard let type = Self.type(property.type), property.collection != .map else { continue }
      guard let number = UInt16(exactly: names.count + 1) else {
        throw SubscriptionQueryError(
          .unknown, source.name.string, nil, "Class '\(source.name)' has more than \(UInt16.max) properties.")
      }
      columns.append(
        ColumnDescriptor(
          id: ColumnID(rawValue: number), name: property.name.string, type: type,
          collection: Self.collection(property.collection),
          isOptional: property.isOptional || ColumnDescriptor.isAlwaysOptional(type, .none)))
      names.append(property.name)
    }
    self.names = names
    schema = StoreSchema(
      classes: [ClassDescriptor(id: Self.id, name: source.name.string, columns: columns)], schemaVersion: 0)
  }

  func property(_ name: String) -> SchemaProperty? { source.properties.first { $0.name == SyncText(name) } }

  /// The property that a column is of.
  func name(of column: ColumnID) -> SyncText { names[Int(column.rawValue) - 1] }

  /// The type in the query engine; nil for what subscriptions do not look at.
  private static func type(_ type: SchemaType) -> ColumnType? {
    switch type {
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .double: .double
    case .decimal: .decimal128
    case .string: .string
    case .data: .data
    case .date: .date
    case .objectID: .objectId
    case .uuid: .uuid
    case .mixed: .mixed
    case .link, .embedded: nil
    }
  }

  private static func collection(_ collection: SchemaCollection) -> CollectionKind {
    switch collection {
    case .none: .none
    case .list: .list
    case .set: .set
    case .map: .map
    }
  }
}
