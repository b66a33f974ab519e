import Foundation
import LarderStorage

extension Realm {
  /// Opens a store, migrates it as its configuration says, and closes it again.
  ///
  /// ```swift
  /// try Realm.performMigration(for: configuration)
  /// ```
  ///
  /// Throws what opening and the migration block throw, and `Realm.Error.fail` while a Realm of this process has the store open (E-27).
  /// From any thread. Costs as much as opening: nothing when there is nothing to do.
  public static func performMigration(
    for configuration: Realm.Configuration = Realm.Configuration.defaultConfiguration
  ) throws {
    let path = try RealmRegistry.path(of: configuration)
    ScopedRealms.shared.close(path: path)
    guard !Store.isOpen(path) else {
      throw Realm.Error.make(.fail, "Close every instance of '\(path)' before migrating.", path: path)
    }
    _ = try RealmRegistry.shared.opening(configuration) { try $0.open() }
  }

  /// Returns the changes that opening would make in a store, and the losses, with nothing changed. Beyond RealmSwift (U-12).
  ///
  /// Runs the migration and its block, and takes everything back. Needs the store's write lock meanwhile. Makes a store that does not exist. Throws as opening.
  public static func migrationReport(
    for configuration: Realm.Configuration = Realm.Configuration.defaultConfiguration
  ) throws -> MigrationReport {
    try RealmRegistry.shared.opening(configuration) { try $0.report() }
  }

  /// Returns true if there is a file at the configuration's path; does not check that it is a store.
  public static func fileExists(for config: Realm.Configuration) -> Bool {
    guard let path = try? RealmRegistry.path(of: config) else { return false }
    return FileManager.default.fileExists(atPath: path)
  }

  /// Deletes a store; the lock file beside it stays, since another process may be about to use it.
  ///
  /// False when there is none. Throws `Realm.Error.alreadyOpen`, with nothing deleted, while anybody has it open, in this process or
  /// another (E-29); and `Realm.Error.fail` for a synced store with commits that the server does not have (Y-30).
  ///
  /// ```swift
  /// let wasThere = try Realm.deleteFiles(for: configuration)
  /// ```
  ///
  /// From any thread. Costs next to nothing; a synced store is opened to count.
  public static func deleteFiles(for config: Realm.Configuration) throws -> Bool {
    try StoreDeletion(config).run()
  }
}

/// The schema version of the store at a URL.
///
/// Throws `Realm.Error.fail` when there is none or it never had a schema, and what opening throws: `.invalidDatabase` for a wrong key,
/// `.invalidInput` for one that has not 64 bytes.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  let path = fileURL.standardizedFileURL.path
  guard FileManager.default.fileExists(atPath: path) else {
    throw Realm.Error.make(.fail, "There is no store at '\(path)'.", path: path)
  }
  let key = try encryptionKey.map { try EncryptionKey(checking: $0) }
  let version = try orRealmError(path: path) { () -> UInt64? in
    var reading = StoreOptions()
    reading.readOnly = true
    // The same settings as what has it open here.
    var options = Store.openOptions(path) ?? reading
    options.encryptionKey = key
    return try Store.open(path: path, options: options).snapshot().schema.schemaVersion
  }
  guard let version else { throw Realm.Error.make(.fail, "'\(path)' never had a schema.", path: path) }
  return version
}
