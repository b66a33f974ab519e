import Foundation
import Larder

/// The class of the example's objects.
final class Item: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted var count: Int
}

/// Work through the public interface.
enum RealmWork {
  static func isTyped(_ error: any Error) -> Bool { error is Realm.Error }

  private static func configuration(_ path: String, schemaVersion: UInt64 = 1) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: URL(fileURLWithPath: path), schemaVersion: schemaVersion, objectTypes: [Item.self])
  }

  static func commit(_ path: String, _ done: () -> Void) throws {
    let realm = try Realm(configuration: configuration(path))
    for number in 0..<3 {
      try realm.write {
        for other in 0..<4 {
          let item = Item()
          (item.id, item.name) = (500 + number * 10 + other, "new \(number) \(other)")
          realm.add(item)
        }
        realm.delete(realm.objects(Item.self).where { $0.id == 1 + number * 3 })
      }
      done()
    }
  }

  static func migrate(_ path: String) throws {
    var configuration = configuration(path, schemaVersion: 2)
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        new?["name"] = "was \(old?["name"] as? String ?? "")"
      }
    }
    _ = try Realm(configuration: configuration)
  }

  /// Nothing changes but the size of the file.
  static func compact(_ path: String) throws {
    var configuration = configuration(path)
    configuration.shouldCompactOnLaunch = { _, _ in true }
    _ = try Realm(configuration: configuration)
  }

  /// Copies the store from within a write transaction, which deletes the object that it created, so that the copy holds what the store does. The
  /// transaction ends without a commit: one that fails after the copy is made takes nothing of the copy back.
  static func copy(_ path: String, to copy: String) throws {
    let realm = try Realm(configuration: configuration(path))
    do {
      try realm.write {
        let item = realm.create(Item.self, value: ["id": 7_000, "name": "short life"])
        realm.delete(item)
        try realm.writeCopy(toFile: URL(fileURLWithPath: copy))
        throw CancellationError()
      }
    } catch is CancellationError {}
  }

  static func seed(_ seed: String, _ path: String) throws {
    var configuration = configuration(path)
    configuration.seedFilePath = URL(fileURLWithPath: seed)
    _ = try Realm(configuration: configuration)
  }

  static func delete(_ path: String) throws { _ = try Realm.deleteFiles(for: configuration(path)) }
}
