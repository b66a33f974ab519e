import LarderStorage

/// One stored property of a model class.
struct ModelProperty {
  var index: Int
  var name: String
  var columnName: String
  var type: PropertyType
  var kind: CollectionKind
  var isOptional: Bool
  var isPrimaryKey: Bool
  var isIndexed: Bool
  var isFullText = false
  var isLocalOnly = false
  var objectClass: ObjectBase.Type?
  var accessor: _PropertyAccessor
  /// True if it, or each of its elements, is of a custom type, which has a value of its own for a null link.
  var isCustom = false
  /// For an inverse property: the property of `objectClass` whose links it follows back.
  var originName: String?
  /// The linked class where it is known from the store instead of from a Swift class.
  var storedTarget: StoredTarget?

  struct StoredTarget {
    var name: String
    var isEmbedded: Bool
  }

  var isObject: Bool { type == .object }
  var isEmbedded: Bool { storedTarget?.isEmbedded ?? objectClass?.isEmbedded() ?? false }
  /// Name of the linked class.
  var objectClassName: String? { storedTarget?.name ?? objectClass?.className() }
}

extension ModelProperty {
  mutating func number(_ index: Int) {
    self.index = index
    accessor.index = index
  }

  var declaration: ColumnDeclaration {
    ColumnDeclaration(
      name: columnName, type: type.columnType, collection: kind,
      isOptional: isOptional || (isObject && (kind == .none || kind == .map)),
      target: objectClass?.className(), isPrimaryKey: isPrimaryKey, isIndexed: isIndexed,
      isFullText: isFullText, isLocalOnly: isLocalOnly)
  }

  /// Returns true if both are declared alike; their linked class may be known from Swift or from the store.
  func hasSameDeclaration(as other: ModelProperty) -> Bool {
    var (mine, theirs) = (declaration, other.declaration)
    mine.target = objectClassName
    theirs.target = other.objectClassName
    return mine == theirs
  }
}
