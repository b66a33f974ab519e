import LarderSyncProtocol

/// The shape of the values that a slot of an object may hold, by the schema.
struct SlotShape {
  let type: SchemaType
  let collection: SchemaCollection
  /// True if the slot itself may be without value.
  let isNullable: Bool
  let target: SyncText?

  init(_ property: SchemaProperty) {
    type = property.type
    collection = property.collection
    isNullable = property.isOptional || [.link, .embedded, .mixed].contains(property.type)
    target = property.target
  }

  private init(elementOf shape: SlotShape) {
    type = shape.type
    collection = .none
    isNullable = shape.isNullable
    target = shape.target
  }

  /// True if any value is allowed, and containers within each other.
  var isMixed: Bool { type == .mixed && collection == .none }

  /// The shape of the elements of the slot's collection.
  var element: SlotShape { isMixed ? self : SlotShape(elementOf: self) }
}

extension SchemaClass {
  /// Returns true if the schema has the properties of an edit, and their types have its values. A value of what it does not
  /// have would have no type: one that a later schema gives it may be another.
  ///
  /// - Parameter known: another class of the schema.
  func accepts(_ edit: SyncEdit, known: (SyncText) -> SchemaClass?) -> Bool {
    switch edit {
    case .delete: return true
    case .create(let created):
      return created.allSatisfy { created in
        property(created.name).map { SlotShape($0).holds(created.value, known) } ?? false
      }
    case .set(let path, let value): return shape(at: path, known)?.holds(value, known) ?? false
    case .add(let path, let delta): return shape(at: path, known)?.adds(delta) ?? false
    default:
      guard let path = edit.collection?.slot, let shape = shape(at: path, known) else { return false }
      guard shape.isMixed || shape.collection == edit.changedCollection else { return false }
      return edit.addedValues.allSatisfy { shape.element.holds($0, known) }
    }
  }

  /// Returns the shape of the slot at the end of a path; nil for a path that no object of the class has.
  private func shape(at path: SyncPath, _ known: (SyncText) -> SchemaClass?) -> SlotShape? {
    guard var shape = property(path.property).map({ SlotShape($0) }) else { return nil }
    for step in path.steps where !shape.isMixed {
      switch step {
      case .element:
        guard shape.collection == .list else { return nil }
        shape = shape.element
      case .key:
        guard shape.collection == .map else { return nil }
        shape = shape.element
      case .property(let name, _):
        guard shape.collection == .none, let target = shape.embedded(known) else { return nil }
        guard let next = target.property(name) else { return nil }
        shape = SlotShape(next)
      }
    }
    return shape
  }
}

extension SlotShape {
  fileprivate func embedded(_ known: (SyncText) -> SchemaClass?) -> SchemaClass? {
    type == .embedded ? target.flatMap(known) : nil
  }

  fileprivate func adds(_ delta: SyncDelta) -> Bool {
    guard collection == .none else { return false }
    switch (delta, type) {
    case (_, .mixed), (.int, .int), (.decimal, .decimal): return true
    default: return false
    }
  }

  /// Returns true if the slot may have a value.
  fileprivate func holds(_ value: SyncValue, _ known: (SyncText) -> SchemaClass?) -> Bool {
    if isMixed { return true }
    switch (collection, value) {
    case (.none, _): return holdsOne(value, known)
    case (.list, .list(let list)): return list.entries.allSatisfy { element.holdsOne($0.value, known) }
    case (.set, .set(let set)): return set.values.allSatisfy { element.holdsOne($0, known) }
    case (.map, .map(let map)): return map.entries.allSatisfy { element.holdsOne($0.value, known) }
    default: return false
    }
  }

  private func holdsOne(_ value: SyncValue, _ known: (SyncText) -> SchemaClass?) -> Bool {
    switch (type, value) {
    case (.mixed, _): return true
    case (_, .null): return isNullable
    case (.bool, .bool), (.int, .int), (.float, .float), (.double, .double), (.decimal, .decimal), (.string, .string),
      (.data, .data), (.date, .date), (.objectID, .objectID), (.uuid, .uuid):
      return true
    case (.link, .link(let object)): return target == nil || object.className == target
    case (.embedded, .embedded(let embedded)):
      guard let target = self.embedded(known) else { return false }
      return embedded.properties.allSatisfy { property in
        target.property(property.name).map { SlotShape($0).holds(property.value, known) } ?? false
      }
    default: return false
    }
  }
}

extension SyncEdit {
  /// The kind of collection that the edit changes.
  fileprivate var changedCollection: SchemaCollection {
    switch self {
    case .create, .delete, .set, .add: .none
    case .setInsert, .setRemove, .setClear: .set
    case .mapPut, .mapRemove, .mapClear: .map
    case .listInsert, .listMove, .listRemove: .list
    }
  }

  /// The values that the edit puts into a collection.
  fileprivate var addedValues: [SyncValue] {
    switch self {
    case .setInsert(_, let value), .mapPut(_, _, let value): [value]
    case .listInsert(_, let values, _, _, _): values
    default: []
    }
  }
}
