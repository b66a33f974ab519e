import LarderStorage
import LarderSyncProtocol

/// One operation of the store's log as changes that a device takes.
struct LoggedOperation {
  private let operation: StoreOperation
  private let objects: StoredObjects
  private let catalog: SyncCatalog
  /// Properties of the embedded objects that the commit has made.
  private let drafts: [ObjectLink: [OperationProperty]]

  init(
    _ operation: StoreOperation, objects: StoredObjects, catalog: SyncCatalog,
    drafts: [ObjectLink: [OperationProperty]]
  ) {
    self.operation = operation
    self.objects = objects
    self.catalog = catalog
    self.drafts = drafts
  }

  private var target: ObjectLink { operation.object.target }

  /// The changes; none for an embedded object that is made, because it comes with what puts it into its owner.
  var changes: [LocalChange] {
    get throws {
      switch operation.change {
      case .create(_, let properties):
        return operation.object.steps.isEmpty ? [.create(try created(properties))] : []
      case .delete: return operation.object.steps.isEmpty ? [.delete] : []
      case .set(let column, let value):
        return try path(column).map { [.set($0, try converted(value, at: .init(column: column)))] } ?? []
      case .add(let column, let delta): return try addition(column, delta)
      case .list(let place, let action, let values): return try listChanges(place, action, values)
      case .insertIntoSet(let column, let values):
        return try path(column).map { path in
          try values.map { .setInsert(path, try converted($0, at: .init(column: column))) }
        } ?? []
      case .removeFromSet(let column, let values):
        return try path(column).map { path in
          try values.map { .setRemove(path, try converted($0, at: .init(column: column))) }
        } ?? []
      case .clearSet(let column): return path(column).map { [.setClear($0)] } ?? []
      case .put(let place, let key, let value):
        return try path(place).map { [.mapPut($0, SyncText(key), try converted(value, at: place))] } ?? []
      case .removeKey(let place, let key): return path(place).map { [.mapRemove($0, SyncText(key))] } ?? []
      case .clearMap(let place): return path(place).map { [.mapClear($0)] } ?? []
      case .everything: return []
      }
    }
  }

  // MARK: - Changes

  private func created(_ properties: [OperationProperty]) throws -> [CreatedProperty] {
    try properties.compactMap { property in
      guard let column = column(property.column, of: target) else { return nil }
      let value = try converted(property.value, at: .init(column: property.column))
      return CreatedProperty(SyncText(column.name), value, rank: property.isDefault ? .byDefault : .explicit)
    }
  }

  private func addition(_ column: ColumnID, _ delta: StoredValue) throws -> [LocalChange] {
    guard let path = path(column) else { return [] }
    switch delta {
    case .int(let number): return [.add(path, .int(number))]
    case .decimal128(let bits): return [.add(path, .decimal(SyncDecimal(high: bits.high, low: bits.low)))]
    default:
      throw ReplicaError.type(
        className: catalog[target.classID]?.descriptor.name ?? "", property: path.property.string, value: "\(delta)")
    }
  }

  private func listChanges(
    _ place: OperationPlace, _ action: ListEdit.Action, _ values: [OperationValue]
  ) throws -> [LocalChange] {
    guard let path = path(place) else { return [] }
    let size = operation.sizeBefore
    switch action {
    case .insert(let at, _):
      let elements = try values.map { try converted($0, at: place) }
      return elements.isEmpty ? [] : [.listInsert(path, at: at, elements, sizeBefore: size)]
    case .remove(let at, let count): return [.listRemove(path, at: at, count: count, sizeBefore: size)]
    case .set(let at, _):
      return try values.enumerated().map { offset, value in
        .set(LocalPath(path.property, path.steps + [.index(at + offset)]), try converted(value, at: place))
      }
    case .move(let from, let to): return [.listMove(path, from: from, to: to, sizeBefore: size)]
    case .clear: return size == 0 ? [] : [.listClear(path, sizeBefore: size)]
    }
  }

  // MARK: - Paths

  private func column(_ id: ColumnID, of link: ObjectLink) -> ColumnDescriptor? {
    catalog[link.classID]?.columns.first { $0.id == id }
  }

