import LarderStorage

/// The differences between the stored schema and the program's classes, as sentences.
struct SchemaDifferences {
  /// New classes and index changes: applied without a version.
  var additions: [String] = []
  /// Differences that need a raised version.
  var breaking: [String] = []
  /// Those of them that a reader cannot look past: all but properties that are only in the store.
  var unreadable: [String] = []

  /// - Parameter isSynced: Whether the store is to be synced, and classes with it.
  init(_ stored: StoreSchema, _ models: [ModelClass], isSynced: Bool = false) {
    for model in models {
      guard let known = stored[model.name] else {
        additions.append("class '\(model.name)' added")
        continue
      }
      if known.isEmbedded != model.isEmbedded {
        breaking.append("class '\(model.name)' is \(model.isEmbedded ? "now" : "no longer") embedded")
      }
      compare(known, model, stored)
      if isSynced, !model.isEmbedded, known.syncMode != model.syncedDeclaration.syncMode {
        additions.append("class '\(model.name)' is \(known.syncMode == .local ? "now" : "no longer") synced")
      }
      unreadable = breaking.filter { !removed.contains($0) }
    }
  }

  private var removed: Set<String> = []

  private mutating func compareIndexes(_ known: ClassDescriptor, _ model: ModelClass) {
    let stored = known.indexes.map { index in
      IndexDeclaration(index.columns.map { known.column($0)?.name ?? "" }, isUnique: index.isUnique)
    }
    let declared = model.declaration.indexes
    for index in declared where !stored.contains(index) { additions.append("\(index.text(model)) added") }
    for index in stored where !declared.contains(index) { additions.append("\(index.text(model)) removed") }
  }

  private mutating func compare(_ known: ClassDescriptor, _ model: ModelClass, _ stored: StoreSchema) {
    compareIndexes(known, model)
    for property in model.properties {
      let wanted = property.declaration
      let name = "'\(model.name).\(property.name)'"
      guard let column = known.column(named: wanted.name) else {
        // Devices with other programs have more or fewer properties (Y-47).
        let text = "property \(name) added (\(property.type))"
        if stored.isSynced(known.id), !wanted.isPrimaryKey { additions.append(text) } else { breaking.append(text) }
        continue
      }
      if column.type != wanted.type || column.collection != wanted.collection
        || column.target.flatMap({ stored[$0]?.name }) != wanted.target
      {
        breaking.append("property \(name) changed from \(column.type) to \(wanted.type)")
      } else if column.type != .link, column.isOptional != wanted.isOptional {
        breaking.append("property \(name) became \(wanted.isOptional ? "optional" : "required")")
      } else if column.isPrimaryKey != wanted.isPrimaryKey {
        breaking.append("property \(name) is \(wanted.isPrimaryKey ? "now" : "no longer") the primary key")
      } else if column.isFullText != wanted.isFullText {
        additions.append("full-text index on \(name) \(wanted.isFullText ? "added" : "removed")")
      } else if column.isIndexed != wanted.isIndexed {
        additions.append("index on \(name) \(wanted.isIndexed ? "added" : "removed")")
      }
    }
    let names = Set(model.properties.map(\.columnName))
    for column in known.columns where !names.contains(column.name) {
      if stored.isSynced(known.id), !column.isLocalOnly, !column.isPrimaryKey { continue }
      let text = "property '\(model.name).\(column.name)' removed"
      breaking.append(text)
      removed.insert(text)
    }
  }
}
