/// The places of a class's objects and of their columns.
struct TableLayout: Sendable {
  var name: String
  /// The table's number in links.
  let key: Int64
  let isEmbedded: Bool
  let isAsymmetric: Bool
  /// The root of the tree of objects.
  let root: Int
  /// The key of the column that is the primary key; 0 for none.
  let primaryKey: Int64
  let columns: [ColumnLayout]
  let backlinks: [BacklinkLayout]
}

/// A property's column.
struct ColumnLayout: Sendable {
  let name: String
  let key: Int64
  let type: RealmFileProperty.ValueType
  let collection: RealmFileProperty.Collection
  let isOptional: Bool
  let isIndexed: Bool
  let isFullText: Bool
  /// True if the keys of a dictionary are integers.
  let hasIntegerKeys: Bool
  /// The table that links lead to.
  let target: Int64?
  /// Texts that leaves name by number.
  let enumeration: Int?

  /// The place of the column in a cluster.
  var leafIndex: Int { Self.leafIndex(key) }

  static func leafIndex(_ key: Int64) -> Int { Int(key & 0xFFFF) }
}

/// A column that says which objects of one column of another class link here.
struct BacklinkLayout: Sendable {
  let leafIndex: Int
  let originTable: Int64
  let originColumn: Int64
}
