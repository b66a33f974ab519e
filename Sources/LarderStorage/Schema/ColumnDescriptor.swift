/// One column of a class, as stored in the catalog.
public struct ColumnDescriptor: Hashable, Sendable {
  public var id: ColumnID
  /// The stored name.
  public var name: String
  public var type: ColumnType
  public var collection: CollectionKind
  /// Whether values (for collections: elements) may be nil. Links are always optional, elements of link lists never.
  public var isOptional: Bool
  /// Class of the linked objects; nil unless `type` is `.link`.
  public var target: ClassID?
  public var isPrimaryKey: Bool
  /// A secondary index is kept. The primary key always has one, whatever this says.
  public var isIndexed: Bool

  public init(
    id: ColumnID, name: String, type: ColumnType, collection: CollectionKind = .none, isOptional: Bool = false,
    target: ClassID? = nil, isPrimaryKey: Bool = false, isIndexed: Bool = false
  ) {
    self.id = id
    self.name = name
    self.type = type
    self.collection = collection
    self.isOptional = isOptional
    self.target = target
    self.isPrimaryKey = isPrimaryKey
    self.isIndexed = isIndexed
  }

  /// Whether an index block tree is kept for the column.
  public var hasIndex: Bool { isIndexed || isPrimaryKey }
}
