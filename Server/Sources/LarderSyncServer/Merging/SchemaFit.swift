import LarderSyncProtocol

/// Whether values that devices send are of the types that a schema declares. One value of another type would stop all devices that are sent it.
///
/// Classes and properties that the schema does not have fit, as does nil: devices turn it into the initial value where it may not be.
struct SchemaFit {
  let access: UserAccess

  /// Whether an edit of an object of a class brings no value of another type.
  func fits(_ edit: SyncEdit, of schemaClass: SchemaClass) -> Bool {
    switch edit {
    case .create(let properties):
      properties.allSatisfy { created in
        schemaClass.property(created.name).map { fits(created.value, $0) } ?? true
      }
    case .set(let path, let value): slot(path, of: schemaClass).map { fits(value, $0) } ?? true
    case .add(let path, let delta): slot(path, of: schemaClass).map { fits(delta, $0) } ?? true
    case .setInsert(let path, let value): fits([value], .set, path, schemaClass)
    case .mapPut(let path, _, let value): fits([value], .map, path, schemaClass)
    case .listInsert(let path, let values, _, _, _): fits(values, .list, path, schemaClass)
    case .delete, .setRemove, .setClear, .mapRemove, .mapClear, .listMove, .listRemove: true
    }
  }

  // MARK: - Slots

  /// What a slot holds; nil where the schema does not say.
  private func slot(_ path: SyncPath, of schemaClass: SchemaClass) -> SchemaProperty? {
    var found = schemaClass.property(path.property)
    for step in path.steps {
      guard let current = found else { return nil }
      switch (step, current.collection) {
      case (.element, .list), (.key, .map): found = current.element
      case (.property(let name, _), .none):
        found = current.target.flatMap { access.schemaClass($0) }?.property(name)
      default: return nil
      }
    }
    return found
  }

  private func fits(
    _ values: [SyncValue], _ collection: SchemaCollection, _ path: SyncCollectionPath, _ schemaClass: SchemaClass
  ) -> Bool {
    guard let slot = slot(path.slot, of: schemaClass) else { return true }
    if slot.collection == .none, slot.type == .mixed { return true }
    return slot.collection == collection && values.allSatisfy { fits($0, slot.element) }
  }

  // MARK: - Values

  private func fits(_ value: SyncValue, _ property: SchemaProperty) -> Bool {
    switch (value, property.collection) {
    case (.null, _): true
    case (_, .none): fits(value, type: property.type, target: property.target)
    case (.list(let list), .list): list.entries.allSatisfy { fits($0.value, property.element) }
    case (.set(let set), .set): set.values.allSatisfy { fits($0, property.element) }
    case (.map(let map), .map): map.entries.allSatisfy { fits($0.value, property.element) }
    default: false
    }
  }

  private func fits(_ delta: SyncDelta, _ property: SchemaProperty) -> Bool {
    guard property.collection == .none else { return false }
    return switch (delta, property.type) {
    case (.int, .int), (.decimal, .decimal), (_, .mixed): true
    default: false
    }
  }

  private func fits(_ value: SyncValue, type: SchemaType, target: SyncText?) -> Bool {
    switch (value, type) {
    case (_, .mixed), (.bool, .bool), (.int, .int), (.float, .float), (.double, .double), (.decimal, .decimal),
      (.string, .string), (.data, .data), (.date, .date), (.objectID, .objectID), (.uuid, .uuid):
      true
    case (.link(let object), .link): object.className == target
    case (.embedded(let embedded), .embedded): fits(embedded, target.flatMap { access.schemaClass($0) })
    default: false
    }
  }

  private func fits(_ embedded: SyncEmbedded, _ schemaClass: SchemaClass?) -> Bool {
    guard let schemaClass else { return true }
    return embedded.properties.allSatisfy { property in
      schemaClass.property(property.name).map { fits(property.value, $0) } ?? true
    }
  }
}

extension SchemaClass {
  fileprivate func property(_ name: SyncText) -> SchemaProperty? { properties.first { $0.name == name } }
}

extension SchemaProperty {
  /// What one value of the collection is.
  fileprivate var element: SchemaProperty {
    SchemaProperty(name, type, isOptional: isOptional, target: target)
  }
}
