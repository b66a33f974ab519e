import Foundation
import Testing

@testable import Larder

/// All stored properties are persisted and none is a collection: a loop may use an accessor again.
private final class Word: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String
  @Persisted var note: String?
  @Persisted var next: Word?

  convenience init(_ id: Int, _ text: String) {
    self.init()
    self.id = id
    self.text = text
    note = id % 3 == 0 ? nil : text
  }
}

/// Holds something of its own: accessors come from its initialiser.
private final class Counted: Object {
  @Persisted var id: Int
  var label = "own"
}

@Suite struct IterationTests {
  private func realm() throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [Word.self, Counted.self]))
  }

  private func filled(_ texts: [String]) throws -> Realm {
    let realm = try realm()
    try realm.write {
      var last: Word?
      for (id, text) in texts.enumerated() {
        let word = Word(id, text)
        word.next = last
        realm.add(word)
        last = word
      }
    }
    return realm
  }

  @Test("Objects that a loop hands out and that are kept stay those of their rows")
  func keptObjects() throws {
    let realm = try filled((0..<2_000).map { "w\($0)" })
    let words = realm.objects(Word.self)
    var kept: [Word] = []
    for word in words where word.id % 7 == 0 { kept.append(word) }
    #expect(kept.map(\.id) == Array(stride(from: 0, to: 2_000, by: 7)))
    let all = Array(words)
    #expect(all.map(\.text) == (0..<2_000).map { "w\($0)" })
    #expect(Set(all.map { ObjectIdentifier($0) }).count == 2_000)
    var seen: [Int?] = []
    for word in words { seen.append(word.next?.id) }
    #expect(seen == [nil] + (0..<1_999).map { $0 })
  }

  @Test("Weak and unowned references of a loop never lead to another row")
  func weakReferences() throws {
    let realm = try filled((0..<20).map { "w\($0)" })
    weak var earlier: Word?
    var expected = -1
    for word in realm.objects(Word.self) {
      if let earlier { #expect(earlier.id == expected) }
      earlier = word
      expected = word.id
    }
    var first: Word?
    for word in realm.objects(Word.self) {
      unowned let same = word
      #expect(same.id == word.id)
      if first == nil { first = word }
    }
    #expect(first?.id == 0)
  }

  @Test("Two iterators of one loop do not share accessors that are in use")
  func copiedIterators() throws {
    let realm = try filled((0..<10).map { "w\($0)" })
    var one = realm.objects(Word.self).makeIterator()
    var two = one
    for id in 0..<10 {
      let mine = one.next()
      let theirs = two.next()
      #expect(mine?.id == id && theirs?.id == id && mine !== theirs)
    }
    #expect(one.next() == nil && two.next() == nil)
  }

  @Test("An iterator that stays behind its copy, and a Realm that moves on, do not change what a loop visits")
  func movingOn() throws {
    let realm = try filled((0..<1_300).map { "w\($0)" })
    try realm.write {
      for id in stride(from: 0, to: 1_300, by: 5) { realm.delete(realm.objects(Word.self)[id - id / 5]) }
    }
    let expected = Array(realm.objects(Word.self).filter("id >= 0").map { $0.id })
    #expect(expected.count == 1_040)
    var behind = realm.objects(Word.self).makeIterator()
    var ahead = behind
    var seen: [Int] = []
    while let word = ahead.next() { seen.append(word.id) }
    #expect(seen == expected)
    try realm.write { realm.add(Word(5_000, "new")) }
    seen = []
    while let word = behind.next() { seen.append(word.id) }
    #expect(seen == expected)
    #expect(Array(realm.objects(Word.self).map { $0.id }) == expected + [5_000])
  }

  @Test("R-31 a loop that deletes visits every object once")
  func deleting() throws {
    let realm = try filled((0..<1_200).map { "w\($0)" })
    var seen: [Int] = []
    try realm.write {
      for word in realm.objects(Word.self) {
        seen.append(word.id)
        if word.id % 2 == 0 { realm.delete(word) }
      }
    }
    #expect(seen == Array(0..<1_200))
    #expect(realm.objects(Word.self).map(\.id) == Array(stride(from: 1, to: 1_200, by: 2)))
  }

  @Test("Strings of every length come back, plain and not")
  func strings() throws {
    var texts: [String] = []
    for length in 0...40 {
      texts.append(String(repeating: "x", count: length))
      texts.append(String((0..<length).map { Character(UnicodeScalar(UInt8(33 + $0))) }))
      texts.append(String(repeating: "é", count: length))
      texts.append(String(repeating: "a", count: length) + "\u{0}")
    }
    // The last row's bytes are at the end of the leaf.
    for count in [texts.count, texts.count - 1, texts.count - 2, 3, 1] {
      let realm = try filled(Array(texts.prefix(count)))
      for word in realm.objects(Word.self) {
        let text = texts[word.id]
        #expect(word.text == text && word.text.utf8.elementsEqual(text.utf8) && word.text.hashValue == text.hashValue)
        #expect(word.note == (word.id % 3 == 0 ? nil : text))
      }
    }
  }

  @Test("A class with a stored property of its own gets it initialised")
  func ownProperties() throws {
    let realm = try realm()
    try realm.write { for _ in 0..<5 { realm.add(Counted()) } }
    for object in realm.objects(Counted.self) {
      #expect(object.label == "own")
      object.label = "changed"
    }
  }
}
