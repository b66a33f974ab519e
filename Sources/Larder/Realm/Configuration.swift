import Foundation
import LarderLocks
import LarderStorage

/// A configuration that keeps a store level with a server. `LarderSync` makes them: `User.flexibleSyncConfiguration()`.
public struct SyncConfiguration: Sendable {
  /// The part that opens and keeps the connection of such stores.
  package var synchroniser: any Synchroniser

  package init(_ synchroniser: any Synchroniser) { self.synchroniser = synchroniser }
}

extension Realm {
  /// The options that a Realm is opened with.
  public struct Configuration: Sendable {
    private static let shared = Lock(Configuration())

    /// Used by `Realm()`; shared by the process.
    public static var defaultConfiguration: Realm.Configuration {
      get { shared.withLock { $0 } }
      set { shared.withLock { $0 = newValue } }
    }

    /// The options by name; each is described at the property of its name.
    ///
    /// Without `fileURL` and `inMemoryIdentifier` the store is `default.realm` in `$XDG_DATA_HOME/larder`, or in
    /// `~/.local/share/larder` if that is not set; opening makes the folder. Opening throws for options that
    /// exclude each other.
    ///
    /// ```swift
    /// var configuration = Realm.Configuration(fileURL: url, schemaVersion: 1)
    /// configuration.objectTypes = [Person.self, Dog.self]
    /// ```
    ///
    /// From any thread. Costs nothing: no file is touched.
    @preconcurrency
    public init(
      fileURL: URL? = URL(fileURLWithPath: _defaultRealmPath(), isDirectory: false), inMemoryIdentifier: String? = nil,
      syncConfiguration: SyncConfiguration? = nil, encryptionKey: Data? = nil, readOnly: Bool = false,
      schemaVersion: UInt64 = 0, migrationBlock: MigrationBlock? = nil, deleteRealmIfMigrationNeeded: Bool = false,
      shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil, objectTypes: [ObjectBase.Type]? = nil,
      seedFilePath: URL? = nil
    ) {
      self.fileURL = fileURL
      self.schemaVersion = schemaVersion
      options = Options(
        syncConfiguration: syncConfiguration, encryptionKey: encryptionKey, readOnly: readOnly,
        migrationBlock: migrationBlock, deleteRealmIfMigrationNeeded: deleteRealmIfMigrationNeeded,
        shouldCompactOnLaunch: shouldCompactOnLaunch, objectTypes: objectTypes, seedFilePath: seedFilePath)
      options.check()
      if let inMemoryIdentifier {
        self.fileURL = nil
        self.inMemoryIdentifier = inMemoryIdentifier
      }
    }

    /// The store's file; setting it clears `inMemoryIdentifier`.
    public var fileURL: URL? {
      didSet {
        if let fileURL, fileURL.path.isEmpty { misuse("Configuration: fileURL has an empty path.") }
        if fileURL != nil { inMemoryIdentifier = nil }
      }
    }
    /// Name of a store that lives as long as it is open; setting it clears `fileURL`.
    public var inMemoryIdentifier: String? {
      didSet {
        guard let inMemoryIdentifier else { return }
        if inMemoryIdentifier.isEmpty { misuse("Configuration: inMemoryIdentifier is empty.") }
        fileURL = nil
      }
    }
    /// Version of the program's classes, stored with them. A higher one than the stored one lets a migration happen.
    public var schemaVersion: UInt64 {
      didSet {
        if schemaVersion == .max { misuse("Configuration: schemaVersion UInt64.max is reserved.") }
      }
    }

    /// The options that are checked when they are set (E-22).
    private var options: Options {
      didSet { options.check() }
    }

    private struct Options {
      var syncConfiguration: SyncConfiguration?
      var encryptionKey: Data?
      var readOnly: Bool
      var migrationBlock: MigrationBlock?
      var deleteRealmIfMigrationNeeded: Bool
      var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?
      var objectTypes: [ObjectBase.Type]?
      var maximumNumberOfActiveVersions: UInt?
      var seedFilePath: URL?
      var importsRealmFile: RealmFileImport?
      var durability = Realm.Durability.full

