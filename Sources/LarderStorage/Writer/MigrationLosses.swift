/// An object or a value that is in the store before a migration and would not be after it; a nil that is not allowed any more is one.
package struct MigrationLoss: Hashable, Sendable {
  package let className: String
  package let key: ObjectKey
  package let primaryKey: StoredValue?
  /// Nil when the object itself goes.
  package let property: String?
  /// The value, the elements of a list or set, or the values of a map; empty for an object.
  package let values: [StoredValue]
  /// The keys of a map, in the order of the values.
  package let mapKeys: [String]
}

/// The losses of a migration, found by comparing the objects before with what they have become.
package struct MigrationLosses {
  private let base: Snapshot
  private let take: (MigrationLoss) -> Void

  /// Everything that a finished migration has not kept: objects that were deleted, values of properties that were deleted or have
  /// another type, unless the migration gave the new property of that name another value, and each nil that became the
  /// value of a property that is required now. Nil and zero of deleted properties are nothing to lose.
  package static func of(_ migration: SchemaMigration) throws -> [MigrationLoss] {
    var losses: [MigrationLoss] = []
    try forEach(of: migration) { losses.append($0) }
    return losses
  }

  /// Calls `body` with each loss of a finished migration, class by class in the order of object keys.
  package static func forEach(of migration: SchemaMigration, _ body: (MigrationLoss) -> Void) throws {
    try withoutActuallyEscaping(body) { body in
      let search = MigrationLosses(base: migration.writer.base, take: body)
      for entry in search.base.schema.classes { try search.compare(entry, migration) }
    }
  }

  /// Every object of a store.
  package static func all(of snapshot: Snapshot) throws -> [MigrationLoss] {
    var losses: [MigrationLoss] = []
    try withoutActuallyEscaping({ losses.append($0) }) { body in
      let search = MigrationLosses(base: snapshot, take: body)
      for entry in snapshot.schema.classes {
        try search.forEachKey(entry.id) { key in try search.note(entry, key, nil) }
      }
    }
    return losses
  }

  private init(base: Snapshot, take: @escaping (MigrationLoss) -> Void) {
    self.base = base
    self.take = take
  }

  private func compare(_ entry: ClassDescriptor, _ migration: SchemaMigration) throws {
    let writer = migration.writer
    let now = writer.schema[entry.id]
    let columns = now?.columns ?? []
    let names = Dictionary(columns.map { ($0.name, $0) }) { first, _ in first }
    let numbers = Dictionary(columns.map { ($0.id, $0) }) { first, _ in first }
    let gone = entry.columns.filter { numbers[$0.id] == nil }.map { ($0, names[$0.name]) }
    let required = entry.columns.compactMap { old in
      numbers[old.id].flatMap { $0.isOptional || !old.isOptional ? nil : (old, $0) }
    }
    try forEachKey(entry.id) { key in
      let current = migration.moves.newKey(entry.id, key) ?? key
      guard now != nil, try writer.contains(entry.id, current) else { return try note(entry, key, nil) }
      for (column, new) in gone {
        if let new, try writer.holdsSomething(entry.id, new, current) { continue }
        if try base.holdsSomething(entry.id, column, key) { try note(entry, key, column) }
      }
      for (column, new) in required {
        guard try base.holdsNil(entry.id, column, key) else { continue }
        // Another value than the one that replaces nil was given by the migration.
        if column.collection == .none {
          guard try writer.value(entry.id, new.id, current) == migration.substitute(for: new, in: entry.id) else {
            continue
          }
        }
        try note(entry, key, column)
      }
    }
  }

  private func note(_ entry: ClassDescriptor, _ key: ObjectKey, _ column: ColumnDescriptor?) throws {
    let primaryKey = try entry.primaryKey.map { try base.value(entry.id, $0.id, key) }
    var values: [StoredValue] = []
    var mapKeys: [String] = []
    if let column {
      values =
        column.collection == .none
        ? [try base.value(entry.id, column.id, key)] : try base.list(entry.id, column.id, key).values()
      if column.collection == .map {
        let map = try base.map(entry.id, column.id, key)
        mapKeys = try (0..<map.count).map { try map.key(at: $0) }
      }
    }
    take(
      MigrationLoss(
        className: entry.name, key: key, primaryKey: primaryKey, property: column?.name, values: values,
        mapKeys: mapKeys))
  }

  private func forEachKey(_ classID: ClassID, _ body: (ObjectKey) throws -> Void) throws {
    for cluster in try base.liveClusters(of: classID) {
      guard let presence = try base.presence(classID, cluster: cluster) else { continue }
      for slot in 0..<presence.count where presence.bool(slot) {
        try body(ObjectKey(rawValue: UInt64(cluster * base.clusterSize + slot)))
      }
    }
  }
}

extension StoreReader {
  /// Returns true if a property of an object holds anything but nil, zero or nothing.
  fileprivate func holdsSomething(_ classID: ClassID, _ column: ColumnDescriptor, _ key: ObjectKey) throws -> Bool {
    guard column.collection == .none else { return try list(classID, column.id, key).count > 0 }
    let value = try value(classID, column.id, key)
    return !value.isNull && value != .zero(column.type)
  }

  /// Returns true if a property of an object is nil, or one of its elements.
  fileprivate func holdsNil(_ classID: ClassID, _ column: ColumnDescriptor, _ key: ObjectKey) throws -> Bool {
    guard column.collection == .none else {
      return try list(classID, column.id, key).values().contains(where: \.isNull)
    }
    return try value(classID, column.id, key).isNull
  }
}
