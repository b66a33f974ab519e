import Foundation
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

  /// Whether the store is there before.
  var hasStore: Bool { self != .create }

  /// Does the work in a folder; `done` is called whenever a call that promises something has returned.
  func run(_ folder: String, done: () -> Void) throws {
    let path = "\(folder)/store.larder"
    switch self {
    case .commit, .create:
      let store = try Example.open(path)
      if self == .create { try Example.write(store) { try $0.apply(Example.declarations, schemaVersion: 1) } }
      if self == .create { done() }
      for number in 0..<6 {
        try Example.write(store) { try Example.change($0, number) }
        done()
      }
    case .grow:
      let store = try Example.open(path, mapSize: 1 << 20)
      // Too large for the map: what it was to write is written again when the map is larger.
      let work = { try Example.write(store) { try Example.fill($0) } }
      do { try work() } catch let error as StorageError where error.code == .addressSpaceExhausted { try work() }
      done()
    case .migrate:
      let store = try Example.open(path)
      let writer = try store.beginWrite()
      defer { writer.cancel() }
      let migration = try SchemaMigration(writer, to: Example.migrated, schemaVersion: 2)
      try migration.begin()
      try migration.renameColumn(onType: "Item", from: "name", to: "title")
      try migration.finish()
      try writer.commit()
      done()
    case .compact:
      try Store.compact(path)
      done()
    case .rekey:
      try Store.rekey(path, from: nil, to: Example.key)
      done()
    case .copy, .encrypt:
      let store = try Example.open(path)
      let key: CopyKey = self == .encrypt ? .key(Example.key) : .unchanged
      try store.snapshot().copy(to: "\(folder)/copy.larder", key: key)
      done()
    case .importing:
      var options = ImportOptions(path: "\(folder)/items.csv")
      options.className = "Item"
      _ = try Importer(store: try Example.open(path), options: options).run()
      done()
    }
  }
}