  private func path(_ column: ColumnID) -> LocalPath? { path(OperationPlace(column: column)) }

  /// The way from the object that has a name; nil when a property on it is not synchronised.
  private func path(_ place: OperationPlace) -> LocalPath? {
    var owner = operation.object.root
    var names: [SyncText] = []
    var places: [[LocalStep]] = []
    for step in operation.object.steps {
      guard let column = column(step.column, of: owner) else { return nil }
      names.append(SyncText(column.name))
      switch step.place {
      case .single: places.append([])
      case .position(let position): places.append([.index(position)])
      case .key(let key): places.append([.key(SyncText(key))])
      }
      owner = step.object
    }
    guard let column = column(place.column, of: owner) else { return nil }
    names.append(SyncText(column.name))
    places.append(
      place.path.map { step in
        switch step {
        case .position(let position): .index(position)
        case .key(let key): .key(SyncText(key))
        }
      })
    var steps: [LocalStep] = []
    for (index, name) in names.enumerated() {
      if index > 0 { steps.append(.property(name)) }
      steps += places[index]
    }
    return LocalPath(names[0], steps)
  }

  // MARK: - Values

  private func converted(_ value: OperationValue, at place: OperationPlace) throws -> SyncValue {
    switch value {
    case .plain(.value(let value)): return SyncValue(plain: value) ?? .null
    case .plain(let digest): return try long(digest, at: place, in: target) ?? .null
    case .link(let link, let primaryKey):
      guard let entry = catalog[link.classID], let key = PrimaryKey(primaryKey) else { return .null }
      return .link(ObjectName(className: SyncText(entry.descriptor.name), key: key))
    case .embedded(let link): return .embedded(try embedded(link))
    case .list(let elements):
      return .list(
        SyncList(
          incarnation: .root,
          entries: try elements.map { SyncListEntry(element: .root, value: try converted($0, at: place)) }))
    case .dictionary(let entries):
      return .map(
        SyncMap(
          incarnation: .root,
          entries: try entries.map { SyncMapEntry(SyncText($0.key), try converted($0.value, at: place)) }))
    }
  }

  /// An embedded object with the single values that it was made with; one that did not outlive the commit is empty.
  private func embedded(_ link: ObjectLink) throws -> SyncEmbedded {
    let properties = try (drafts[link] ?? []).compactMap { property -> SyncProperty? in
      guard let column = column(property.column, of: link) else { return nil }
      if case .plain(let logged) = property.value, case .digest = logged {
        return SyncProperty(SyncText(column.name), try long(logged, at: .init(column: column.id), in: link) ?? .null)
      }
      let value = try converted(property.value, at: .init(column: column.id))
      if case .null = value { return nil }
      return SyncProperty(SyncText(column.name), value)
    }
    return SyncEmbedded(incarnation: .root, properties: properties)
  }

  /// A long value that the log has only the digest of: what the place holds now, unless something later has replaced it; then that replaces
  /// it on other devices as well, and the value does not matter.
  private func long(_ digest: LoggedValue, at place: OperationPlace, in owner: ObjectLink) throws -> SyncValue? {
    guard let column = column(place.column, of: owner), try objects.reader.contains(owner.classID, owner.key) else {
      return nil
    }
    let (id, key) = (owner.classID, owner.key)
    if column.collection == .none {
      return try Self.find(digest, in: objects.reader.value(id, column.id, key)).flatMap { SyncValue(plain: $0) }
    }
    let list = try objects.reader.list(id, column.id, key)
    for position in 0..<list.count {
      if let found = try Self.find(digest, in: list.value(at: position)) { return SyncValue(plain: found) }
    }
    return nil
  }

  private static func find(_ digest: LoggedValue, in value: StoredValue) -> StoredValue? {
    switch value {
    case .list(let list): list.lazy.compactMap { find(digest, in: $0) }.first
    case .dictionary(let entries): entries.lazy.compactMap { find(digest, in: $0.value) }.first
    default: LoggedValue(value) == digest ? value : nil
    }
  }
}
