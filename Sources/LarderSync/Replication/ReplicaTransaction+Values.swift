import LarderStorage
import LarderSyncProtocol

/// Values as the store has them.
extension ReplicaTransaction {
  /// A value that a column can hold, or an element of its collection; for a required one nothing becomes its initial value, and so does what
  /// the column cannot hold, which is noted.
  func converted(_ value: SyncValue, _ column: ColumnDescriptor, in link: ObjectLink) throws -> StoredValue {
    if let fitting = try fitting(value, column, in: link) { return fitting }
    return StoredValue.initial(column)
  }

  /// A value that a column can hold; nil, which is noted, for what it cannot hold. Embedded objects and sets are no values.
  func fitting(_ value: SyncValue, _ column: ColumnDescriptor, in link: ObjectLink) throws -> StoredValue? {
    if case .null = value { return StoredValue.initial(column) }
    let result: StoredValue?
    if case .link(let name) = value, column.type == .link {
      let target = try target(name)
      result = target?.classID == column.target ? target.map { .link($0.key) } : nil
    } else if column.type == .mixed {
      result = try mixed(value)
    } else {
      result = StoredValue(plain: value).flatMap { $0.fits(column.type) ? $0 : nil }
    }
    if result == nil { noteUnfit(value, column, link) }
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
    for column in entry.columns {
      let name = SyncText(column.name)
      if let value = values[name] {
        try assign(value, column, link, isNew: false)
      } else if isKnown(name, entry) {
        try assign(.null, column, link, isNew: false)
      }
    }
  }

  /// Makes a property hold a value, or be empty.
  func assign(_ value: SyncValue, _ column: ColumnDescriptor, _ link: ObjectLink, isNew: Bool) throws {
    try leavingOut(value, column, link) { try assignFitting(value, column, link, isNew: isNew) }
  }

  private func assignFitting(
    _ value: SyncValue, _ column: ColumnDescriptor, _ link: ObjectLink, isNew: Bool
  ) throws {
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
    default:
      if case .null = value {} else { noteUnfit(value, column, link) }
      if current != nil { try writer.set(link.classID, column.id, link.key, .null) }
    }
  }

  /// The embedded object that a value is; an empty one, which is noted, for any other value: the element keeps its position.
  func embedded(_ value: SyncValue, _ column: ColumnDescriptor, _ link: ObjectLink) -> SyncEmbedded {
    if case .embedded(let embedded) = value { return embedded }
    noteUnfit(value, column, link)
    return SyncEmbedded(incarnation: .root)
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
    default: noteUnfit(value, column, link)
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
      let embedded = embedded(value, column, link)
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
      let values = try set.values.compactMap { try fitting($0, column, in: link) }
      try writer.sets.assign(link.classID, column.id, link.key, values)
      count(values.count)
    default:
      if case .null = value {} else { noteUnfit(value, column, link) }
      try writer.sets.clear(link.classID, column.id, link.key)
    }
  }

  private func assignMap(_ value: SyncValue, _ column: ColumnDescriptor, _ link: ObjectLink) throws {
    var wanted: [SyncMapEntry] = []
    switch value {
    case .map(let map): wanted = map.entries
    case .null: break
    default: noteUnfit(value, column, link)
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

extension SyncValue {
  /// The name of the kind of value, for people.
  var kindName: String {
    switch self {
    case .null: "no value"
    case .bool: "a boolean"
    case .int: "an integer"
    case .float, .double: "a floating-point number"
    case .decimal: "a decimal number"
    case .string: "a text"
    case .data: "data"
    case .date: "a date"
    case .objectID: "an ObjectId"
    case .uuid: "a UUID"
    case .link(let object): "a link to '\(object.className)'"
    case .embedded: "an embedded object"
    case .list: "a list"
    case .set: "a set"
    case .map: "a map"
    }
  }
}
