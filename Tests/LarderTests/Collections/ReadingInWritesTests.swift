import Foundation
import TestSupport
import Testing

@testable import Larder

private final class TaggedInWrites: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var number = 0
  @Persisted var tags: List<String>
  @Persisted var words: MutableSet<String>
  @Persisted var notes: Map<String, String>
}

/// Collections that are read in a transaction in which queries have changes written out.
@Suite("Reading collections in transactions")
struct ReadingInWritesTests {
  private func text(_ random: inout SeededRandom) -> String {
    String(repeating: "\(Int.random(in: 0...9, using: &random))", count: Int.random(in: 1...60, using: &random))
  }

  @Test("what a collection shows does not depend on what else was written since it was read", arguments: [false, true])
  func written(isEncrypted: Bool) throws {
    var random = SeededRandom.forTest()
    let folder = try TemporaryFolder()
    var configuration = folder.configuration([TaggedInWrites.self])
    if isEncrypted { configuration.encryptionKey = Data((0..<64).map { UInt8($0) }) }
    let realm = try Realm(configuration: configuration)
    let objects = (0..<12).map { id in
      let object = TaggedInWrites()
      object.id = id
      return object
    }
    try realm.write { realm.add(objects) }
    var tags = [[String]](repeating: [], count: objects.count)
    var words = [Set<String>](repeating: [], count: objects.count)
    var notes = [[String: String]](repeating: [:], count: objects.count)
    for _ in 0..<6 {
      try realm.write {
        for _ in 0..<60 {
          let place = Int.random(in: 0..<objects.count, using: &random)
          let value = text(&random)
          switch Int.random(in: 0...3, using: &random) {
          case 0:
            objects[place].tags.append(value)
            tags[place].append(value)
          case 1:
            objects[place].words.insert(value)
            words[place].insert(value)
          case 2:
            objects[place].notes[value] = value
            notes[place][value] = value
          default: objects[place].number = Int.random(in: 0...5, using: &random)
          }
          // Read, have the changes of others written out, and read on.
          let other = Int.random(in: 0..<objects.count, using: &random)
          objects[place].number += 1
          let first = (objects[other].tags.first, objects[other].words.first, objects[other].notes.keys.first)
          #expect((first.0 == nil) == tags[other].isEmpty && (first.1 == nil) == words[other].isEmpty)
          _ = realm.objects(TaggedInWrites.self).filter("number == 3").count
          #expect(Array(objects[other].tags) == tags[other])
          #expect(Set(objects[other].words) == words[other])
          #expect(Dictionary(uniqueKeysWithValues: objects[other].notes.map { ($0.key, $0.value) }) == notes[other])
        }
      }
    }
  }
}