      func check() {
        for key in [encryptionKey, importsRealmFile?.encryptionKey] {
          if let key, key.count != 64 { misuse("Encryption key must be 64 bytes, got \(key.count).") }
        }
      }
    }

    /// The configuration that keeps the store level with a server; nil for a local one. See `LarderSync`.
    public var syncConfiguration: SyncConfiguration? {
      get { options.syncConfiguration }
      set { options.syncConfiguration = newValue }
    }
    /// The key that the store is encrypted with: 64 bytes that cannot be guessed. A store is encrypted from its beginning or not at all
    /// (`Realm.writeCopy(toFile:encryptionKey:)` makes another of it). Nil for a plain store.
    ///
    /// Setting a key of another length ends the process (E-22). Opening throws `Realm.Error.invalidDatabase`, with `isWrongKey`, for
    /// another key than the store's, for none, and for one where the store is plain (E-5). The key is stored nowhere: without it the
    /// store is lost. A store in memory takes none (E-23). docs/security.md says what encryption hides.
    public var encryptionKey: Data? {
      get { options.encryptionKey }
      set { options.encryptionKey = newValue }
    }
    /// Opens without ever writing. The store must exist, have just this schema version, and have the properties of the classes
    /// that are in it; other classes are empty.
    public var readOnly: Bool {
      get { options.readOnly }
      set { options.readOnly = newValue }
    }
    /// Changes objects when the stored version is lower than `schemaVersion`; not called for a new store.
    ///
    /// Without it, all differences are applied as they are: removed properties go with their values. See `Migration`.
    @preconcurrency public var migrationBlock: MigrationBlock? {
      get { options.migrationBlock }
      set { options.migrationBlock = newValue }
    }
    /// Instead of migrating, deletes the store with everything in it and makes an empty one: when the stored version is another, also
    /// a higher one, and when the classes changed so that a migration is needed.
    ///
    /// Opening throws `Realm.Error.alreadyOpen`, and nothing is deleted, while another program has the store open.
    public var deleteRealmIfMigrationNeeded: Bool {
      get { options.deleteRealmIfMigrationNeeded }
      set { options.deleteRealmIfMigrationNeeded = newValue }
    }
    /// Asked when the process opens the store for the first time and it has free space, with the bytes of the file and those of
    /// them that hold data. On true the file is rewritten without free space, if no other program has it open.
    @preconcurrency public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? {
      get { options.shouldCompactOnLaunch }
      set { options.shouldCompactOnLaunch = newValue }
    }
    /// The classes of the Realm; nil for all model classes of the program. Must hold every class that is linked to.
    public var objectTypes: [ObjectBase.Type]? {
      get { options.objectTypes }
      set { options.objectTypes = newValue }
    }
    /// The most versions that this process may read when a write begins; nil for any number. See `Realm.liveVersions`.
    public var maximumNumberOfActiveVersions: UInt? {
      get { options.maximumNumberOfActiveVersions }
      set { options.maximumNumberOfActiveVersions = newValue }
    }
    /// The commits that a power cut can take; everything in the process that opens the store must ask for the same. Beyond RealmSwift.
    public var durability: Realm.Durability {
      get { options.durability }
      set { options.durability = newValue }
    }
    /// A store that is copied to the path when there is none yet; it may be in use.
    public var seedFilePath: URL? {
      get { options.seedFilePath }
      set { options.seedFilePath = newValue }
    }
    /// A `.realm` file of RealmSwift that becomes the store where there is none yet. Beyond RealmSwift.
    ///
    /// The first opening converts the file, with its schema version, and goes on as if the store had always been there: with
    /// `migrationBlock` where `schemaVersion` is higher. The file is never changed. The store gets its name when it is complete and on the
    /// disk, so that whatever ends the process before leaves none; of several processes that open at once one converts, and the others wait.
    /// Where there is a store already nothing happens, and the file need not be there any more.
    ///
    /// Setting one with a key of another length than 64 bytes ends the process (E-22). Opening throws `Realm.Error`: `.fileNotFound` where
    /// there is neither store nor file; `.invalidDatabase` for a damaged file and, with `isWrongKey`, for a wrong key;
    /// `.unsupportedFileFormatVersion`; `.fail` for a store in memory, beside `seedFilePath`, and for the path of the store itself. Costs
    /// some microseconds for each object; `Realm.asyncOpen` does it without holding up the caller.
    public var importsRealmFile: RealmFileImport? {
      get { options.importsRealmFile }
      set { options.importsRealmFile = newValue }
    }
  }
}

