import LarderSyncProtocol

extension DecodingLimits {
  /// The limits for bytes of the server's own database. Those are as large as uploads have made them over time, and are never refused for their size:
  /// counts are checked against the bytes alone.
  static let stored = DecodingLimits(frameBytes: .max, items: .max, runNames: .max, depth: 256)
}

extension ObjectState {
  /// The merged state of a row.
  ///
  /// - Throws: `SyncStoreError` of kind `damaged` for bytes that no server wrote.
  init(_ record: ObjectRecord) throws(SyncStoreError) {
    do throws(SyncDecodingError) {
      try self.init(decoding: record.body, limits: .stored)
    } catch {
      throw SyncStoreError(
        .damaged, "the object \(record.key) cannot be read (\(error.reason) at byte \(error.position))")
    }
  }
}

extension ObjectWrite {
  /// The row of an object, with what filters may ask for.
  init(_ key: ObjectKey, _ state: ObjectState, of object: ObjectName, in schemaClass: SchemaClass?) {
    let record = ObjectRecord(
      key: key, isAlive: state.isAlive, version: Int64(clamping: state.touchedVersion), body: state.encoded())
    self.init(record, fields: QueryFields(of: state, object, in: schemaClass))
  }
}

extension QueryFields {
  /// The values of an object that a database can compare: of queryable properties, and the primary key. Nothing for an object that is not there.
  init(of state: ObjectState, _ object: ObjectName, in schemaClass: SchemaClass?) {
    var values: [String: QueryValue] = [:]
    if state.isAlive, let schemaClass {
      for property in schemaClass.properties where property.isQueryable && property.collection == .none {
        // Values of other types are compared by the evaluator of queries alone.
        guard property.type.isComparedByDatabases else { continue }
        if let value = QueryValue(state.value(of: property.name) ?? .null) {
          values[property.name.string] = value
        }
      }
      if let primaryKey = schemaClass.primaryKey {
        values[primaryKey.string] = QueryValue(SyncValue(object.key))
      }
    }
    self.init(values)
  }
}

extension SchemaType {
  /// True if values of the type are equal, and ordered, as `QueryValue` has them.
  fileprivate var isComparedByDatabases: Bool {
    switch self {
    case .bool, .int, .string, .date, .objectID, .uuid: true
    case .float, .double, .decimal, .data, .link, .embedded, .mixed: false
    }
  }
}

extension QueryValue {
  /// A value as the database compares it; nil for one of a type that it does not compare.
  init?(_ value: SyncValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .string(let value): self = .string(value.string)
    case .date(let value): self = .date(seconds: value.seconds, nanoseconds: value.nanoseconds)
    case .objectID(let value): self = .identifier(value.encoded())
    case .uuid(let value): self = .identifier(value.encoded())
    default: return nil
    }
  }
}
