import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import Larder

/// Input at the edges: every answer is right, or an error of the throwing form, and the store stays sound.
@Suite("Odd input") struct OddInputTests {
  private static let texts = [
    "", "\0", "a\0b", "a\0c", "e\u{301}", "\u{E9}", "👩‍👩‍👧‍👦", "🇩🇪", "مرحبا", "\u{202E}abc", "\u{FFFD}", "\u{10FFFF}",
    "ß", "SS", "Ä", "A\u{308}", " ", "\n", "日本語", "A", "a", "\u{0}\u{0}", "$", ".", "'", "\"", "\\",
  ]

  @Test("O-25 and O-40: keys and values hold NUL and all of Unicode, byte by byte; so do indexes and queries")
  func unicode() throws {
    let realm = try makeRealm([Tagged.self, Person.self, Dog.self, Address.self, Room.self])
    try realm.write {
      for (number, text) in Self.texts.enumerated() {
        try realm.throwing.create(Tagged.self, value: ["key": text, "value": number])
        try realm.throwing.create(Person.self, value: ["id": number, "name": text, "email": text])
      }
    }
    #expect(realm.objects(Tagged.self).count == Self.texts.count)
    for (number, text) in Self.texts.enumerated() {
      #expect(realm.object(ofType: Tagged.self, forPrimaryKey: text)?.value == number)
      #expect(realm.objects(Person.self).filter("name == %@", text).map(\.id) == [number])
      #expect(realm.objects(Person.self).filter("email == %@", text).map(\.id) == [number])
      let stored = realm.object(ofType: Person.self, forPrimaryKey: number)?.name
      #expect(stored.map { Array($0.utf8) } == Array(text.utf8))
      try realm.write {
        #expect(throws: Realm.Error.self) { try realm.throwing.create(Tagged.self, value: ["key": text]) }
      }
    }
    #expect(try StoreVerifier.verify(realm.core.store.snapshot()).isEmpty)
  }

