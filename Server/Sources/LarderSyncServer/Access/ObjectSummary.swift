import LarderSyncProtocol

/// The state that the log keeps of an object for every version, so that queries and rules can be evaluated on it later.
public struct ObjectSummary: Hashable, Sendable {
  /// True if the object was there.
  public var isAlive: Bool
  /// The values of queryable properties and of the primary key, as far as it had any.
  public var values: [SyncText: SyncValue]

  /// A summary; without arguments one of an object that is not there.
  public init(isAlive: Bool = false, values: [SyncText: SyncValue] = [:]) {
    self.isAlive = isAlive
    self.values = values
  }

  /// The summary of an object as it is. It costs time in the number of queryable properties.
  public init(of state: ObjectState, _ object: ObjectName, in schemaClass: SchemaClass?) {
    self.init(isAlive: state.isAlive)
    guard isAlive, let schemaClass else { return }
    for property in schemaClass.properties where property.isQueryable {
      values[property.name] = state.value(of: property.name)
    }
    if let primaryKey = schemaClass.primaryKey { values[primaryKey] = SyncValue(object.key) }
  }

  /// The value of a property; null for one that the object does not have.
  public subscript(property: SyncText) -> SyncValue { values[property] ?? .null }
}

extension SyncValue {
  /// The value of a primary key.
  init(_ key: PrimaryKey) {
    self =
      switch key {
      case .int(let value): .int(value)
      case .string(let value): .string(value)
      case .objectID(let value): .objectID(value)
      case .uuid(let value): .uuid(value)
      }
  }
}
