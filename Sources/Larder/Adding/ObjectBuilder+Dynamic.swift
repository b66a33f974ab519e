import LarderStorage

/// Rows of classes that are known by name only.
extension ObjectBuilder {
  /// Makes or updates a row from a value; through the Swift class where there is one, so that its defaults hold.
  func createDynamic(_ cursor: _ClassCursor, _ value: Any) throws -> ObjectBase {
    if let typed = cursor.typed { return cursor.object(try create(typed, value)._objectKey) }
    if cursor.model.isEmbedded { throw Realm.Error.embeddedAlone(cursor.model) }
    let supplied = try SuppliedValues(value, cursor.model)
    guard let primary = cursor.model.primaryKey else {
      let writer = host.openWriter()
      host.announcer?.inserts(cursor.classID, in: host.writeNumber)
      let key = try writer.create(cursor.classID)
      return try filled(supplied, cursor, key)
    }
    let given = try supplied.value(primary) ?? StoredValue.initial(primary).boxed ?? Optional<Int>.none as Any
    guard let stored = cursor.primaryKeyValue(given, primary) else {
      throw Realm.Error.doesNotFit(given, primary, cursor.model)
    }
    let existing = policy == .error ? nil : try host.reader.object(cursor.classID, primaryKey: stored)
    return try filled(supplied, cursor, existing ?? create(cursor, primary, stored), isNew: existing == nil)
  }

  private func filled(
    _ supplied: SuppliedValues, _ cursor: _ClassCursor, _ key: ObjectKey, isNew: Bool = true
  ) throws -> ObjectBase {
    host.noteChange()
    try assign(supplied, cursor, key)
    if isNew { try noteDefaults(supplied, cursor, key) }
    return cursor.object(key)
  }

  /// Logs which properties of a new object nothing was supplied for.
  private func noteDefaults(_ supplied: SuppliedValues, _ cursor: _ClassCursor, _ key: ObjectKey) throws {
    for property in cursor.model.properties where !property.isPrimaryKey {
      if try supplied.value(property) == nil { cursor.noteDefault(property.index, key) }
    }
  }

  /// Makes the values of a new embedded object.
  private func fillEmbedded(_ supplied: SuppliedValues, _ cursor: _ClassCursor, _ key: ObjectKey) throws {
    try assign(supplied, cursor, key)
    try noteDefaults(supplied, cursor, key)
  }

  /// Writes an embedded object, or a list of them, of a class without a Swift class.
  func assignEmbedded(_ value: Any, _ property: ModelProperty, _ cursor: _ClassCursor, _ key: ObjectKey) throws {
    guard let target = cursor.target(property.index) else { return }
    let column = cursor.columns[property.index]
    let writer = host.openWriter()
    host.announcer?.changes(cursor.classID, column, key, in: host.writeNumber)
    host.noteChange()
    switch property.kind {
    case .none:
      if ValueConverter.isNil(value) { return cursor.storeNull(property.index, key) }
      let supplied = try checked(value, property, cursor, target)
      let made = try writer.createEmbedded(in: cursor.classID, column, key)
      try fillEmbedded(supplied, target, made)
    case .list:
      let values = ValueConverter.isNil(value) ? [] : ValueConverter.sequence(value)
      guard let values else { throw Realm.Error.doesNotFit(value, property, cursor.model) }
      let elements = try values.map { try checked($0, property, cursor, target) }
      try writer.lists.clear(cursor.classID, column, key)
      for (position, element) in elements.enumerated() {
        let made = try writer.insertEmbedded(in: cursor.classID, column, key, at: position)
        try fillEmbedded(element, target, made)
      }
    case .map:
      let values = ValueConverter.isNil(value) ? [] : ValueConverter.entries(value)
      guard let values else { throw Realm.Error.doesNotFit(value, property, cursor.model) }
      let pairs = try values.map {
        (key: $0.text, value: ValueConverter.isNil($1) ? nil : try checked($1, property, cursor, target))
      }
      try writer.maps.clear(cursor.classID, column, key)
      for (name, value) in pairs.sorted(by: { $0.key < $1.key }) {
        guard let value else {
          try writer.maps.put(cursor.classID, column, key, [(name, .null)])
          continue
        }
        let made = try writer.maps.insertEmbedded(in: cursor.classID, column, key, mapKey: name)
        try fillEmbedded(value, target, made)
      }
    case .set: throw Realm.Error.doesNotFit(value, property, cursor.model)
    }
  }

  private func checked(
    _ value: Any, _ property: ModelProperty, _ cursor: _ClassCursor, _ target: _ClassCursor
  ) throws -> SuppliedValues {
    guard SuppliedValues.isPossible(value) else { throw Realm.Error.doesNotFit(value, property, cursor.model) }
    return try SuppliedValues(value, target.model)
  }
}

extension StoredValue {
  /// Returns the value that a property reads before anything was stored.
  static func initial(_ property: ModelProperty) -> StoredValue {
    property.isOptional ? .null : .zero(property.type.columnType)
  }
}
