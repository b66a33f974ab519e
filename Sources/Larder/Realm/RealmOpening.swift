import Foundation
import LarderStorage

/// Opens a store and brings its schema to the program's classes (M-31 to M-46).
struct RealmOpening {
  let path: String
  let configuration: Realm.Configuration
  let models: [ModelClass]

  func open() throws -> (store: Store, snapshot: Snapshot) {
    do {
      if configuration.shouldCompactOnLaunch != nil {
        throw Realm.Error.make(
          .fail,
          "'\(path)': shouldCompactOnLaunch is not supported by this version. Open without it; freed space is used again "
            + "for new objects.", path: path)
      }
      try copySeed()
      var options = StoreOptions()
      options.readOnly = configuration.readOnly
      if configuration.inMemoryIdentifier != nil { options.durability = .none }
      let store = try Store.open(path: path, options: options)
      var snapshot = try store.snapshot()
      if try needsChange(snapshot.schema) {
        try change(store)
        snapshot = try store.snapshot()
      }
      return (store, snapshot)
    } catch let error as Realm.Error {
      throw error
    } catch let error as StorageError where [.alreadyOpen, .duplicatePrimaryKey].contains(error.code) {
      // RealmSwift's code for other settings and for keys that are not unique after a migration (E-12, E-24).
      throw Realm.Error.make(
        .fail, error.message, className: error.className, propertyName: error.property, path: path, underlying: error)
    } catch {
      throw Realm.Error(error, path: path)
    }
  }

  private func copySeed() throws {
    guard let seed = configuration.seedFilePath, !FileManager.default.fileExists(atPath: path) else { return }
    guard FileManager.default.fileExists(atPath: seed.path) else {
      throw Realm.Error.make(.fileNotFound, "There is no seed file '\(seed.path)'.", path: seed.path)
    }
    try FileManager.default.copyItem(atPath: seed.path, toPath: path)
  }

  /// Whether something must be written; throws when it may not be.
  private func needsChange(_ stored: StoreSchema) throws -> Bool {
    let differences = SchemaDifferences(stored, models)
    if configuration.readOnly {
      if let version = stored.schemaVersion, version != configuration.schemaVersion {
        throw Realm.Error.make(.fail, "Read-only open of '\(path)' needs schemaVersion exactly \(version).", path: path)
      }
      let lacking = differences.additions + differences.breaking
      guard lacking.isEmpty else {
        throw Realm.Error.make(
          .schemaMismatch,
          "'\(path)' lacks: \(lacking.joined(separator: "; ")). It cannot be changed in read-only mode.", path: path)
      }
      return false
    }
    guard let version = stored.schemaVersion else { return true }
    if version > configuration.schemaVersion {
      throw Realm.Error.make(
        .fail,
        "The configured schemaVersion \(configuration.schemaVersion) of '\(path)' is below the stored \(version).",
        path: path)
    }
    let isMigration = version != configuration.schemaVersion || !differences.breaking.isEmpty
    if configuration.deleteRealmIfMigrationNeeded, isMigration {
      throw Realm.Error.make(
        .schemaMismatch,
        "'\(path)' is at schemaVersion \(version) and needs a migration: deleteRealmIfMigrationNeeded is not supported by "
          + "this version, and nothing was deleted. Delete the file before opening, or open without the option.",
        path: path)
    }
    if version == configuration.schemaVersion {
      guard differences.breaking.isEmpty else {
        throw Realm.Error.make(
          .schemaMismatch,
          "The classes of '\(path)' changed. Raise schemaVersion above \(version): "
            + differences.breaking.joined(separator: "; ") + ".", path: path)
      }
      return !differences.additions.isEmpty
    }
    if configuration.migrationBlock != nil {
      throw Realm.Error.make(
        .schemaMismatch,
        "'\(path)' is at schemaVersion \(version): migration blocks are not supported by this version. Without a block, "
          + "added and removed properties are applied.", path: path)
    }
    return true
  }

  private func change(_ store: Store) throws {
    let writer = try store.beginWrite()
    do {
      // Another process may have been first.
      if try needsChange(writer.base.schema) {
        try writer.apply(models.map(\.declaration), schemaVersion: configuration.schemaVersion)
        try writer.commit()
      } else {
        writer.cancel()
      }
    } catch {
      writer.cancel()
      throw error
    }
  }
}

/// What differs between the stored schema and the program's classes, as sentences.
struct SchemaDifferences {
  /// New classes and index changes: applied without a version.
  var additions: [String] = []
  /// Differences that need a raised version.
  var breaking: [String] = []

  init(_ stored: StoreSchema, _ models: [ModelClass]) {
    for model in models {
      guard let known = stored[model.name] else {
        additions.append("class '\(model.name)' added")
        continue
      }
      if known.isEmbedded != model.isEmbedded {
        breaking.append("class '\(model.name)' is \(model.isEmbedded ? "now" : "no longer") embedded")
      }
      compare(known, model, stored)
    }
  }

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
        breaking.append("property \(name) added (\(property.type))")
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
      } else if column.isIndexed != wanted.isIndexed {
        additions.append("index on \(name) \(wanted.isIndexed ? "added" : "removed")")
      }
    }
    let names = Set(model.properties.map(\.columnName))
    for column in known.columns where !names.contains(column.name) {
      breaking.append("property '\(model.name).\(column.name)' removed")
    }
  }
}
