/// The type of a column's values. Raw values are part of the file format.
public enum ColumnType: UInt8, Hashable, Sendable, CaseIterable {
  case bool = 1
  /// Every integer width; stored in as few bytes as the leaf's range needs.
  case int = 2
  case float = 3
  case double = 4
  case string = 5
  case data = 6
  case date = 7
  case uuid = 8
  case objectId = 9
  case decimal128 = 10
  /// A to-one link, or the elements of a collection of links, to top-level or embedded objects.
  case link = 11
  /// A value of any of the types above, a link to any top-level class, or a nested list or dictionary of such values.
  case mixed = 12

  /// True if values are byte strings of any length.
  package var holdsBytes: Bool { self == .string || self == .data || self == .mixed }

  /// True if an index can hold values.
  package var hasIndexOrder: Bool { self != .decimal128 && self != .mixed }
}

/// The choice whether a column holds one value per object or a collection of them. Raw values are part of the file format.
public enum CollectionKind: UInt8, Hashable, Sendable {
  case none = 0
  case list = 1
  /// Elements without duplicates, in the order of their values.
  case set = 2
  /// Values by key, in bytewise order of the keys.
  case map = 3
}
