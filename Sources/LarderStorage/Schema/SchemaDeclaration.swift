/// A class as a program declares it, by names; the store gives the numbers.
package struct ClassDeclaration: Hashable, Sendable {
  package var name: String
  package var isEmbedded: Bool
  package var columns: [ColumnDeclaration]
  package var indexes: [IndexDeclaration]

  package init(
    name: String, isEmbedded: Bool = false, columns: [ColumnDeclaration], indexes: [IndexDeclaration] = []
  ) {
    self.name = name
    self.isEmbedded = isEmbedded
    self.columns = columns
    self.indexes = indexes
  }
}

extension ClassDeclaration {
  /// A stored class as a program would declare it.
  package init(_ entry: ClassDescriptor, in schema: StoreSchema) {
    self.init(
      name: entry.name, isEmbedded: entry.isEmbedded,
      columns: entry.columns.map { column in
        ColumnDeclaration(
          name: column.name, type: column.type, collection: column.collection, isOptional: column.isOptional,
          target: column.target.flatMap { schema[$0]?.name }, isPrimaryKey: column.isPrimaryKey,
          isIndexed: column.isIndexed, isFullText: column.isFullText)
      },
      indexes: entry.indexes.map { index in
        IndexDeclaration(index.columns.compactMap { entry.column($0)?.name }, isUnique: index.isUnique)
      })
  }
}

/// A property as a program declares it.
package struct ColumnDeclaration: Hashable, Sendable {
  package var name: String
  package var type: ColumnType
  package var collection: CollectionKind
  package var isOptional: Bool
  /// Name of the linked class, for `type == .link`.
  package var target: String?
  package var isPrimaryKey: Bool
  package var isIndexed: Bool
  package var isFullText: Bool

  package init(
    name: String, type: ColumnType, collection: CollectionKind = .none, isOptional: Bool = false,
    target: String? = nil, isPrimaryKey: Bool = false, isIndexed: Bool = false,
    isFullText: Bool = false
  ) {
    self.name = name
    self.type = type
    self.collection = collection
    self.isOptional = isOptional || ColumnDescriptor.isAlwaysOptional(type, collection)
    self.target = target
    self.isPrimaryKey = isPrimaryKey
    // Values of any type have no index: a query looks at each. A declaration that asks for one is kept by programs that have moved in.
    self.isIndexed = isIndexed && type != .mixed
    self.isFullText = isFullText
  }
}
