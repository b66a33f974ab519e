import Foundation
import LarderExchange
import LarderInspection
import LarderStorage

/// A piece of work that changes files, at a store or beside it.
enum Scenario: String, CaseIterable {
  /// Commits to a store that is there: the file is opened, and six transactions are committed.
  case commit
  /// The same to one that is not there.
  case create
  /// A transaction that does not fit into the map at first.
  case grow
  case migrate, compact, copy, encrypt
  /// The store itself, in its place.
  case rekey
  case importing = "import"
  /// The same work at a store that is encrypted, another key for it, and none.
  case encryptedCommit, encryptedCompact, encryptedCopy, exchangeKey, decrypt
  /// Opens it for reading, and reads all of it.
  case read
  /// Removes it.
  case remove
  /// Makes a store of a dump, and one of what can be read of the store.
  case load, repair
  /// Through the public interface: commits, a migration, compacting at opening, a copy within a write transaction, a first store from a
  /// seed, and removal.
  case realmCommit, realmMigrate, realmCompact, realmCopy, realmSeed, realmDelete

  /// True if the store is there before.
  var hasStore: Bool { self != .create && self != .realmSeed }

  /// True if it is encrypted before.
  var isEncrypted: Bool {
    [.encryptedCommit, .encryptedCompact, .encryptedCopy, .exchangeKey, .decrypt].contains(self)
  }

  /// True if the work makes a second store.
  var makesCopy: Bool { [.copy, .encrypt, .encryptedCopy, .load, .repair, .realmCopy].contains(self) }

  /// Does the work in a folder; `done` is called whenever a call that promises something has returned.
  func run(_ folder: String, done: () -> Void) throws {
    let path = "\(folder)/store.larder"
    switch self {
    case .commit, .create, .encryptedCommit: try commit(path, done)
    case .grow:
      let store = try Example.open(path, mapSize: 1 << 20)
      // Too large for the map: what it was to write is written again when the map is larger.
      let work = { try Example.write(store) { try Example.fill($0) } }
      do { try work() } catch let error as StorageError where error.code == .addressSpaceExhausted { try work() }
      done()
    case .migrate:
      try migrate(path)
      done()
    case .realmCommit: try RealmWork.commit(path, done)
    default:
      try workOnce(folder, path)
      done()
    }
  }

  private func commit(_ path: String, _ done: () -> Void) throws {
    let store = try Example.open(path, key: isEncrypted ? Example.key : nil)
    if self == .create { try Example.write(store) { try $0.apply(Example.declarations, schemaVersion: 1) } }
    if self == .create { done() }
    for number in 0..<6 {
      try Example.write(store) { try Example.change($0, number) }
      done()
    }
  }

  private func migrate(_ path: String) throws {
    let store = try Example.open(path)
    let writer = try store.beginWrite()
    defer { writer.cancel() }
    let migration = try SchemaMigration(writer, to: Example.migrated, schemaVersion: 2)
    try migration.begin()
    try migration.renameColumn(onType: "Item", from: "name", to: "title")
    try migration.finish()
    try writer.commit()
  }

  /// Work with a single promise.
  private func workOnce(_ folder: String, _ path: String) throws {
    let copy = "\(folder)/copy.larder"
    switch self {
    case .compact: try Store.compact(path)
    case .encryptedCompact: try Store.compact(path, key: Example.key)
    case .rekey: try Store.rekey(path, from: nil, to: Example.key)
    case .exchangeKey: try Store.rekey(path, from: Example.key, to: Example.otherKey)
    case .decrypt: try Store.rekey(path, from: Example.key, to: nil)
    case .copy: try Example.open(path).snapshot().copy(to: copy)
    case .encrypt: try Example.open(path).snapshot().copy(to: copy, key: .key(Example.key))
    case .encryptedCopy: try Example.open(path, key: Example.key).snapshot().copy(to: copy)
    case .read: _ = try Example.text(of: try StoreAccess.open(reading: path, walksPages: true))
    case .remove: try Store.remove(path)
    case .load: _ = try StoreAccess.making(copy) { try DumpLoader(store: $0, path: "\(folder)/items.jsonl").run() }
    case .repair:
      let source = try RepairSource(path: path, target: copy)
      _ = try StoreAccess.making(copy) { try StoreRepair(source, into: $0).run() }
    case .realmMigrate: try RealmWork.migrate(path)
    case .realmCompact: try RealmWork.compact(path)
    case .realmCopy: try RealmWork.copy(path, to: copy)
    case .realmSeed: try RealmWork.seed("\(folder)/seed.larder", path)
    case .realmDelete: try RealmWork.delete(path)
    default: try importItems(folder, path)
    }
  }

  private func importItems(_ folder: String, _ path: String) throws {
    var options = ImportOptions(path: "\(folder)/items.csv")
    options.className = "Item"
    _ = try Importer(store: try Example.open(path), options: options).run()
  }
}
