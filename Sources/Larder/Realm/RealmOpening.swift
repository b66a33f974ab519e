import Foundation
import LarderStorage

/// Opens a store and brings its schema to the program's classes (M-31 to M-46).
struct RealmOpening {
  let path: String
  let configuration: Realm.Configuration
  let models: [ModelClass]
  /// Called after each step of a migration. For tests, which end the process there.
  var afterStep: ((String) throws -> Void)?

  /// The work that opening has to do with a store.
  private enum Need {
    case nothing
    /// New classes, indexes, or everything in a new store.
    case additions
    case migration(from: UInt64)
    case deletion
  }

  func open() throws -> (store: Store, snapshot: Snapshot) {
    do {
      do {
        return try openOnce()
      } catch let error as StorageError where ScopedRealms.shared.giveWay(to: error, path) {
        return try openOnce()
      }
    } catch let error as StorageError { throw told(error) }
    // Whatever a migration block throws comes out as it is.
  }

  private func openOnce() throws -> (store: Store, snapshot: Snapshot) {
    try configuration.verifyOptions()
    if !configuration.readOnly { try DefaultFolder.prepare(for: path) }
    try configuration.syncConfiguration?.synchroniser.prepare(path, configuration)
    try copySeed()
    try importRealmFile()
    try compactOnLaunch()
    if let opened = try openAndChange() { return opened }
    try deleteStore()
    guard let opened = try openAndChange() else {
      throw Realm.Error.make(
        .fail, "'\(path)' was made again by another process while it was being deleted.", path: path)
    }
    return opened
  }

  /// An error of the store as opening tells it.
  private func told(_ error: StorageError) -> Realm.Error {
    // RealmSwift's code for other settings and for keys that are not unique after a migration (E-12, E-24).
    guard [.alreadyOpen, .duplicatePrimaryKey].contains(error.code) else { return Realm.Error(error, path: path) }
    return .make(
      .fail, error.message, className: error.className, propertyName: error.property, path: path, underlying: error)
  }

  /// Nil when the store is to be deleted.
  private func openAndChange() throws -> (store: Store, snapshot: Snapshot)? {
    let store: Store
    do {
      store = try Store.open(path: path, options: options)
    } catch let error as StorageError where error.code == .unsupportedFormat {
      if configuration.deleteRealmIfMigrationNeeded { return nil }
      throw error
    }
    let snapshot = try store.snapshot()
    try verifyLocal(snapshot)
    try verifySynced(snapshot.schema)
    switch try need(snapshot.schema) {
    case .nothing: return (store, try configuration.readOnly ? snapshot.with(models.map(\.declaration)) : snapshot)
    case .deletion: return nil
    case .additions, .migration: return try change(store) ? (store, try store.snapshot()) : nil
    }
  }

  /// Throws for a store that was synced and is opened for writing as a local one: its changes would never be sent.
  private func verifyLocal(_ snapshot: Snapshot) throws {
    guard configuration.syncConfiguration == nil, !configuration.readOnly,
      try snapshot.syncState(SyncStateName.owner) != nil
    else { return }
    throw Realm.Error.make(
      .incompatibleHistories,
      "'\(path)' is synchronised: open it with a syncConfiguration, or read-only. Role .never opens it for writing without a connection.",
      path: path)
  }

  /// Throws for classes that cannot be synced, before anything of the file is changed.
  private func verifySynced(_ stored: StoreSchema) throws {
    guard configuration.syncConfiguration != nil else { return }
    try SyncedSchemaRules.verify(models, stored: stored.schemaVersion == nil ? nil : stored)
  }

  private var options: StoreOptions {
    var options = StoreOptions()
    options.readOnly = configuration.readOnly
    options.encryptionKey = encryptionKey
    options.durability = configuration.inMemoryIdentifier != nil ? .none : configuration.durability.stored
    return options
  }

  // Configurations take keys of the right length only.
  private var encryptionKey: EncryptionKey? { configuration.encryptionKey.flatMap { EncryptionKey($0) } }

  // MARK: - The file

  private func copySeed() throws {
    guard let seed = configuration.seedFilePath, configuration.inMemoryIdentifier == nil,
      !FileManager.default.fileExists(atPath: path)
    else { return }
    guard FileManager.default.fileExists(atPath: seed.path) else {
      throw Realm.Error.make(.fileNotFound, "There is no seed file '\(seed.path)'.", path: seed.path)
    }
    do {
      try Store.copy(from: seed.path, to: path, key: encryptionKey)
    } catch let error as StorageError where error.code == .fileExists {
      // Another process was first.
    }
  }

  private func importRealmFile() throws {
    guard let source = configuration.importsRealmFile else { return }
    try RealmFileConversion(path: path, source: source, storeKey: encryptionKey).run()
  }

  /// Asks whether to compact, when this process has not opened the store yet and it has free space (M-93).
  private func compactOnLaunch() throws {
    guard let question = configuration.shouldCompactOnLaunch else { return }
    ScopedRealms.shared.close(path: path)
    guard !Store.isOpen(path), FileManager.default.fileExists(atPath: path)
    else { return }
    guard let space = try space() else { return }
    guard space.total > space.used, space.total > 0, question(space.total, space.used) else { return }
    do {
      try Store.compact(path, key: encryptionKey)
    } catch let error as StorageError where error.code == .alreadyOpen {
      Logger.shared.log(.info, "'\(path)' is in use and was not compacted.")
    } catch let error as StorageError where error.code != .outOfDiskSpace {
      Logger.shared.log(.warn, "'\(path)' was not compacted: \(error.message)")
    }
  }

