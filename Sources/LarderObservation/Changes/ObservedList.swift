import LarderStorage

/// A list, set or map of one object, to be observed by position: of elements, or of values in the order of their keys.
package struct ObservedList: Hashable, Sendable {
  package let owner: ObjectLink
  package let column: ColumnID
  /// For a list or dictionary within a value of any type.
  package let nested: ObservedNested?

  package init(owner: ObjectLink, column: ColumnID, nested: ObservedNested? = nil) {
    self.owner = owner
    self.column = column
    self.nested = nested
  }

  /// Number of elements; nil when there is no such collection any more.
  func count(in reader: any StoreReader) throws -> Int? {
    guard try reader.contains(owner.classID, owner.key) else { return nil }
    guard let nested else {
      return try shown(in: reader)?.count ?? reader.elements(owner.classID, column, owner.key).count
    }
    return try nested.elements(self, in: reader)?.count
  }

  /// The elements of a list or set that programs see, with their places in the store: not the links to objects that are not here (L-8).
  /// Nil where there can be no others.
  func shown(in reader: any StoreReader) throws -> [(place: Int, value: StoredValue)]? {
    guard nested == nil, let descriptor = reader.schema[owner.classID]?.column(column), descriptor.type == .link,
      descriptor.collection == .list || descriptor.collection == .set, let target = descriptor.target,
      try reader.hasGhosts(of: target)
    else { return nil }
    let values = try reader.elements(owner.classID, column, owner.key).values()
    return try values.enumerated().compactMap { place, value in
      guard case .link(let key) = value, try reader.contains(target, key) else { return nil }
      return (place, value)
    }
  }

  /// The elements in order; nil when there is no such collection any more.
  func values(in reader: any StoreReader) throws -> [StoredValue]? {
    guard try reader.contains(owner.classID, owner.key) else { return nil }
    guard let nested else {
      return try shown(in: reader)?.map(\.value) ?? reader.elements(owner.classID, column, owner.key).values()
    }
    return try nested.elements(self, in: reader)
  }
}

/// An observed list or dictionary within a value of any type.
package struct ObservedNested: Hashable, Sendable {
  /// The path at which it was found.
  package let path: [MixedStep]
  /// Tells it from any that took its place.
  package let id: UInt64

  package init(path: [MixedStep], id: UInt64) {
    self.path = path
    self.id = id
  }

  package static func == (lhs: ObservedNested, rhs: ObservedNested) -> Bool { lhs.id == rhs.id }
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }

  func find(_ list: ObservedList, in reader: any StoreReader) throws -> NestedCollection? {
    try reader.nested(list.owner.classID, list.column, list.owner.key, path: path, id: id)
  }

  func elements(_ list: ObservedList, in reader: any StoreReader) throws -> [StoredValue]? {
    switch try find(list, in: reader)?.value {
    case .list(let list): Array(list)
    case .dictionary(let entries): entries.values
    default: nil
    }
  }
}
