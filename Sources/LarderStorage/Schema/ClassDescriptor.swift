/// One class of a store, as stored in the catalog.
public struct ClassDescriptor: Hashable, Sendable {
  public var id: ClassID
  /// The stored name.
  public var name: String
  public var isEmbedded: Bool
  /// In declaration order; ids need not be in this order.
  public var columns: [ColumnDescriptor]
  /// Indexes over several columns, and unique ones; those of one column are the column's own (`isIndexed`).
  public var indexes: [IndexDescriptor]

  public init(
    id: ClassID, name: String, isEmbedded: Bool = false, columns: [ColumnDescriptor] = [],
    indexes: [IndexDescriptor] = []
  ) {
    self.id = id
    self.name = name
    self.isEmbedded = isEmbedded
    self.columns = columns
    self.indexes = indexes
  }

  public var primaryKey: ColumnDescriptor? { columns.first(where: \.isPrimaryKey) }
  public func column(named name: String) -> ColumnDescriptor? { columns.first { $0.name == name } }
  /// The number of the index over just these properties in this order.
  public func index(over properties: [String]) -> IndexDescriptor? {
    let ids = properties.map { column(named: $0)?.id }
    return indexes.first { $0.columns.map(Optional.some) == ids }
  }
  public func column(_ id: ColumnID) -> ColumnDescriptor? { columns.first { $0.id == id } }
}