  /// Nil for a file that opening will delete.
  private func space() throws -> (total: Int, used: Int)? {
    do {
      return try Store.open(path: path, options: options).space()
    } catch let error as StorageError
      where error.code == .unsupportedFormat && configuration.deleteRealmIfMigrationNeeded
    {
      return nil
    }
  }

  private func deleteStore() throws {
    ScopedRealms.shared.close(path: path)
    do {
      try Store.remove(path)
      Logger.shared.log(.info, "'\(path)' needed a migration and was deleted (deleteRealmIfMigrationNeeded).")
    } catch let error as StorageError where error.code == .alreadyOpen {
      throw Realm.Error.make(
        .alreadyOpen, "'\(path)' needs a migration and would be deleted, but it is in use. Close it everywhere first.",
        path: path, underlying: error)
    }
  }

  // MARK: - The schema

  /// Returns the work that must be done; throws when it may not be.
  private func need(_ stored: StoreSchema) throws -> Need {
    let differences = SchemaDifferences(stored, models, isSynced: configuration.syncConfiguration != nil)
    if configuration.readOnly {
      try verifyReadable(stored, differences)
      return .nothing
    }
    guard let version = stored.schemaVersion else { return .additions }
    let rises = version < configuration.schemaVersion
    let needsMigration = version != configuration.schemaVersion || !differences.breaking.isEmpty
    if configuration.deleteRealmIfMigrationNeeded, needsMigration { return .deletion }
    if version > configuration.schemaVersion {
      throw Realm.Error.make(
        .fail,
        "The configured schemaVersion \(configuration.schemaVersion) of '\(path)' is below the stored \(version).",
        path: path)
    }
    if rises { return .migration(from: version) }
    guard differences.breaking.isEmpty else {
      throw Realm.Error.make(
        .schemaMismatch,
        "The classes of '\(path)' changed. Raise schemaVersion above \(version): "
          + differences.breaking.joined(separator: "; ") + ".", path: path)
    }
    return differences.additions.isEmpty ? .nothing : .additions
  }

  /// Throws unless a reader that changes nothing can have the classes (M-78, M-79).
  private func verifyReadable(_ stored: StoreSchema, _ differences: SchemaDifferences) throws {
    guard stored.schemaVersion == configuration.schemaVersion else {
      throw Realm.Error.make(
        .fail,
        stored.schemaVersion.map { "Read-only open of '\(path)' needs schemaVersion exactly \($0)." }
          ?? "'\(path)' has no schema version: it cannot be opened read-only.", path: path)
    }
    guard differences.unreadable.isEmpty else {
      throw Realm.Error.make(
        .schemaMismatch,
        "'\(path)' lacks: \(differences.unreadable.joined(separator: "; ")). It cannot be changed in read-only mode.",
        path: path)
    }
  }

  /// False when the store is to be deleted.
  private func change(_ store: Store) throws -> Bool {
    let writer = try store.beginWrite()
    do {
      // Another process may have been first.
      switch try need(writer.base.schema) {
      case .nothing: writer.cancel()
      case .deletion:
        writer.cancel()
        return false
      case .additions:
        _ = try migrated(writer, from: nil)
        try writer.commit()
      case .migration(let version):
        try verifyAlone(store)
        _ = try migrated(writer, from: version)
        try afterStep?("end")
        try writer.commit()
      }
      return true
    } catch {
      writer.cancel()
      throw error
    }
  }

  /// Does everything but the commit.
  private func migrated(_ writer: StoreWriter, from version: UInt64?) throws -> MigrationRun {
    let run = try MigrationRun(writer, configuration, models)
    try run.migrate(from: version, configuration.migrationBlock, afterStep: afterStep)
    return run
  }

  /// Throws while a Realm of this process has the classes as they were: its objects would lose their properties (E-12).
  private func verifyAlone(_ store: Store) throws {
    ScopedRealms.shared.close(store)
    guard let other = RealmRegistry.shared.liveRealm(of: store) else { return }
    throw Realm.Error.make(
      .fail,
      "'\(path)' is already open with a different schemaVersion (the Realm of \(other.text)). Close that Realm before migrating.",
      path: path)
  }

  // MARK: - Trying

  /// Returns a report of what opening would do with the store, found by doing it without a commit.
  func report() throws -> MigrationReport {
    do { return try reportTold() } catch let error as StorageError { throw told(error) }
  }

  private func reportTold() throws -> MigrationReport {
    let store = try Store.open(path: path, options: options)
    let snapshot = try store.snapshot()
    let old = snapshot.schema.schemaVersion
    var report = MigrationReport(path: path, oldSchemaVersion: old, newSchemaVersion: configuration.schemaVersion)
    switch try need(snapshot.schema) {
    case .nothing: break
    case .deletion:
      report.deletesStore = true
      report.losses = try MigrationLosses.all(of: snapshot).map { MigrationReport.Loss($0) }
    case .additions, .migration:
      let writer = try store.beginWrite()
      defer { writer.cancel() }
      let run = try migrated(writer, from: old)
      report.steps = run.plan.plan.steps.map(\.description)
      report.losses = try MigrationLosses.of(run.plan).map { MigrationReport.Loss($0) }
    }
    return report
  }
}
