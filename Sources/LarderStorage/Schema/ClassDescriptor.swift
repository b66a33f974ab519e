/// One class of a store, as stored in the catalog.
public struct ClassDescriptor: Hashable, Sendable {
  public var id: ClassID
  /// The stored name.
  public var name: String
  public var isEmbedded: Bool
  /// In declaration order; ids need not be in this order.
  public var columns: [ColumnDescriptor]

  public init(id: ClassID, name: String, isEmbedded: Bool = false, columns: [ColumnDescriptor] = []) {
    self.id = id
    self.name = name
    self.isEmbedded = isEmbedded
    self.columns = columns
  }

  public var primaryKey: ColumnDescriptor? { columns.first(where: \.isPrimaryKey) }
  public func column(named name: String) -> ColumnDescriptor? { columns.first { $0.name == name } }
  public func column(_ id: ColumnID) -> ColumnDescriptor? { columns.first { $0.id == id } }
}
