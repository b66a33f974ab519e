import Foundation
import LarderLocks
import LarderRealmImport
import LarderStorage

/// Opens stores for tools: by path, without any model classes.
package enum StoreAccess {
  private static let source = Lock(KeySource.none)

  /// The source of the key for all encrypted stores that this process opens from now on.
  package static var keySource: KeySource {
    get { source.withLock { $0 } }
    set { source.withLock { $0 = newValue } }
  }

  /// Opens a store that must exist, without ever changing it.
  ///
  /// A `.realm` file is converted to a temporary store first, once in the life of the process.
  ///
  /// - Parameter walksPages: Looks at every page first, for a store that may be damaged. Costs a read of them; small files are always
  ///   looked at so.
  /// - Throws: `StorageError`, with the path and what to do in its message.
  package static func open(reading path: String, walksPages: Bool = false) throws -> Store {
    try requireStore(path)
    let path = walksPages ? path : try ConvertedRealmFiles.shared.store(for: path, keySource)
    return try open(path, readingOptions(walksPages: walksPages), keySource)
  }

  /// The same with a key from elsewhere. A key that was given in a file is taken for a plain store, too: of two stores that are
  /// compared one may be plain.
  package static func open(reading path: String, comparingWith source: KeySource?) throws -> Store {
    try requireStore(path)
    let source = source ?? keySource
    let path = try ConvertedRealmFiles.shared.store(for: path, source)
    return try open(path, readingOptions(walksPages: false), source, allowsPlain: true)
  }

  private static func readingOptions(walksPages: Bool) -> StoreOptions {
    var options = StoreOptions()
    options.readOnly = true
    options.walksPages = walksPages
    return options
  }

  /// Throws `StorageError` when there is no file at a path.
  package static func requireStore(_ path: String) throws {
    do {
      _ = try FileManager.default.attributesOfItem(atPath: path)
    } catch let error as CocoaError where error.code == .fileReadNoPermission {
      throw StorageError(
        .permissionDenied, "Cannot open '\(path)': permission denied for a folder on the way to it.", path: path)
    } catch {
      throw StorageError(.notFound, "There is no store at '\(path)'.", path: path)
    }
  }

  /// Opens a store for writing, and makes it when there is none.
  ///
  /// - Throws: `StorageError`, with the path and what to do in its message.
  package static func open(writing path: String) throws -> Store {
    try open(path, StoreOptions(), keySource)
  }

  /// Makes a store that appears under its name when `body` has filled it, and not at all when anything ends that.
  ///
  /// - Throws: What `body` throws; `StorageError`, with `.fileExists` for a file that is there.
  package static func making<Result>(_ path: String, _ body: (Store) throws -> Result) throws -> Result {
    try Store.make(at: path) { temporary in try body(open(writing: temporary)) }
  }

  private static func open(
    _ path: String, _ options: StoreOptions, _ source: KeySource, allowsPlain: Bool = false
  ) throws -> Store {
    var options = options
    do {
      options.encryptionKey = try source.key()
      return try Store.open(path: path, options: options)
    } catch var error as StorageError where error.code == .notADatabase {
      switch RealmFileKind(path: path) {
      case .plain: error.message = "'\(path)' is a Realm file. `larder import` makes a store of it."
      case .perhapsEncrypted: error.message += " An encrypted Realm file needs its key: give it with --key-file."
      case nil:
        if isSQLite(path) {
          error.message =
            "'\(path)' is a SQLite file. `larder import` makes a store of it, and `larder sql` answers SQL over stores."
        }
      }
      throw error
    } catch let error as StorageError where error.code == .wrongKey {
      switch source {
      case .none:
        var error = error
        error.message += " Give it with --key-file, or in the environment as \(KeySource.variable)."
        throw error
      case .file where !allowsPlain || options.encryptionKey == nil: throw error
      case .file, .environment:
        // What is set for all stores is not meant for those that are plain. A new one was to be encrypted.
        options.encryptionKey = nil
        guard exists(path), let plain = try? Store.open(path: path, options: options) else { throw error }
        return plain
      }
    }
  }

  private static func isSQLite(_ path: String) -> Bool {
    let file = FileHandle(forReadingAtPath: path)
    return (try? file?.read(upToCount: 15)) == Data("SQLite format 3".utf8)
  }

  /// True if there is a file that holds anything.
  private static func exists(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return ((attributes?[.size] as? NSNumber)?.intValue ?? 0) > 0
  }

  /// The number of objects of all classes that are not embedded, or of one.
  package static func objectCount(in reader: any StoreReader, className: String? = nil) throws -> Int {
    let classes = reader.schema.classes.filter { className.map([$0.name].contains) ?? !$0.isEmbedded }
    return try classes.reduce(0) { $0 + (try reader.count(of: $1.id)) }
  }

  /// A class by its name.
  ///
  /// - Throws: `StorageError` with code `unknownClass`, which suggests the nearest name.
  package static func entry(named name: String, in schema: StoreSchema) throws -> ClassDescriptor {
    if let found = schema[name] { return found }
    let names = schema.classes.map(\.name)
    let hint = Suggestion.sentence(for: name, in: names)
    let all = names.isEmpty ? " The store has no classes." : hint.isEmpty ? " It has \(list(names))." : hint
    throw StorageError(.unknownClass, "The store has no class '\(name)'.\(all)", className: name)
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(12).map { "'\($0)'" }.joined(separator: ", ")
    return names.count > 12 ? shown + " and others" : shown
  }
}
