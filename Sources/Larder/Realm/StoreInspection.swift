import Foundation
import LarderStorage

/// The contents of a store, and the space that each part takes of its file, at its newest version.
///
/// A value: made once, then independent of the store. `larder info` and `larder du` print the same numbers. Beyond RealmSwift.
public struct StoreInspection: Hashable, Sendable {
  /// Bytes of one property, or of several together: entries with their keys, without what is left free on shared pages.
  public struct Space: Hashable, Sendable {
    /// Values in their columns.
    public var values = 0
    /// Strings and data too large for their columns.
    public var largeValues = 0
    /// Elements of lists, sets and maps.
    public var elements = 0
    /// Indexes, a primary key's included.
    public var indexes = 0
    /// Links kept with their targets; counted where the links come from.
    public var backlinks = 0

    /// All of them.
    public var total: Int { values + largeValues + elements + indexes + backlinks }

    /// No bytes.
    public init() {}
  }

  /// One stored property.
  public struct Property: Hashable, Sendable {
    /// Its name in the file.
    public var name: String
    /// The type of its values, or of its elements.
    public var type: PropertyType
    /// A Boolean value that says whether objects are found by it.
    public var isPrimaryKey: Bool
    /// A Boolean value that says whether it has an index, as a primary key does.
    public var isIndexed: Bool
    /// The bytes that it takes.
    public var space: Space
  }

  /// One stored class.
  public struct Class: Hashable, Sendable {
    /// Its name in the file.
    public var name: String
    /// A Boolean value that says whether its objects are embedded in others.
    public var isEmbedded: Bool
    /// The number of objects.
    public var objectCount: Int
    /// In the order of the schema.
    public var properties: [Property]
    /// The bytes of the record of which objects there are, and of indexes over several properties.
    public var ownSpace: Space
    /// All properties and what is the class's own.
    public var space: Space
  }

  /// A process that reads the store.
  public struct Reader: Hashable, Sendable {
    /// The number of the process.
    public var processIdentifier: Int32
    /// The version it reads; nil when it has the store open and reads nothing now.
    public var version: UInt64?
    /// Commits since that version.
    public var commitsBehind: UInt64
    /// Seconds since the commit after that version: as long it has kept freed space from being used again. Nil when it reads the newest.
    public var heldFor: TimeInterval?
  }

  /// The store's file.
  public var path: String
  /// The version of the file format.
  public var formatVersion: Int
  /// 32 hexadecimal digits that every copy of the store shares.
  public var storeID: String
  /// The number of the newest commit.
  public var version: UInt64
  /// Nil when the store never had a schema.
  public var schemaVersion: UInt64?
  /// Bytes of the file.
  public var fileSize: Int
  /// Bytes of a page, of which the file is made.
  public var pageSize: Int
  /// Pages that hold nothing. A reader of an older version may still need some; new commits use the others first.
  public var freePages: Int
  /// Records of the change log: commits that it can still tell of.
  public var logRecords: Int
  /// Bytes of those records.
  public var logBytes: Int
  /// In the order of the schema.
  public var classes: [Class]
  /// Of all processes, this one included.
  public var readers: [Reader]
}

extension StoreInspection {
  /// - Throws: `StorageError` when the store cannot be read.
  init(_ store: Store) throws {
    let snapshot = try store.snapshot()
    let statistics = try StoreStatistics(snapshot)
    self.init(
      path: store.path, formatVersion: Int(store.formatVersion), storeID: store.storeID, version: snapshot.version,
      schemaVersion: snapshot.schema.schemaVersion, fileSize: statistics.fileSize, pageSize: StoreStatistics.pageSize,
      freePages: statistics.freePages, logRecords: statistics.log.entries, logBytes: statistics.log.bytes,
      classes: try snapshot.schema.classes.map { entry in
        Class(entry, statistics.columns[entry.id] ?? [:], count: try snapshot.count(of: entry.id))
      },
      readers: try store.liveReaders().map {
        Reader(
          processIdentifier: $0.process, version: $0.version, commitsBehind: $0.commitsBehind, heldFor: $0.heldSeconds)
      })
  }
}

extension StoreInspection {
  /// Inspects the store in a file, which is only read. Needs no model classes, and no Realm.
  ///
  /// Reads every key of the store once; of an encrypted one the values, too. Throws `Realm.Error` when there is no such file, no store
  /// in it, or the store has another key. May be called on any thread.
  ///
  /// - Parameters:
  ///   - fileURL: The file of the store.
  ///   - encryptionKey: The 64 bytes that an encrypted store was made with; not needed while this process has it open.
  public init(fileURL: URL, encryptionKey: Data? = nil) throws {
    let key = try encryptionKey.map { try EncryptionKey(checking: $0) }
    let path = fileURL.standardizedFileURL.path
    guard FileManager.default.fileExists(atPath: path) else {
      throw Realm.Error.make(.fileNotFound, "There is no store at '\(path)'.", path: path)
    }
    self = try orRealmError(path: path) {
      var reading = StoreOptions()
      reading.readOnly = true
      // The same settings as what has it open here.
      var options = Store.openOptions(path) ?? reading
      if let key { options.encryptionKey = key }
      return try StoreInspection(try Store.open(path: path, options: options))
    }
  }
}

extension StoreInspection.Class {
  fileprivate init(_ entry: ClassDescriptor, _ spaces: [ColumnID: StoreStatistics.ColumnSpace], count: Int) {
    let known = Set(entry.columns.map(\.id))
    self.init(
      name: entry.name, isEmbedded: entry.isEmbedded, objectCount: count,
      properties: entry.columns.map { column in
        StoreInspection.Property(
          name: column.name, type: PropertyType(column.type), isPrimaryKey: column.isPrimaryKey,
          isIndexed: column.hasIndex, space: StoreInspection.Space(spaces[column.id].map { [$0] } ?? []))
      },
      ownSpace: StoreInspection.Space(spaces.filter { !known.contains($0.key) }.map(\.value)),
      space: StoreInspection.Space(spaces.map(\.value)))
  }
}

extension StoreInspection.Space {
  fileprivate init(_ spaces: [StoreStatistics.ColumnSpace]) {
    for space in spaces {
      values += space.leaves.bytes
      largeValues += space.large.bytes
      elements += space.lists.bytes
      indexes += space.index.bytes
      backlinks += space.backlinks.bytes
    }
  }
}

extension Realm {
  /// Returns the contents of the store at its newest version, the space that each part takes of its file, and the readers; an open write
  /// transaction does not count. Beyond RealmSwift.
  ///
  /// Reads every key of the store once, but not the values. Throws `Realm.Error` when it cannot be read, and away from where the Realm lives.
  public func inspection() throws -> StoreInspection {
    try core.verifyThread()
    return try orRealmError(path: core.store.path) { try StoreInspection(core.store) }
  }
}
