/// Leaves out of changes what a server's schema does not have: the server would refuse the whole change for it.
public struct SchemaFilter: Hashable, Sendable {
  private let classes: [SyncText: SchemaClass]

  /// A filter for a schema.
  public init(_ schema: SyncSchema) {
    classes = Dictionary(schema.classes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns true if the schema has a property of a class, and for a class that it does not have at all, which other rules are for.
  public func knows(_ property: SyncText, of className: SyncText) -> Bool {
    classes[className].map { $0.property(property) != nil } ?? true
  }

  /// The change without what the schema does not have; nil when nothing is left of it. Changes of classes that it does not have stay as they are.
  public func kept(_ edit: LocalEdit) -> LocalEdit? {
    guard let owner = classes[edit.object.className] else { return edit }
    let change = edit.change
    if case .create(let properties) = change { return LocalEdit(edit.object, .create(kept(properties, owner))) }
    guard let path = change.path else { return edit }
    guard let property = property(path.names, in: owner) else { return nil }
    return LocalEdit(edit.object, change.mapValues { kept($0, property) })
  }

  /// Returns what is kept of an operation, as `kept(_:)` does for a change of a store.
  func kept(_ operation: SyncOperation) -> SyncOperation? {
    guard let owner = classes[operation.object.className] else { return operation }
    switch operation.edit {
    case .create(let properties): return SyncOperation(operation.object, .create(kept(properties, owner)))
    case .set(let path, let value):
      return property(path.names, in: owner).map { SyncOperation(operation.object, .set(path, kept(value, $0))) }
    case .mapPut(let path, let key, let value):
      return property(path.slot.names, in: owner).map {
        SyncOperation(operation.object, .mapPut(path, key, kept(value, $0)))
      }
    case .listInsert(let path, let values, let first, let left, let right):
      return property(path.slot.names, in: owner).map { property in
        let kept = values.map { self.kept($0, property) }
        return SyncOperation(operation.object, .listInsert(path, kept, first: first, left: left, right: right))
      }
    default:
      guard let path = operation.edit.path else { return operation }
      return property(path.names, in: owner) == nil ? nil : operation
    }
  }

  private func kept(_ properties: [CreatedProperty], _ owner: SchemaClass) -> [CreatedProperty] {
    properties.compactMap { created in
      owner.property(created.name).map { CreatedProperty(created.name, kept(created.value, $0), rank: created.rank) }
    }
  }

  /// The property at the end of a way through embedded objects; the last one that has a schema where it goes on within a value of any type.
  private func property(_ names: [SyncText], in owner: SchemaClass) -> SchemaProperty? {
    guard let first = names.first, var property = owner.property(first) else { return nil }
    for name in names.dropFirst() {
      guard let target = embedded(property) else { return property }
      guard let next = target.property(name) else { return nil }
      property = next
    }
    return property
  }

  private func embedded(_ property: SchemaProperty) -> SchemaClass? {
    property.type == .embedded ? property.target.flatMap { classes[$0] } : nil
  }

  private func kept(_ value: SyncValue, _ property: SchemaProperty) -> SyncValue {
    guard let target = embedded(property) else { return value }
    switch value {
    case .embedded(let embedded):
      let properties = embedded.properties.compactMap { inner in
        target.property(inner.name).map { SyncProperty(inner.name, kept(inner.value, $0)) }
      }
      return .embedded(SyncEmbedded(incarnation: embedded.incarnation, properties: properties))
    case .list(let list):
      let entries = list.entries.map {
        SyncListEntry(element: $0.element, position: $0.position, value: kept($0.value, property))
      }
      return .list(SyncList(incarnation: list.incarnation, entries: entries))
    case .map(let map):
      let entries = map.entries.map { SyncMapEntry($0.key, kept($0.value, property)) }
      return .map(SyncMap(incarnation: map.incarnation, entries: entries))
    default: return value
    }
  }
}

extension LocalPath {
  /// The properties on the way.
  fileprivate var names: [SyncText] {
    [property] + steps.compactMap { if case .property(let name) = $0 { name } else { nil } }
  }
}

extension SyncPath {
  /// The properties on the way.
  fileprivate var names: [SyncText] {
    [property] + steps.compactMap { if case .property(let name, _) = $0 { name } else { nil } }
  }
}

extension LocalChange {
  /// The change with other values.
  fileprivate func mapValues(_ body: (SyncValue) -> SyncValue) -> LocalChange {
    switch self {
    case .set(let path, let value): .set(path, body(value))
    case .mapPut(let path, let key, let value): .mapPut(path, key, body(value))
    case .listInsert(let path, let index, let values, let size):
      .listInsert(path, at: index, values.map(body), sizeBefore: size)
    default: self
    }
  }
}