extension Realm.Configuration {
  /// Throws for options that exclude each other. They may be set in any order, so only opening can tell (E-21, M-81).
  func verifyOptions() throws {
    try verifyImport()
    guard readOnly, deleteRealmIfMigrationNeeded || shouldCompactOnLaunch != nil else { return }
    throw Realm.Error.make(
      .fail, "Configuration: readOnly excludes deleteRealmIfMigrationNeeded and shouldCompactOnLaunch.",
      path: fileURL?.path)
  }
}

extension Realm.Configuration {
  /// Throws for a `.realm` file that cannot become the store (U-40).
  private func verifyImport() throws {
    guard let importsRealmFile else { return }
    func refuse(_ reason: String) -> Realm.Error {
      .make(.fail, "Configuration: importsRealmFile \(reason)", path: importsRealmFile.fileURL.path)
    }
    if inMemoryIdentifier != nil { throw refuse("makes a store in a file, not in memory: set fileURL.") }
    if seedFilePath != nil { throw refuse("excludes seedFilePath: a store has one beginning.") }
    if importsRealmFile.fileURL.standardizedFileURL.path == fileURL?.standardizedFileURL.path {
      throw refuse("is at the path of the store, '\(importsRealmFile.fileURL.path)': give the store another fileURL.")
    }
  }
}

extension Realm.Configuration {
  /// Returns whether another configuration asks for the same classes and version.
  func hasSchema(of other: Realm.Configuration) -> Bool {
    guard other.schemaVersion == schemaVersion else { return false }
    guard let types = other.objectTypes else { return objectTypes == nil }
    guard let mine = objectTypes else { return false }
    if mine.elementsEqual(types, by: ==) { return true }
    return Set(types.map { ObjectIdentifier($0) }) == Set(mine.map { ObjectIdentifier($0) })
  }
}

extension Realm.Configuration: CustomStringConvertible {
  public var description: String {
    """
    Realm.Configuration {
    \tfileURL = \(fileURL?.path ?? "(null)");
    \tinMemoryIdentifier = \(inMemoryIdentifier ?? "(null)");
    \tencryptionKey = \(encryptionKey == nil ? "(null)" : "(set)");
    \treadOnly = \(readOnly);
    \tschemaVersion = \(schemaVersion);
    }
    """
  }
}

extension Realm.Configuration: Equatable {
  public static func == (lhs: Realm.Configuration, rhs: Realm.Configuration) -> Bool {
    lhs.fileURL == rhs.fileURL && lhs.inMemoryIdentifier == rhs.inMemoryIdentifier
      && lhs.encryptionKey == rhs.encryptionKey && lhs.readOnly == rhs.readOnly
      && lhs.schemaVersion == rhs.schemaVersion
      && lhs.syncConfiguration?.synchroniser.identity == rhs.syncConfiguration?.synchroniser.identity
  }
}

/// Returns the path of the file of `Realm()`: `default.realm` in `$XDG_DATA_HOME/larder`, or in `~/.local/share/larder` without that.
public func _defaultRealmPath() -> String { DefaultFolder.path + "/default.realm" }

extension Realm.Configuration {
  /// Path of the data file; misuse or an error where options exclude each other.
  func checkedPath() throws -> String {
    if schemaVersion == .max { misuse("Configuration: schemaVersion UInt64.max is reserved.") }
    if encryptionKey != nil, fileURL == nil {
      throw Realm.Error.make(
        .fail, "In-memory databases cannot be encrypted. Open '\(inMemoryIdentifier ?? "")' without a key.")
    }
    if let fileURL { return fileURL.path }
    guard let inMemoryIdentifier else {
      misuse("Configuration: neither fileURL nor inMemoryIdentifier is set.")
    }
    let name = inMemoryIdentifier.replacingOccurrences(of: "/", with: "_")
    return InMemoryFiles.path(name)
  }
}
