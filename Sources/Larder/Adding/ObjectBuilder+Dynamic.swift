import LarderStorage

/// Rows of classes that are known by name only.
extension ObjectBuilder {
  /// Makes or updates a row from a value; through the Swift class where there is one, so that its defaults hold.
  func createDynamic(_ cursor: _ClassCursor, _ value: Any) -> ObjectBase {
    if let typed = cursor.typed { return cursor.object(create(typed, value)._objectKey) }
    if cursor.model.isEmbedded {
      misuse("\(Realm.Error.embeddedAlone(cursor.model))")
    }
    let supplied = SuppliedValues(value, cursor.model)
    guard let primary = cursor.model.primaryKey else {
      let key = orMisuse { try host.openWriter().create(cursor.classID) }
      return filled(supplied, cursor, key)
    }
    let given = supplied.value(primary) ?? StoredValue.initial(primary).boxed ?? Optional<Int>.none as Any
    guard let stored = cursor.primaryKeyValue(given, primary) else {
      misuse(ValueConverter.mismatch(given, primary, in: cursor.model))
    }
    let existing =
      policy == .error ? nil : orMisuse { try host.reader.object(cursor.classID, primaryKey: stored) }
    return filled(supplied, cursor, existing ?? create(cursor, primary, stored), isNew: existing == nil)
  }

  private func filled(
    _ supplied: SuppliedValues, _ cursor: _ClassCursor, _ key: ObjectKey, isNew: Bool = true
  ) -> ObjectBase {
    host.noteChange()
    assign(supplied, cursor, key)
    if isNew { noteDefaults(supplied, cursor, key) }
    return cursor.object(key)
  }

  /// Logs which properties of a new object nothing was supplied for.
  private func noteDefaults(_ supplied: SuppliedValues, _ cursor: _ClassCursor, _ key: ObjectKey) {
    for property in cursor.model.properties where !property.isPrimaryKey && supplied.value(property) == nil {
      cursor.noteDefault(property.index, key)
    }
  }

  /// Makes the values of a new embedded object.
  private func fillEmbedded(_ supplied: SuppliedValues, _ cursor: _ClassCursor, _ key: ObjectKey) {
    assign(supplied, cursor, key)
    noteDefaults(supplied, cursor, key)
  }

  /// Writes an embedded object, or a list of them, of a class without a Swift class.
  func assignEmbedded(_ value: Any, _ property: ModelProperty, _ cursor: _ClassCursor, _ key: ObjectKey) {
    guard let target = cursor.target(property.index) else { return }
    let column = cursor.columns[property.index]
    let writer = host.openWriter()
    host.noteChange()
    switch property.kind {
    case .none:
      if ValueConverter.isNil(value) { return cursor.storeNull(property.index, key) }
      let supplied = checked(value, property, cursor, target)
      let made = orMisuse { try writer.createEmbedded(in: cursor.classID, column, key) }
      fillEmbedded(supplied, target, made)
    case .list:
      let values = ValueConverter.isNil(value) ? [] : ValueConverter.sequence(value)
      guard let values else { misuse(ValueConverter.mismatch(value, property, in: cursor.model)) }
      let elements = values.map { checked($0, property, cursor, target) }
      orMisuse { try writer.lists.clear(cursor.classID, column, key) }
      for (position, element) in elements.enumerated() {
        let made = orMisuse { try writer.insertEmbedded(in: cursor.classID, column, key, at: position) }
        fillEmbedded(element, target, made)
      }
    case .map:
      let values = ValueConverter.isNil(value) ? [] : ValueConverter.entries(value)
      guard let values else { misuse(ValueConverter.mismatch(value, property, in: cursor.model)) }
      let pairs = values.map {
        (key: $0.text, value: ValueConverter.isNil($1) ? nil : checked($1, property, cursor, target))
      }
      orMisuse { try writer.maps.clear(cursor.classID, column, key) }
      for (name, value) in pairs.sorted(by: { $0.key < $1.key }) {
        guard let value else {
          orMisuse { try writer.maps.put(cursor.classID, column, key, [(name, .null)]) }
          continue
        }
        let made = orMisuse { try writer.maps.insertEmbedded(in: cursor.classID, column, key, mapKey: name) }
        fillEmbedded(value, target, made)
      }
    case .set: misuse(ValueConverter.mismatch(value, property, in: cursor.model))
    }
  }

  private func checked(
    _ value: Any, _ property: ModelProperty, _ cursor: _ClassCursor, _ target: _ClassCursor
  ) -> SuppliedValues {
    guard SuppliedValues.isPossible(value) else { misuse(ValueConverter.mismatch(value, property, in: cursor.model)) }
    return SuppliedValues(value, target.model)
  }
}

extension StoredValue {
  /// What an object reads before anything was stored.
  static func initial(_ property: ModelProperty) -> StoredValue {
    property.isOptional ? .null : .zero(property.type.columnType)
  }
}
