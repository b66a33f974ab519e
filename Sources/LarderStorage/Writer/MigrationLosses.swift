/// An object or a value that is in the store before a migration and would not be after it.
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

/// What a migration loses, found by comparing the objects before with what they have become.
package struct MigrationLosses {
  private let base: Snapshot
  private var losses: [MigrationLoss] = []

  /// Everything that a finished migration has not kept: objects that are gone, and values of properties that are gone or start
  /// anew, unless the migration gave the new property of that name another value. Nil and zero are nothing to lose.
  package static func of(_ migration: SchemaMigration) throws -> [MigrationLoss] {
    var search = MigrationLosses(base: migration.writer.base)
    for entry in search.base.schema.classes { try search.compare(entry, migration) }
    return search.losses
  }

  /// Every object of a store.
  package static func all(of snapshot: Snapshot) throws -> [MigrationLoss] {
    var search = MigrationLosses(base: snapshot)
    for entry in snapshot.schema.classes {
      try search.forEachKey(entry.id) { search, key in try search.note(entry, key, nil) }
    }
    return search.losses
  }

  private init(base: Snapshot) { self.base = base }

  private mutating func compare(_ entry: ClassDescriptor, _ migration: SchemaMigration) throws {
    let writer = migration.writer
    let now = writer.schema[entry.id]
    let gone = entry.columns.filter { now?.column($0.id) == nil }
    try forEachKey(entry.id) { search, key in
      let current = migration.moves.newKey(entry.id, key) ?? key
      guard let now, try writer.contains(entry.id, current) else { return try search.note(entry, key, nil) }
      for column in gone {
        if let new = now.column(named: column.name), try writer.holdsSomething(entry.id, new, current) { continue }
        if try search.base.holdsSomething(entry.id, column, key) { try search.note(entry, key, column) }
      }
    }
  }

  private mutating func note(_ entry: ClassDescriptor, _ key: ObjectKey, _ column: ColumnDescriptor?) throws {
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
    losses.append(
      MigrationLoss(
        className: entry.name, key: key, primaryKey: primaryKey, property: column?.name, values: values,
        mapKeys: mapKeys))
  }

  private mutating func forEachKey(
    _ classID: ClassID, _ body: (inout MigrationLosses, ObjectKey) throws -> Void
  ) throws {
    for cluster in try base.liveClusters(of: classID) {
      guard let presence = try base.presence(classID, cluster: cluster) else { continue }
      for slot in 0..<presence.count where presence.bool(slot) {
        try body(&self, ObjectKey(rawValue: UInt64(cluster * base.clusterSize + slot)))
      }
    }
  }
}

extension StoreReader {
  /// Whether a property of an object holds anything but nil, zero or nothing.
  fileprivate func holdsSomething(_ classID: ClassID, _ column: ColumnDescriptor, _ key: ObjectKey) throws -> Bool {
    guard column.collection == .none else { return try list(classID, column.id, key).count > 0 }
    let value = try value(classID, column.id, key)
    return !value.isNull && value != .zero(column.type)
  }
}