  @Test("O-24: keys and indexed strings of 10,000 characters that differ in the last one")
  func longKeys() throws {
    let folder = try TemporaryDirectory()
    let configuration = Realm.Configuration(
      fileURL: folder.url.appendingPathComponent("a.realm"),
      objectTypes: [Tagged.self, Person.self, Dog.self, Address.self, Room.self])
    let long = String(repeating: "ä", count: 9_999)
    let texts = (0..<20).map { long + String(UnicodeScalar(UInt8(97 + $0))) } + [long]
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        for (number, text) in texts.enumerated() {
          realm.create(Tagged.self, value: ["key": text, "value": number])
          realm.add(Person(id: number, name: text))
        }
      }
    }
    do {
      let realm = try Realm(configuration: configuration)
      for (number, text) in texts.enumerated() {
        #expect(realm.object(ofType: Tagged.self, forPrimaryKey: text)?.value == number)
        #expect(realm.objects(Person.self).filter("name == %@", text).map(\.id) == [number])
      }
      #expect(realm.objects(Person.self).filter("name BEGINSWITH %@", long).count == texts.count)
      #expect(realm.objects(Person.self).sorted(byKeyPath: "name").first?.id == 20)
      try realm.write {
        let error = #expect(throws: Realm.Error.self) {
          try realm.throwing.create(Tagged.self, value: ["key": texts[3]])
        }
        #expect((error?.message.count ?? 0) < 300)
        realm.delete(realm.objects(Tagged.self).filter("value < 5"))
      }
      #expect(realm.object(ofType: Tagged.self, forPrimaryKey: texts[3]) == nil)
      #expect(realm.object(ofType: Tagged.self, forPrimaryKey: texts[7])?.value == 7)
      #expect(try StoreVerifier.verify(realm.core.store.snapshot()).isEmpty)
    }
  }

  @Test("O-24 and E-64: empty and 100 MB values") func largeData() throws {
    let realm = try makeRealm()
    let large = Data((0..<256).map { UInt8($0) }) + Data(count: 100 << 20) + Data([7])
    let object = try realm.write { realm.create(Everything.self, value: ["data": large, "optData": Data()]) }
    #expect(object.data == large && object.optData == Data())
    try realm.write { object.data = Data() }
    #expect(object.data.isEmpty)
    #expect(try StoreVerifier.verify(realm.core.store.snapshot()).isEmpty)
  }

  @Test("F-122: a string, data and a value of any type have 1 GiB at most, and one byte more is an error")
  func largestValues() throws {
    let realm = try makeRealm()
    let owner = try #require(realm.core.schema["Everything"])
    let limit = 1 << 30
    func refusal(_ name: String, _ value: StoredValue) throws -> StorageError.Code? {
      let column = try #require(owner.column(named: name))
      do {
        try column.check(value, in: owner)
        return nil
      } catch let error as StorageError { return error.code }
    }
    // Memory of zeros is not touched before it is written, and only the length is looked at.
    #expect(try refusal("data", .data(Data(count: limit))) == nil)
    #expect(try refusal("data", .data(Data(count: limit + 1))) == .valueTooLarge)
    #expect(StoreLayout.maximumValueSize == limit)
    try realm.write {
      let error = #expect(throws: Realm.Error.self) {
        try realm.throwing.create(Everything.self, value: ["data": Data(count: limit + 1)])
      }
      #expect(error?.message.contains("\(limit)") ?? false)
    }
  }

  @Test("O-20: the ends of every type of number, and dates far away") func extremes() throws {
    let realm = try makeRealm()
    for number in [Int64.min, .max, 0, -1] {
      let made = try realm.write { realm.create(Everything.self, value: ["int64": number, "int": Int(number)]) }
      #expect(made.int64 == number && made.int == Int(number))
    }
    for number in [Double.infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0] {
      let made = try realm.write { realm.create(Everything.self, value: ["double": number, "float": Float(number)]) }
      #expect(made.double == number && made.float == Float(number))
    }
    let made = try realm.write { realm.create(Everything.self, value: ["double": Double.nan, "int8": -128]) }
    #expect(made.double.isNaN && made.int8 == -128)
    for date in [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 0)] {
      let made = try realm.write { realm.create(Everything.self, value: ["date": date]) }
      #expect(abs(made.date.timeIntervalSince(date)) < 0.001)
    }
    try realm.write {
      for (name, value) in [("int8", 128), ("int16", 1 << 15), ("int32", 1 << 31)] {
        #expect(throws: Realm.Error.self) { try realm.throwing.create(Everything.self, value: [name: value]) }
      }
      #expect(throws: Realm.Error.self) { try realm.throwing.create(Everything.self, value: ["int": UInt64.max]) }
      #expect(throws: Realm.Error.self) { try realm.throwing.create(Everything.self, value: ["int": Double.nan]) }
    }
  }

  @Test("O-2: cycles, and chains longer than any stack") func cycles() throws {
    let realm = try makeRealm()
    let (one, two) = (Person(id: 1), Person(id: 2))
    (one.best, two.best) = (two, one)
    one.dogs.append(Dog(name: "x"))
    one.dogs[0].owner = one
    let own = Person(id: 3)
    own.best = own
    try realm.write {
      realm.add(one)
      try realm.throwing.add(own)
    }
    #expect(one.best?.best == one && own.best == own && one.dogs[0].owner == one)
    var first = Person(id: 1_000)
    for id in 1_001..<21_000 {
      let next = Person(id: id)
      next.best = first
      first = next
    }
    try realm.write { try realm.throwing.add(first) }
    #expect(realm.objects(Person.self).count == 20_003 && first.best?.best?.best?.id == 20_996)
    #expect(realm.object(ofType: Person.self, forPrimaryKey: 1_001)?.best?.id == 1_000)
    #expect(try StoreVerifier.verify(realm.core.store.snapshot()).isEmpty)
  }

  @Test("O-3: an object of another Realm is copied with all it leads to, once each, cycles included")
  func foreignGraphs() throws {
    let (source, target) = (try makeRealm(), try makeRealm())
    let person = try source.write {
      let person = source.create(
        Person.self, value: ["id": 1, "best": ["id": 2], "dogs": [["name": "x"]]] as [String: Any])
      person.best?.best = person
      person.dogs[0].owner = person.best
      return person
    }
    let copy = try target.write { target.create(Person.self, value: person) }
    #expect(copy.realm == target && copy.best?.best == copy && copy.dogs[0].owner == copy.best)
    #expect(target.objects(Person.self).count == 2 && source.objects(Person.self).count == 2)
    try source.write { person.name = "new" }
    try target.write { target.create(Person.self, value: person, update: .modified) }
    #expect(copy.name == "new" && target.objects(Person.self).count == 2 && target.objects(Dog.self).count == 1)
    try target.write {
      let linked = target.create(Person.self, value: ["id": 9, "best": person] as [String: Any], update: .modified)
      #expect(linked.best == copy)
    }
  }
}
