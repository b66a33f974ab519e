/// One column of a class, as stored in the catalog.
public struct ColumnDescriptor: Hashable, Sendable {
  public var id: ColumnID
  /// The stored name.
  public var name: String
  public var type: ColumnType
  public var collection: CollectionKind
  /// A Boolean value that says whether values (for collections: elements) may be nil. To-one links, links in maps and mixed values always may, links
  /// in lists and sets never.
  public var isOptional: Bool
  /// Class of the linked objects; nil unless `type` is `.link`.
  public var target: ClassID?
  public var isPrimaryKey: Bool
  /// A secondary index is kept. The primary key always has one, whatever this says.
  public var isIndexed: Bool
  /// A full-text index is kept: of single strings only.
  public var isFullText: Bool
  /// Its values stay on this device, in a class that is synced.
  public var isLocalOnly = false
  /// The way in which values that several devices give are merged.
  public var mergeKind = PropertyMergeKind.default

  public init(
    id: ColumnID, name: String, type: ColumnType, collection: CollectionKind = .none, isOptional: Bool = false,
    target: ClassID? = nil, isPrimaryKey: Bool = false, isIndexed: Bool = false,
    isFullText: Bool = false
  ) {
    self.id = id
    self.name = name
    self.type = type
    self.collection = collection
    self.isOptional = isOptional || Self.isAlwaysOptional(type, collection)
    self.target = target
    self.isPrimaryKey = isPrimaryKey
    self.isIndexed = isIndexed
    self.isFullText = isFullText
  }

  /// True if values may link to objects.
  package var holdsLinks: Bool { type == .link || type == .mixed }

  /// Returns true if values of such a column may be nil whatever a declaration says.
  package static func isAlwaysOptional(_ type: ColumnType, _ collection: CollectionKind) -> Bool {
    type == .mixed || (type == .link && (collection == .none || collection == .map))
  }

  /// A Boolean value that says whether an index block tree is kept for the column; never for values of any type, whatever an older store's catalog
  /// says.
  public var hasIndex: Bool { (isIndexed && type != .mixed) || isPrimaryKey }
}
