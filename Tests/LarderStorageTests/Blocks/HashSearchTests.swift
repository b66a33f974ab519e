import TestSupport
import Testing

@testable import LarderStorage

@Suite("Searches among hashes") struct HashSearchTests {
  @Test("Whatever is guessed, and however the words are spread, the number of words below is found")
  func anyGuess() {
    var random = SeededRandom.forTest()
    for _ in 0..<400 {
      let shift = UInt64(random.int(0...63))
      let words = (0..<random.int(0...300)).map { _ in random.next() >> (random.oneIn(3) ? shift : 0) }.sorted()
      for _ in 0..<20 {
        let target = random.oneIn(2) ? words.randomElement(using: &random) ?? 0 : random.next() >> shift
        let guess: Int = random.pick([.min, -1, 0, random.int(0...300), words.count, .max])
        var looks = 0
        let found = HashSearch.partition(words.count, from: guess) { place in
          looks += 1
          return words[place] < target
        }
        #expect(found == words.count { $0 < target })
        #expect(looks <= 20)
      }
    }
  }

  @Test("Among words that are spread evenly the guess is near")
  func nearness() {
    var random = SeededRandom.forTest()
    let words = (0..<10_000).map { _ in random.next() }.sorted()
    for _ in 0..<1_000 {
      let target = random.next()
      let guess = HashSearch.guess(target, from: 0, to: .max, count: words.count)
      let found = HashSearch.partition(words.count, from: guess) { words[$0] < target }
      #expect(found == words.count { $0 < target })
      #expect(abs(guess - found) < 500)
    }
    #expect(HashSearch.guess(5, from: 5, to: 5, count: 9) == 0 && HashSearch.guess(6, from: 7, to: 5, count: 9) == 0)
    #expect(HashSearch.guess(.max, from: 0, to: .max, count: 9) == 9)
  }

  @Test("Look-ups in an encrypted store, by lists of blocks and without, find what a dictionary does")
  func encryptedStore() throws {
    var random = SeededRandom.forTest()
    let fixture = try TemporaryStore(clusterSize: 64, key: .test())
    try fixture.write { writer in
      try writer.apply(
        [
          ClassDeclaration(
            name: "Row",
            columns: [
              ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
              ColumnDeclaration(name: "name", type: .string, isIndexed: true),
              ColumnDeclaration(name: "kind", type: .int, isIndexed: true),
            ])
        ], schemaVersion: 0)
    }
    let row = try #require(try fixture.snapshot.schema["Row"])
    var (ids, names, kinds) = ([Int64: ObjectKey](), [String: ObjectKey](), [Int64: [ObjectKey]]())
    for _ in 0..<3 {
      try fixture.write { writer in
        for _ in 0..<1_500 {
          let id = random.anyInt64() >> Int64(random.int(0...40))
          if ids[id] != nil { continue }
          let key = try writer.create(row.id, primaryKey: id)
          let (name, kind) = (random.string(maxLength: 4), Int64(random.int(0...5)))
          try writer.set(row.id, row.columns[1].id, key, .string(name))
          try writer.set(row.id, row.columns[2].id, key, .int(kind))
          ids[id] = key
          if names[name] == nil { names[name] = key }
          kinds[kind, default: []].append(key)
        }
      }
      let snapshot = try fixture.snapshot
      for (id, key) in ids {
        #expect(try snapshot.object(row.id, row.columns[0].id, primaryKey: id) == key)
        #expect(try snapshot.object(row.id, row.columns[0].id, primaryKey: id &+ 1) == ids[id &+ 1])
        #expect(try snapshot.indexedKey(row.id, row.columns[0].id, equalTo: .int(id)) == .key(key))
      }
      for (name, key) in names {
        #expect(try snapshot.indexedKey(row.id, row.columns[1].id, equalTo: .string(name)) == .key(key))
        #expect(
          try snapshot.indexedKey(row.id, row.columns[1].id, equalTo: .string(name + "x"))
            == names[name + "x"].map { IndexedKey.key($0) } ?? IndexedKey.none)
      }
      for _ in 0..<300 {
        let kind = Int64(random.int(-1...6))
        #expect(
          try snapshot.indexedKey(row.id, row.columns[2].id, equalTo: .int(kind))
            == kinds[kind].map { IndexedKey.key($0[0]) } ?? IndexedKey.none)
        #expect(try snapshot.indexedCount(row.id, row.columns[2].id, equalTo: .int(kind)) == kinds[kind]?.count ?? 0)
      }
    }
    #expect(try StoreVerifier.verify(fixture.snapshot).isEmpty)
  }
}
