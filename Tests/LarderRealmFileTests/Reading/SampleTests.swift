import Foundation
import TestBasics
import Testing

@testable import LarderRealmFile

/// Every sample holds what Realm itself reads from it.
@Suite struct SampleTests {
  @Test(arguments: [
    ("types.realm", "types.jsonl", false), ("graph.realm", "graph.jsonl", false), ("large.realm", "large.jsonl", false),
    ("collections.realm", "collections.jsonl", false), ("empty.realm", "empty.jsonl", false),
    ("schema-version.realm", "schema-version.jsonl", false), ("compacted.realm", "types.jsonl", false),
    ("encrypted.realm", "encrypted.jsonl", true), ("bundled-encrypted-copy.realm", "types.jsonl", true),
  ])
  func aSampleHoldsWhatItsDumpSays(name: String, dump: String, isEncrypted: Bool) throws {
    let key = try isEncrypted ? Sample.key("encrypted.key") : nil
    let file = try RealmFile(fileURL: Sample.url(name), encryptionKey: key)
    let lines = try DumpWriter(file).lines()
    let expected = try Sample.dump(dump)
    #expect(lines.count == expected.count)
    for (line, expected) in zip(lines, expected) where line != expected {
      Issue.record("\(name)\nread     \(line)\nexpected \(expected)")
      return
    }
    let report = try file.verifyLinks()
    #expect(report.faults == [] && report.unresolved == [:])
    for objectClass in file.classes {
      var count = 0
      try file.forEachCluster(of: objectClass) { count += $0.keys.count }
      #expect(try file.objectCount(of: objectClass) == count)
    }
  }

  @Test func eachKindOfDamageIsRefusedByName() throws {
    let key = try Sample.key("encrypted.key")
    let cases: [(String, Data?, RealmFileError.Kind, String)] = [
      ("damaged-truncated.realm", nil, .truncated, "offset 22112"),
      ("damaged-magic.realm", nil, .notARealmFile, "not a Realm file, or encrypted"),
      ("damaged-topref.realm", nil, .truncated, "offset 2147483640"),
      ("damaged-format25.realm", nil, .unsupportedFormat, "format 25"),
      ("damaged-bit-width.realm", nil, .damaged, "list of tables"),
      ("damaged-bit-hasrefs.realm", nil, .damaged, "offset 984"),
      ("damaged-bit-count.realm", nil, .damaged, "Setting.name"),
      ("not-a-realm.realm", nil, .notARealmFile, "give the path"),
      ("encrypted.realm", nil, .needsKey, "give the 64 bytes"),
      ("bundled-encrypted-copy.realm", nil, .needsKey, "give the 64 bytes"),
      ("encrypted.realm", try Sample.key("wrong.key"), .wrongKey, "give its own key"),
      ("encrypted.realm", try Sample.key("wrong-aes-half.key"), .wrongKey, "what it decrypts is no Realm file"),
      ("bundled-encrypted-copy.realm", try Sample.key("wrong-aes-half.key"), .wrongKey, "no Realm file"),
      ("encrypted.realm", key.dropLast(), .wrongKey, "63 bytes"),
      ("graph.realm", key, .notEncrypted, "without a key"),
      ("compacted.realm", key, .notEncrypted, "without a key"),
      ("not-a-realm.realm", key, .notARealmFile, "not a Realm file"),
      ("no such file.realm", nil, .unreadable, "cannot be opened"),
      (".", nil, .unreadable, "not a regular file"),
    ]
    for (name, key, kind, part) in cases {
      let error = failure { _ = try DumpWriter(RealmFile(fileURL: Sample.url(name), encryptionKey: key)).lines() }
      #expect(error?.kind == kind, "\(name): \(error?.message ?? "was read")")
      #expect(error?.message.contains(part) == true, "\(name): \(error?.message ?? "")")
    }
  }

  @Test func objectsAreFoundByTheirKeys() throws {
    let file = try RealmFile(fileURL: Sample.url("large.realm"))
    for objectClass in file.classes {
      var keys: [Int64] = []
      try file.forEachCluster(of: objectClass) { keys += $0.keys }
      for key in keys.reversed() { #expect(try file.object(of: objectClass, key: key)?.key == key) }
      let known = Set(keys)
      for key in keys where !known.contains(key + 1) { #expect(try file.object(of: objectClass, key: key + 1) == nil) }
      for key: Int64 in [.min, -1, .max] { #expect(try file.object(of: objectClass, key: key) == nil) }
    }
  }

  @Test func chunksOfCollectionsAreWhatTheWholeIs() throws {
    let file = try RealmFile(fileURL: Sample.url("collections.realm"))
    var largest = 0
    for objectClass in file.classes {
      try file.forEachCluster(of: objectClass) { cluster in
        for (index, property) in objectClass.properties.enumerated() where property.collection != .none {
          let collections = try cluster.collections(of: index)
          let values = try cluster.values(of: index)
          for row in 0..<collections.count where property.collection != .dictionary {
            var elements: [RealmFileValue] = []
            var chunks = 0
            try collections.forEachChunk(of: row) { chunk in
              elements += (0..<chunk.count).map { chunk[$0] }
              chunks += 1
            }
            largest = max(largest, chunks)
            #expect(values[row] == (property.collection == .set ? .set(elements) : .list(elements)))
          }
        }
      }
    }
    #expect(largest > 1)
  }
}
