/// A class as a program declares it, by names; the store gives the numbers.
package struct ClassDeclaration: Hashable, Sendable {
  package var name: String
  package var isEmbedded: Bool
  package var columns: [ColumnDeclaration]
  package var indexes: [IndexDeclaration]
  /// Nil leaves the class as it is in the store, and a new one local.
  package var syncMode: ClassSyncMode?

  package init(
    name: String, isEmbedded: Bool = false, columns: [ColumnDeclaration], indexes: [IndexDeclaration] = [],
    syncMode: ClassSyncMode? = nil
  ) {
    self.name = name
    self.isEmbedded = isEmbedded
    self.columns = columns
    self.indexes = indexes
    self.syncMode = syncMode
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
          isIndexed: column.isIndexed, isFullText: column.isFullText, isLocalOnly: column.isLocalOnly,
          mergeKind: column.mergeKind)
      },
      indexes: entry.indexes.map { index in
        IndexDeclaration(index.columns.compactMap { entry.column($0)?.name }, isUnique: index.isUnique)
      }, syncMode: entry.syncMode == .local ? nil : entry.syncMode)
  }
}

extension ClassDescriptor {
  /// Returns the columns that stay in a synced class besides those that are declared: other devices have them, and they are sent on (Y-47).
  func undeclared(_ declared: [ColumnDescriptor], isSynced: Bool) -> [ColumnDescriptor] {
    guard isSynced else { return [] }
    let names = Set(declared.map(\.name))
    return columns.filter { !names.contains($0.name) && !$0.isLocalOnly && !$0.isPrimaryKey }
  }

  /// Takes over what a declaration says of the syncing of its properties. One that says nothing of syncing leaves it as it was.
  mutating func noteSync(of declaration: ClassDeclaration, since old: ClassDescriptor, isSyncing: Bool) {
    let isDeclared = declaration.isEmbedded ? isSyncing : declaration.syncMode ?? .local != .local
    for index in columns.indices {
      if isDeclared, let declared = declaration.columns.first(where: { $0.name == columns[index].name }) {
        columns[index].isLocalOnly = declared.isLocalOnly
        columns[index].mergeKind = declared.mergeKind
      } else if let known = old.column(columns[index].id) {
        columns[index].isLocalOnly = known.isLocalOnly
        columns[index].mergeKind = known.mergeKind
      }
    }
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
  package var isLocalOnly: Bool
  package var mergeKind: PropertyMergeKind

  package init(
    name: String, type: ColumnType, collection: CollectionKind = .none, isOptional: Bool = false,
    target: String? = nil, isPrimaryKey: Bool = false, isIndexed: Bool = false,
    isFullText: Bool = false, isLocalOnly: Bool = false, mergeKind: PropertyMergeKind = .default
  ) {
    self.name = name
    self.type = type
    self.collection = collection
    self.isOptional = isOptional || ColumnDescriptor.isAlwaysOptional(type, collection)
    self.target = target
    self.isPrimaryKey = isPrimaryKey
    // Values of any type have no index; a declaration may ask for one, as programs for RealmSwift do.
    self.isIndexed = isIndexed && type != .mixed
    self.isFullText = isFullText
    self.isLocalOnly = isLocalOnly
    self.mergeKind = mergeKind
  }
}
