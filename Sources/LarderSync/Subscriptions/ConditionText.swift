import LarderQuery
import LarderStorage
import LarderSyncProtocol
import LarderSyncQuery

/// Makes what subscriptions record of conditions on a store's classes, and checks it as far as a device can (Y-18).
struct ConditionText {
  let schema: StoreSchema
  let models: ModelBinding
  /// The server's schema as it was last told; nil before the first connection: then every property of a class's own may be asked.
  var server: SyncSchema?

  /// A condition as it is recorded.
  ///
  /// - Throws: `Realm.Error.subscriptionFailed` for what subscriptions cannot ask for, `.invalidInput` for a class that is not in the store.
  func condition(_ type: ObjectBase.Type, _ node: PredicateNode?) throws -> SubscribedCondition {
    let classID = try models.classID(of: type, in: schema)
    do {
      let bound = try node.map { try models.bind($0, to: classID, in: schema) }
      return try condition(classID, bound)
    } catch let error as LarderQuery.PredicateError {
      throw Self.failed("In a subscription to '\(type.className())': \(error)", type.className())
    }
  }

  /// Returns the recorded form of a predicate with its names resolved; throws as above.
  func condition(_ classID: ClassID, _ predicate: BoundPredicate?) throws -> SubscribedCondition {
    guard let entry = schema[classID] else {
      throw Realm.Error.invalid("The class of a subscription is not in the store.")
    }
    guard schema.isSynced(classID), !entry.isEmbedded else {
      throw Self.failed(
        "'\(entry.name)' cannot be subscribed to: its objects are \(entry.isEmbedded ? "embedded and follow their owners" : "local").",
        entry.name)
    }
    do {
      let (text, arguments) = try SubscriptionQuery.text(of: predicate, classID, in: schema, for: schemaClass(entry))
      return SubscribedCondition(className: SyncText(entry.name), predicate: text, arguments: arguments)
    } catch {
      throw Self.failed(error.description, error.className, error.property)
    }
  }

  private static func failed(_ message: String, _ className: String, _ property: String? = nil) -> Realm.Error {
    .make(.subscriptionFailed, message, className: className, propertyName: property)
  }

  /// The class as the server has it, or as it is here.
  private func schemaClass(_ entry: ClassDescriptor) -> SchemaClass {
    let name = SyncText(entry.name)
    if let known = server?.classes.first(where: { $0.name == name }) { return known }
    return SchemaClass(entry, schema)
  }
}

extension SchemaClass {
  /// A class of a store, each property of which may be asked for unless it stays on the device.
  init(_ entry: ClassDescriptor, _ schema: StoreSchema) {
    let columns = entry.columns.filter { !$0.isLocalOnly }
    self.init(
      SyncText(entry.name), kind: entry.isEmbedded ? .embedded : .object,
      primaryKey: entry.columns.first(where: \.isPrimaryKey).map { SyncText($0.name) },
      properties: columns.map { SchemaProperty($0, schema) })
  }
}

extension SchemaProperty {
  fileprivate init(_ column: ColumnDescriptor, _ schema: StoreSchema) {
    let target = column.target.flatMap { schema[$0] }
    self.init(
      SyncText(column.name), Self.type(column.type, isEmbedded: target?.isEmbedded ?? false),
      collection: Self.collection(column.collection), isOptional: column.isOptional,
      target: target.map { SyncText($0.name) }, isQueryable: true)
  }

  private static func type(_ type: ColumnType, isEmbedded: Bool) -> SchemaType {
    switch type {
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .double: .double
    case .string: .string
    case .data: .data
    case .date: .date
    case .uuid: .uuid
    case .objectId: .objectID
    case .decimal128: .decimal
    case .link: isEmbedded ? .embedded : .link
    case .mixed: .mixed
    }
  }

  private static func collection(_ kind: CollectionKind) -> SchemaCollection {
    switch kind {
    case .none: .none
    case .list: .list
    case .set: .set
    case .map: .map
    }
  }
}
