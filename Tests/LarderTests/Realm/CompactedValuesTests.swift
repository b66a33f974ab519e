import Foundation
import Testing

@testable import Larder
@testable import LarderStorage

/// Tests of what compacting when a Realm is opened, and copies of a Realm, leave of values that were deleted.
@Suite("Values in compacted Realms") struct CompactedValuesTests {
  enum V {
    class Member: Object {
      @Persisted(primaryKey: true) var email: String
      @Persisted(indexed: true) var name = ""
      @Persisted var tags: MutableSet<String>
    }
  }

  private func configuration(_ folder: TemporaryFolder, _ key: Data?, _ name: String) -> Realm.Configuration {
    var configuration = folder.configuration([V.Member.self], version: 1)
    configuration.fileURL = folder.url.appendingPathComponent(name)
    configuration.encryptionKey = key
    return configuration
  }

  private func holds(_ text: String, _ configuration: Realm.Configuration) throws -> Bool {
    let url = try #require(configuration.fileURL)
    guard let key = configuration.encryptionKey else {
      return try Data(contentsOf: url).range(of: Data(text.utf8)) != nil
    }
    var options = StoreOptions()
    options.encryptionKey = EncryptionKey(key)
    let store = try Store.open(path: url.path, options: options)
    let transaction = try store.snapshot().transaction
    for table in store.tables.all {
      let cursor = try transaction.walkingCursor(table)
      var entry = try cursor.first()
      while let found = entry {
        if Data(found.value.bytes).range(of: Data(text.utf8)) != nil { return true }
        entry = try cursor.next()
      }
    }
    return false
  }

  @Test("F-60: writeCopy and compacting on launch leave no deleted or overwritten value", arguments: [false, true])
  func noTrace(isEncrypted: Bool) throws {
    let folder = try TemporaryFolder()
    let key = isEncrypted ? Data((0..<64).map { UInt8($0 * 3) }) : nil
    let live = configuration(folder, key, "live.larder")
    let copy = configuration(folder, key, "copy.larder")
    try autoreleasepool {
      let realm = try Realm(configuration: live)
      try realm.write {
        for number in 0..<300 {
          let word = number % 10 == 0 ? "kept" : "gone"
          let member = realm.create(
            V.Member.self, value: ["email": "\(word)\(number)@example.org", "name": "goneName\(number)"])
          member.tags.insert("goneTag\(number)")
        }
      }
      for part in 0..<3 {
        try realm.write {
          realm.delete(
            realm.objects(V.Member.self).filter(
              "email BEGINSWITH 'gone\(part)' OR email BEGINSWITH 'gone\(part + 3)' OR email BEGINSWITH 'gone\(part + 6)' "
            ))
        }
      }
      try realm.write {
        realm.delete(realm.objects(V.Member.self).filter("email BEGINSWITH 'gone'"))
        for member in realm.objects(V.Member.self) {
          member.name = "keptName"
          member.tags.removeAll()
        }
      }
      try realm.writeCopy(configuration: copy)
    }
    #expect(try !holds("gone", copy))
    #expect(try holds("kept120@example", copy))
    var compacting = live
    compacting.shouldCompactOnLaunch = { _, _ in true }
    try autoreleasepool {
      let realm = try Realm(configuration: compacting)
      #expect(realm.objects(V.Member.self).count == 30)
      #expect(realm.object(ofType: V.Member.self, forPrimaryKey: "kept290@example.org")?.name == "keptName")
      #expect(try StoreVerifier.verify(realm.core.currentSnapshot()).isEmpty)
    }
    #expect(try !holds("gone", live))
    #expect(try holds("kept120@example", live))
  }
}
