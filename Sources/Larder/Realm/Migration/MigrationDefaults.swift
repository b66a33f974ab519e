import LarderStorage

/// The values that existing objects get in properties that are new: those that a new object would have (U-12).
struct MigrationDefaults {
  /// Values that are the same in every new object, by class and stored property; without those that cost nothing: nil and zero.
  private(set) var constants: [String: [String: StoredValue]] = [:]
  /// Properties that need an instance for each object: identifiers, the time, filled collections, embedded objects.
  private var individual: [String: [ModelProperty]] = [:]
  private let models: [ModelClass]
  private var filled: Set<ClassColumn> = []

  private struct ClassColumn: Hashable {
    var classID: ClassID
    var column: ColumnID
  }

  init(_ models: [ModelClass]) {
    self.models = models
    for model in models {
      let (first, second) = (model.type.init(), model.type.init())
      // A class that has no default for a property can have no objects to take over without a value.
      for property in model.properties where property.accessor.hasValue(first.address) {
        if property.kind != .none || property.isObject || property.type == .any {
          if !Self.isEmpty(property.accessor.boxed(first.address)) {
            individual[model.name, default: []].append(property)
          }
          continue
        }
        let value = property.accessor.storedValue(first.address)
        if value != property.accessor.storedValue(second.address) {
          individual[model.name, default: []].append(property)
        } else if value != StoredValue.initial(property) {
          constants[model.name, default: [:]][property.columnName] = value
        }
      }
    }
  }

  private static func isEmpty(_ value: Any) -> Bool {
    if let collection = value as? any ManagedCollection { return collection.boxedElements().isEmpty }
    if let value = value as? AnyRealmValue { return value == .none }
    return ValueConverter.isNil(value)
  }

  /// Writes the values that differ from object to object to the properties that have none yet; each property once.
  mutating func fill(_ migration: SchemaMigration, _ core: RealmCore) throws {
    for model in models {
      guard let properties = individual[model.name], let entry = core.schema[model.name] else { continue }
      let new = Set(migration.newColumns(of: model.name))
      let empty = properties.filter { property in
        guard new.contains(property.columnName), let column = entry.column(named: property.columnName) else {
          return false
        }
        return filled.insert(ClassColumn(classID: entry.id, column: column.id)).inserted
      }
      guard !empty.isEmpty, try migration.writer.count(of: entry.id) > 0 else { continue }
      let cursor = core.cursor(for: model.type)
      try migration.writer.forEachKey(entry.id) { fill(empty, $0, cursor) }
    }
  }

  private func fill(_ properties: [ModelProperty], _ key: ObjectKey, _ cursor: _ClassCursor) {
    let object = cursor.model.type.init()
    for property in properties {
      if property.isPrimaryKey {
        cursor.store(property.accessor.storedValue(object.address), property.index, key)
      } else {
        property.accessor.add(object.address, cursor, key, owner: object)
      }
    }
  }
}
