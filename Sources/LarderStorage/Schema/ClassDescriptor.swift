/// One class of a store, as stored in the catalog.
public struct ClassDescriptor: Hashable, Sendable {
  public var id: ClassID
  /// The stored name.
  public var name: String
  public var isEmbedded: Bool
  /// In declaration order; ids need not be in this order.
  public var columns: [ColumnDescriptor] {
    didSet { lookup = ColumnLookup.of(columns) }
  }
  /// Indexes over several columns, and unique ones; those of one column are the column's own (`isIndexed`).
  public var indexes: [IndexDescriptor]
  /// Of an embedded class always `.local`: its objects go where their owners go.
  public var syncMode = ClassSyncMode.local
  /// Nil for few columns, which are found sooner one by one.
  private var lookup: ColumnLookup?

  public init(
    id: ClassID, name: String, isEmbedded: Bool = false, columns: [ColumnDescriptor] = [],
    indexes: [IndexDescriptor] = []
  ) {
    self.id = id
    self.name = name
    self.isEmbedded = isEmbedded
    self.columns = columns
    self.indexes = indexes
    lookup = ColumnLookup.of(columns)
  }

  public static func == (lhs: ClassDescriptor, rhs: ClassDescriptor) -> Bool {
    lhs.id == rhs.id && lhs.name == rhs.name && lhs.isEmbedded == rhs.isEmbedded && lhs.columns == rhs.columns
      && lhs.indexes == rhs.indexes && lhs.syncMode == rhs.syncMode
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(name)
    hasher.combine(isEmbedded)
    hasher.combine(columns)
    hasher.combine(indexes)
    hasher.combine(syncMode)
  }

  public var primaryKey: ColumnDescriptor? { columns.first(where: \.isPrimaryKey) }
  /// Takes the same time in a class of 65,000 columns as in one of 50.
  public func column(named name: String) -> ColumnDescriptor? {
    guard let lookup else { return columns.first { $0.name == name } }
    return lookup.place(name, in: columns).map { columns[$0] }
  }
  /// The number of the index over just these properties in this order.
  public func index(over properties: [String]) -> IndexDescriptor? {
    let ids = properties.map { column(named: $0)?.id }
    return indexes.first { $0.columns.map(Optional.some) == ids }
  }
  /// Takes the same time in a class of 65,000 columns as in one of 50.
  public func column(_ id: ColumnID) -> ColumnDescriptor? {
    guard let lookup else { return columns.first { $0.id == id } }
    return lookup.place(id, in: columns).map { columns[$0] }
  }
}
