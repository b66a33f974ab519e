import Foundation
import Larder
import Testing

class CaseText: Object {
  @Persisted var number: Int
  @Persisted var plain: String
  @Persisted(indexed: true) var indexed: String
  @Persisted var optional: String?
  @Persisted(indexed: true) var optionalIndexed: String?
}

/// Questions about texts from public reports of object databases. The answers were written down before the first run.
@Suite("Reported cases: texts") struct TextCaseTests {
  private func realm(_ texts: [String?]) throws -> Realm {
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [CaseText.self]))
    try realm.write {
      for (number, text) in texts.enumerated() {
        let object = CaseText()
        object.number = number
        object.plain = text ?? ""
        object.indexed = text ?? ""
        object.optional = text
        object.optionalIndexed = text
        realm.add(object)
      }
    }
    return realm
  }

  private func numbers(_ realm: Realm, _ format: String, _ arguments: [Any]) -> [Int] {
    realm.objects(CaseText.self).filter(NSPredicate(format: format, argumentArray: arguments)).map(\.number)
  }

  /// Compares the answers of the plain and of the indexed property with what is right.
  private func check(_ texts: [String], _ cases: [(condition: String, argument: Any, answer: [Int])]) throws {
    let realm = try realm(texts)
    for (condition, argument, answer) in cases {
      for property in ["plain", "indexed"] {
        let found = numbers(realm, "\(property) \(condition)", [argument])
        #expect(found == answer, "\(property) \(condition) \(argument)")
      }
    }
  }

  @Test("signs beyond the first plane are found without regard to case")
  func emoji() throws {
    try check(
      ["Here is a unicorn 🦄 today", "This house 🏠 is on 🔥", "UNICORN 🦄 TODAY", "my 🤯"],
      [("CONTAINS[c] %@", "unicorn 🦄 today", [0, 2])])
  }

  @Test("case is left out for every alphabet")
  func alphabets() throws {
    try check(
      ["Москва", "москва", "BRZĘCZYSZCZYKIEWICZ", "JØSANG SJØMAT"],
      [
        ("CONTAINS[c] %@", "мос", [0, 1]), ("CONTAINS[c] %@", "brzę", [2]), ("CONTAINS[c] %@", "jøs", [3]),
        ("==[c] %@", "МОСКВА", [0, 1]), ("BEGINSWITH[c] %@", "МОС", [0, 1]), ("ENDSWITH[c] %@", "ВА", [0, 1]),
        ("LIKE[c] %@", "МОС*", [0, 1]),
      ])
  }

  @Test("equality without case is the same with an index")
  func equality() throws {
    try check(
      ["ROVER", "Rover", "rovers", "a1", "A1"],
      [
        ("==[c] %@", "rover", [0, 1]), ("==[c] %@", "A1", [3, 4]), ("!=[c] %@", "rover", [2, 3, 4]),
        ("IN[c] %@", ["rover", "a1"], [0, 1, 3, 4]),
      ])
  }

  @Test("nil without case is nil, with an index and without")
  func nothing() throws {
    let realm = try realm([nil, "test", "TEST", ""])
    for property in ["optional", "optionalIndexed"] {
      #expect(numbers(realm, "\(property) ==[c] %@", [NSNull()]) == [0])
      #expect(numbers(realm, "\(property) ==[c] %@", ["test"]) == [1, 2])
      #expect(numbers(realm, "\(property) !=[c] %@", ["test"]) == [0, 3])
    }
  }

  @Test("marks are left out where asked, and equality is by bytes where not")
  func marks() throws {
    try check(
      ["café", "cafe\u{301}", "CAFE", "fæ", "fa", "Ångström", "ø"],
      [
        ("==[cd] %@", "cafe", [0, 1, 2]), ("CONTAINS[cd] %@", "angs", [5]), ("CONTAINS[d] %@", "é", [0, 1]),
        ("== %@", "café", [0]),
      ])
  }

  @Test("texts are ordered by an index as without one")
  func order() throws {
    try check(
      ["b", "c", "d"],
      [("<= %@", "e", [0, 1, 2]), ("< %@", "c", [0]), (">= %@", "c", [1, 2]), ("> %@", "", [0, 1, 2])])
  }

  @Test("a long list of values is taken whole, its repetitions count once")
  func manyValues() throws {
    let realm = try realm((0..<200).map { "k\($0)" })
    let texts = (0..<120).map { "k\($0)" } + ["k3", "zz"]
    #expect(realm.objects(CaseText.self).filter("plain IN %@", texts).count == 120)
    #expect(realm.objects(CaseText.self).filter("indexed IN %@", texts).count == 120)
    #expect(realm.objects(CaseText.self).filter("number IN %@", Array(0..<150) + [3, 999]).count == 150)
  }

  @Test("LIKE knows * and ?, while % and _ are signs as others")
  func wildcards() throws {
    try check(
      ["a%b", "axb", "a*b", "100%", "a_b", "ab"],
      [
        ("LIKE %@", "a%b", [0]), ("LIKE %@", "a?b", [0, 1, 2, 4]), ("LIKE %@", "a\\*b", [2]), ("LIKE %@", "*%", [3]),
        ("LIKE %@", "a*b", [0, 1, 2, 4, 5]), ("LIKE %@", "?????", []),
      ])
  }

  @Test("an empty text begins nothing")
  func emptyPrefix() throws {
    try check(["😀", "\u{FFFD}", "z"], [("BEGINSWITH %@", "", [])])
  }

  @Test("the order of texts is one, with an index and without, and that of their bytes")
  func sorting() throws {
    let realm = try realm([
      "lkkK", "AihngsPumyLMy", "eD39", "APEl741s", "Jw8J", "|hello", "~hello", "\"hello\"", "éllo", "ello",
    ])
    let sorted = [
      "\"hello\"", "APEl741s", "AihngsPumyLMy", "Jw8J", "eD39", "ello", "lkkK", "|hello", "~hello", "éllo",
    ]
    #expect(Array(realm.objects(CaseText.self).sorted(byKeyPath: "plain").map(\.plain)) == sorted)
    #expect(Array(realm.objects(CaseText.self).sorted(byKeyPath: "indexed").map(\.plain)) == sorted)
    let after = realm.objects(CaseText.self).filter("plain > %@", "ello").sorted(byKeyPath: "plain").map(\.plain)
    #expect(Array(after) == ["lkkK", "|hello", "~hello", "éllo"])
    let planes = try self.realm(["😀", "\u{FFFD}", "z"])
    #expect(Array(planes.objects(CaseText.self).sorted(byKeyPath: "plain").map(\.number)) == [2, 1, 0])
    #expect(Array(planes.objects(CaseText.self).sorted(byKeyPath: "indexed").map(\.number)) == [2, 1, 0])
  }
}
