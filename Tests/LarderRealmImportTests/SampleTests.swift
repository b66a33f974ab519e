import Foundation
import LarderRealmImport
import LarderStorage
import TestSupport
import Testing

/// Files that realm-core wrote, and what it read from them.
@Suite struct SampleTests {
  private static let samples = [
    ("types", "types"), ("graph", "graph"), ("large", "large"), ("collections", "collections"), ("empty", "empty"),
    ("schema-version", "schema-version"), ("compacted", "types"), ("encrypted", "encrypted"),
    ("bundled-encrypted-copy", "types"),
  ]

  static func key(_ name: String = "encrypted") throws -> Data {
    let text = try String(contentsOfFile: "\(fixtures)/realm/\(name).key", encoding: .utf8)
    let digits = Array(text.filter { $0.isHexDigit })
    return Data(
      stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) })
  }

  @Test("U-40: every value of a .realm file is in the store", arguments: samples)
  func holdsEveryValue(name: String, dump: String) throws {
    try withTemporaryDirectory { directory in
      let path = directory.file("new.larder")
      let isEncrypted = name.contains("encrypted")
      let report = try RealmImporter(
        "\(fixtures)/realm/\(name).realm", key: isEncrypted ? Self.key() : nil
      ).makeStore(at: path)
      let snapshot = try Store.open(path: path).snapshot()
      var comparison = try DumpComparison(snapshot, "\(fixtures)/realm/\(dump).jsonl")
      try comparison.run()
      #expect(comparison.differences.isEmpty, "\(comparison.differences.prefix(20))")
      #expect(comparison.values > 1)
      // One moment of the samples is before the first one of a store.
      for omission in report.omissions {
        #expect(omission.reason == .valueTooLarge && omission.detail.contains("-999999999"), "\(omission)")
      }
      #expect(dump == "types" || report.omissionCount == 0)
      for entry in report.classes {
        #expect(entry.found == entry.carried, "\(entry)")
        #expect(try snapshot.count(of: try #require(snapshot.schema[entry.name]).id) == entry.carried)
      }
      #expect(report.skippedTables.map(\.name).contains("metadata"))
      let problems = try StoreVerifier.verify(snapshot)
      #expect(problems.isEmpty, "\(problems)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == [
          "new.larder", "new.larder-lock",
        ])
    }
  }

  @Test("U-40: the store of an encrypted file is encrypted when it is to be, with a key of its own")
  func encryptsTheStore() throws {
    try withTemporaryDirectory { directory in
      let path = directory.file("new.larder")
      let storeKey = try #require(EncryptionKey((0..<64).map { UInt8($0) }))
      _ = try RealmImporter("\(fixtures)/realm/encrypted.realm", key: Self.key(), storeKey: storeKey).makeStore(
        at: path)
      #expect(throws: StorageError.self) { try Store.open(path: path) }
      var options = StoreOptions()
      options.encryptionKey = storeKey
      var comparison = try DumpComparison(
        try Store.open(path: path, options: options).snapshot(), "\(fixtures)/realm/encrypted.jsonl")
      try comparison.run()
      #expect(comparison.differences.isEmpty, "\(comparison.differences.prefix(20))")
    }
  }

  @Test(
    "U-40: what is no sound .realm file is an error, and leaves nothing",
    arguments: [
      ("damaged-truncated", StorageError.Code.truncated), ("damaged-magic", .notADatabase),
      ("damaged-topref", .truncated),
      ("damaged-format25", .unsupportedFormat), ("damaged-bit-width", .corrupted), ("damaged-bit-hasrefs", .corrupted),
      ("damaged-bit-count", .corrupted), ("not-a-realm", .notADatabase), ("encrypted", .wrongKey),
      ("no-such-file", .notFound),
    ])
  func refusesDamage(name: String, code: StorageError.Code) throws {
    try withTemporaryDirectory { directory in
      let error = #expect(throws: StorageError.self) { () throws -> Void in
        _ = try RealmImporter("\(fixtures)/realm/\(name).realm").makeStore(at: directory.file("new.larder"))
      }
      #expect(error?.code == code, "\(name): \(error.map { "\($0.code): \($0)" } ?? "")")
      #expect(error?.path?.hasSuffix("\(name).realm") == true)
      let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(left.isEmpty, "\(left)")
    }
  }

  @Test(
    "U-40: a wrong key is an error, and so is one for a plain file",
    arguments: [
      ("encrypted", "wrong"), ("encrypted", "wrong-aes-half"), ("graph", "encrypted"),
    ])
  func refusesWrongKeys(name: String, key: String) throws {
    try withTemporaryDirectory { directory in
      let error = #expect(throws: StorageError.self) {
        try RealmImporter("\(fixtures)/realm/\(name).realm", key: Self.key(key)).makeStore(
          at: directory.file("new.larder"))
      }
      #expect(error?.code == .wrongKey)
      let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(left.isEmpty, "\(left)")
    }
  }

  @Test("U-40: a store that is there is left as it is") func replacesNothing() throws {
    try withTemporaryDirectory { directory in
      let path = try directory.write("mine", to: "new.larder")
      let importer = RealmImporter("\(fixtures)/realm/graph.realm")
      #expect(throws: StorageError.self) { try importer.makeStore(at: path) }
      #expect(try importer.makeStoreOnce(at: path) == nil)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    }
  }

  @Test("U-40: a rehearsal tells what an import does, and leaves nothing") func rehearses() throws {
    try withTemporaryDirectory { directory in
      let importer = RealmImporter("\(fixtures)/realm/types.realm")
      let rehearsed = try importer.rehearse(directory.file("new.larder"), beside: directory.file("scratch"))
      let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(left.isEmpty, "\(left)")
      #expect(try importer.makeStore(at: directory.file("new.larder")) == rehearsed)
      #expect(throws: StorageError.self) {
        try importer.rehearse(directory.file("new.larder"), beside: directory.file("scratch"))
      }
    }
  }

  @Test("U-40: progress goes up to the number of all objects") func showsProgress() throws {
    try withTemporaryDirectory { directory in
      var seen: [RealmImportProgress] = []
      _ = try RealmImporter("\(fixtures)/realm/graph.realm") { seen.append($0) }.makeStore(
        at: directory.file("new.larder"))
      #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.done <= $1.done })
      #expect(seen.last?.done == seen.last?.total && (seen.last?.total ?? 0) > 1_000)
      #expect(Set(seen.map(\.step)) == [.makingObjects, .linkingObjects, .checking])
    }
  }
}
