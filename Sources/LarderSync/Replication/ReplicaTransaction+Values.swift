import LarderStorage
import LarderSyncProtocol

/// Values as the store has them.
extension ReplicaTransaction {
  /// A value that a column can hold, or an element of its collection; for a required one nothing becomes its initial value.
  ///
  /// - Throws: `ReplicaError.type`. Embedded objects and sets are no values.
  func converted(_ value: SyncValue, _ column: ColumnDescriptor, in link: ObjectLink) throws -> StoredValue {
    if case .null = value { return column.isOptional ? .null : StoredValue.initial(column) }
    let result: StoredValue?
    if case .link(let name) = value, column.type == .link {
      let target = try target(name)
      result = target?.classID == column.target ? target.map { .link($0.key) } : nil
    } else if column.type == .mixed {
      result = try mixed(value)
    } else {
      result = StoredValue(plain: value)
      if result?.fits(column.type) == false { throw mismatch(value, column, link) }
    }
    guard let result else { throw mismatch(value, column, link) }
    return result
  }

  private func mixed(_ value: SyncValue) throws -> StoredValue? {
    switch value {
    case .link(let name): return try target(name).map { .object($0) } ?? .null
    case .list(let list): return .list(StoredList(try list.entries.map { try mixed($0.value) ?? .null }))
    case .map(let map):
      return .dictionary(
        StoredDictionary(try map.entries.map { (key: $0.key.string, value: try mixed($0.value) ?? .null) }))
    default: return StoredValue(plain: value)
    }
  }

  func mismatch(_ value: SyncValue, _ column: ColumnDescriptor, _ link: ObjectLink) -> ReplicaError {
    .type(
      className: catalog[link.classID]?.descriptor.name ?? "", property: column.name,
      value: String(describing: value))
  }

  func holdsEmbedded(_ column: ColumnDescriptor) -> Bool {
    column.target.flatMap { catalog[$0] }?.descriptor.isEmbedded ?? false
  }

  // MARK: - Properties

  /// Makes an object have just these values; those that it has already are not touched. Properties that the store does not know are left out.
  ///
  /// - Parameter isNew: Nothing of it was assigned yet.
  func assign(_ properties: [SyncProperty], to link: ObjectLink, isNew: Bool) throws {
    guard let entry = catalog[link.classID] else { return }
    if isNew {
      for property in properties {
        guard let column = entry.columnsByName[property.name] else { continue }
        try assign(property.value, column, link, isNew: true)
      }
      return
    }
    let values = Dictionary(properties.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    for column in entry.columns { try assign(values[SyncText(column.name)] ?? .null, column, link, isNew: false) }
  }

  /// Makes a property hold a value, or be empty.
  func assign(_ value: SyncValue, _ column: ColumnDescriptor, _ link: ObjectLink, isNew: Bool) throws {
    switch column.collection {
    case .none where holdsEmbedded(column): try assignEmbedded(value, column, link)
    case .none:
      let stored = try converted(value, column, in: link)
      // A link to an object that is not here is one all the same.
      let current = try isNew ? StoredValue.initial(column) : writer.unfilteredValue(link.classID, column.id, link.key)
      // Equal is not enough: both zeros are equal, and devices have to have the same bits.
      if current.isStoredAlike(stored) { return }
      try writer.set(link.classID, column.id, link.key, stored)
      count()
    case .list: try assignList(value, column, link)
    case .set: try assignSet(value, column, link)
    case .map: try assignMap(value, column, link)
    }
  }

  private func assignEmbedded(_ value: SyncValue, _ column: ColumnDescriptor, _ link: ObjectLink) throws {
    let current = try embedded(.property(link, column))
    switch value {
    case .embedded(let embedded):
      if let current { return try assign(embedded.properties, to: current, isNew: false) }
      try makeEmbedded(embedded, column) { try writer.createEmbedded(in: link.classID, column.id, link.key) }
    case .null:
      if current != nil { try writer.set(link.classID, column.id, link.key, .null) }
    default: throw mismatch(value, column, link)
    }
  }

  /// Makes an embedded object with its properties.
  func makeEmbedded(_ value: SyncEmbedded, _ column: ColumnDescriptor, _ make: () throws -> ObjectKey) throws {
    guard let target = column.target else { return }
    count()
    try assign(value.properties, to: ObjectLink(classID: target, key: try make()), isNew: true)
  }

  // MARK: - Collections

  private func assignList(_ value: SyncValue, _ column: ColumnDescriptor, _ link: ObjectLink) throws {
    var wanted: [SyncValue] = []
    switch value {
    case .list(let list): wanted = list.entries.map(\.value)
    case .null: break
    default: throw mismatch(value, column, link)
    }
    if holdsEmbedded(column) { return try assignEmbeddedList(wanted, column, link) }
    let values = try wanted.map { try converted($0, column, in: link) }
    let list = try writer.list(link.classID, column.id, link.key)
    let current = try (0..<list.count).map { try list.value(at: $0) }
    let start = zip(values, current).prefix { $0.isStoredAlike($1) }.count
    guard start < max(values.count, current.count) else { return }
    let shorter = min(values.count, current.count) - start
    let end = zip(values.reversed(), current.reversed()).prefix(shorter).prefix { $0.isStoredAlike($1) }.count
    if current.count - end > start {
      try writer.lists.remove(link.classID, column.id, link.key, start..<(current.count - end))
    }
    let inserted = Array(values[start..<(values.count - end)])
    if !inserted.isEmpty { try writer.lists.insert(link.classID, column.id, link.key, at: start, inserted) }
    count(inserted.count)
  }

  private func assignEmbeddedList(_ wanted: [SyncValue], _ column: ColumnDescriptor, _ link: ObjectLink) throws {
    let count = try writer.list(link.classID, column.id, link.key).count
    for (index, value) in wanted.enumerated() {
      guard case .embedded(let embedded) = value else { throw mismatch(value, column, link) }
      if index < count, let current = try self.embedded(.element(link, column, index)) {
        try assign(embedded.properties, to: current, isNew: false)
      } else {
        try makeEmbedded(embedded, column) {
          try writer.insertEmbedded(in: link.classID, column.id, link.key, at: index)
        }
      }
    }
    if count > wanted.count { try writer.lists.remove(link.classID, column.id, link.key, wanted.count..<count) }
  }

  private func assignSet(_ value: SyncValue, _ column: ColumnDescriptor, _ link: ObjectLink) throws {
    switch value {
    case .set(let set):
      let values = try set.values.map { try converted($0, column, in: link) }
      try writer.sets.assign(link.classID, column.id, link.key, values)
      count(values.count)
    case .null: try writer.sets.clear(link.classID, column.id, link.key)
    default: throw mismatch(value, column, link)
    }
  }

  private func assignMap(_ value: SyncValue, _ column: ColumnDescriptor, _ link: ObjectLink) throws {
    var wanted: [SyncMapEntry] = []
    switch value {
    case .map(let map): wanted = map.entries
    case .null: break
    default: throw mismatch(value, column, link)
    }
    let kept = Set(wanted.map(\.key))
    let map = try writer.map(link.classID, column.id, link.key)
    let current = try (0..<map.count).map { try map.key(at: $0) }
    for key in current where !kept.contains(SyncText(key)) {
      try writer.maps.remove(link.classID, column.id, link.key, key)
    }
    for entry in wanted { try assign(entry.value, .entry(link, column, entry.key.string)) }
  }
}
