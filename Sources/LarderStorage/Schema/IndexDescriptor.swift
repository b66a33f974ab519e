/// An index over several properties of a class, or a rule that their values are unique together, as stored in the catalog.
public struct IndexDescriptor: Hashable, Sendable {
  /// Number of the index in its class.
  public var id: UInt16
  /// Single-valued columns, the first one sorts first.
  public var columns: [ColumnID]
  /// No two objects have the same values; objects with a nil among them are exempt.
  public var isUnique: Bool

  public init(id: UInt16, columns: [ColumnID], isUnique: Bool) {
    self.id = id
    self.columns = columns
    self.isUnique = isUnique
  }
}

/// Such an index as a program declares it.
package struct IndexDeclaration: Hashable, Sendable {
  /// Names of the properties.
  package var properties: [String]
  package var isUnique: Bool

  package init(_ properties: [String], isUnique: Bool = false) {
    self.properties = properties
    self.isUnique = isUnique
  }
}

/// An index over several columns with the columns.
struct CompositeIndex {
  let descriptor: IndexDescriptor
  let columns: [ColumnDescriptor]

  init(_ descriptor: IndexDescriptor, _ owner: ClassDescriptor) {
    self.descriptor = descriptor
    columns = descriptor.columns.compactMap { owner.column($0) }
  }
}
