/// One step from the stored schema to the declared one.
package enum SchemaChange: Hashable, Sendable, CustomStringConvertible {
  case addClass(String)
  case addColumn(className: String, ColumnDeclaration)
  case removeColumn(className: String, property: String)
  /// Type, link target, collection kind or nullability differ.
  case replaceColumn(className: String, from: String, ColumnDeclaration)
  case setIndexed(className: String, property: String, Bool)
  case setFullText(className: String, property: String, Bool)
  /// An index over several properties, or a unique one.
  case addIndex(className: String, IndexDeclaration)
  case removeIndex(className: String, IndexDeclaration)
  case setPrimaryKey(className: String, from: String?, to: String?)
  case setEmbedded(className: String, Bool)
  case renameClass(from: String, to: String)
  case renameColumn(className: String, from: String, to: String)
  /// Sets whether changes of the class go to other devices.
  case setSync(className: String, ClassSyncMode)
  /// A class goes with all its objects.
  case removeClass(String)

  /// True if the change needs no raised schema version (M-34, M-36).
  package var isAutomatic: Bool {
    switch self {
    case .addClass, .setIndexed, .setFullText, .addIndex, .removeIndex, .setSync: true
    default: false
    }
  }

  package var description: String {
    switch self {
    case .addClass(let name): "Class '\(name)' has been added."
    case .addColumn(let name, let column): "Property '\(name).\(column.name)' has been added."
    case .removeColumn(let name, let property): "Property '\(name).\(property)' has been removed."
    case .replaceColumn(let name, let old, let column):
      "Property '\(name).\(column.name)' has been changed from '\(old)' to '\(column.typeName)'."
    case .setIndexed(let name, let property, let isIndexed):
      "Property '\(name).\(property)' has been \(isIndexed ? "indexed" : "unindexed")."
    case .setFullText(let name, let property, let isFullText):
      "Full-text index of '\(name).\(property)' has been \(isFullText ? "added" : "removed")."
    case .addIndex(let name, let index):
      "\(index.isUnique ? "Unique index" : "Index") over '\(name)' (\(index.properties.joined(separator: ", "))) has been added."
    case .removeIndex(let name, let index):
      "\(index.isUnique ? "Unique index" : "Index") over '\(name)' (\(index.properties.joined(separator: ", "))) has been removed."
    case .setPrimaryKey(let name, nil, let new?): "Primary key property '\(name).\(new)' has been added."
    case .setPrimaryKey(let name, let old?, nil): "Primary key property '\(name).\(old)' has been removed."
    case .setPrimaryKey(let name, let old, let new):
      "Primary key of '\(name)' has been changed from '\(old ?? "none")' to '\(new ?? "none")'."
    case .setEmbedded(let name, let isEmbedded):
      "Class '\(name)' has been changed to \(isEmbedded ? "embedded" : "top-level")."
    case .renameClass(let old, let new): "Class '\(old)' has been renamed to '\(new)'."
    case .renameColumn(let name, let old, let new): "Property '\(name).\(old)' has been renamed to '\(new)'."
    case .setSync(let name, let mode): "Class '\(name)' is now \(mode)."
    case .removeClass(let name): "Class '\(name)' has been removed."
    }
  }
}

/// Computes the changes that make the stored schema fit the declared classes.
///
/// Classes in the file that are not declared are left alone (M-35).
enum SchemaDifference {
  package static func changes(from stored: StoreSchema, to declared: [ClassDeclaration]) -> [SchemaChange] {
    declared.flatMap { declaration -> [SchemaChange] in
      guard let existing = stored[declaration.name] else { return [.addClass(declaration.name)] }
      return changes(in: existing, to: declaration, stored) + syncChanges(in: existing, to: declaration)
    }
  }

  private static func syncChanges(
    in existing: ClassDescriptor, to declaration: ClassDeclaration
  ) -> [SchemaChange] {
    guard let mode = declaration.syncMode, !declaration.isEmbedded, mode != existing.syncMode else { return [] }
    return [.setSync(className: declaration.name, mode)]
  }

  private static func changes(
    in existing: ClassDescriptor, to declaration: ClassDeclaration, _ stored: StoreSchema
  ) -> [SchemaChange] {
    var result: [SchemaChange] = []
    let name = declaration.name
    if existing.isEmbedded != declaration.isEmbedded {
      result.append(.setEmbedded(className: name, declaration.isEmbedded))
    }
    for column in declaration.columns {
      guard let old = existing.column(named: column.name) else {
        result.append(.addColumn(className: name, column))
        continue
      }
      let target = old.target.flatMap { stored[$0]?.name }
      if old.type != column.type || old.collection != column.collection || target != column.target
        || old.isOptional != column.isOptional
      {
        let was = ColumnDeclaration(
          name: old.name, type: old.type, collection: old.collection, isOptional: old.isOptional, target: target)
        result.append(.replaceColumn(className: name, from: was.typeName, column))
      } else {
        if old.isFullText != column.isFullText {
          result.append(.setFullText(className: name, property: column.name, column.isFullText))
        }
        if old.hasIndex != (column.isIndexed || column.isPrimaryKey) && old.isPrimaryKey == column.isPrimaryKey {
          result.append(.setIndexed(className: name, property: column.name, column.isIndexed))
        }
      }
    }
    let names = Set(declaration.columns.map(\.name))
    for old in existing.columns where !names.contains(old.name) {
      result.append(.removeColumn(className: name, property: old.name))
    }
    let indexes = existing.indexes.map { index in
      IndexDeclaration(index.columns.map { existing.column($0)?.name ?? "" }, isUnique: index.isUnique)
    }
    for old in indexes where !declaration.indexes.contains(old) { result.append(.removeIndex(className: name, old)) }
    for new in declaration.indexes where !indexes.contains(new) { result.append(.addIndex(className: name, new)) }
    let oldKey = existing.primaryKey?.name
    let newKey = declaration.columns.first(where: \.isPrimaryKey)?.name
    if oldKey != newKey { result.append(.setPrimaryKey(className: name, from: oldKey, to: newKey)) }
    return result
  }
}

extension ColumnDeclaration {
  /// The type as people read it: `string?`, `list<City>`.
  package var typeName: String {
    let element = (target ?? "\(type)") + (isOptional && type != .link ? "?" : "")
    switch collection {
    case .none: return element
    case .list: return "list<\(element)>"
    case .set: return "set<\(element)>"
    case .map: return "map<\(element)>"
    }
  }
}
