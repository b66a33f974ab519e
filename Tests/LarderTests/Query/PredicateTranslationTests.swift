import Foundation
import Testing

@testable import Larder

@Suite("Foundation's predicates as queries") struct PredicateTranslationTests {
  class Tag: Object {
    @Persisted var name: String
    @Persisted var number: Int
  }
  class Note: Object {
    @Persisted var id: Int
    @Persisted var text: String
    @Persisted var sub: String?
    @Persisted var stars: Int
    @Persisted var opt: Int?
    @Persisted var flag: Bool?
    @Persisted var done: Bool
    @Persisted var bytes: Data
    @Persisted var mark: Tag?
    @Persisted var tags: List<Tag>
    @Persisted var scores: Map<String, Int>
  }
  private let notes: Results<Note>

  init() throws {
    let realm = try makeRealm([Note.self, Tag.self])
    try realm.write {
      for number in 0..<6 {
        let note = Note()
        note.id = number
        note.text = ["Äpfel", "apfel", "Birne", "", "ZOO", "zoo"][number]
        note.sub = number % 2 == 0 ? nil : "s\(number)"
        note.stars = number
        note.opt = number % 3 == 0 ? nil : number
        note.flag = [nil, true, false][number % 3]
        note.done = number > 3
        note.bytes = Data(repeating: 1, count: number)
        if number > 1 {
          note.mark = Tag(value: ["t\(number % 2)", number] as [Any])
          note.tags.append(objectsIn: (0..<number).map { Tag(value: ["t\($0)", $0] as [Any]) })
        }
        if number > 4 { note.scores["a"] = number }
        realm.add(note)
      }
    }
    notes = realm.objects(Note.self)
  }

  private func ids(_ predicate: Predicate<Note>) throws -> [Int] { try notes.throwing.filter(predicate).map(\.id) }

  /// Checks that a query finds the expected objects, and that the predicate itself is true of just these.
  private func check(_ expected: [Int], _ predicate: Predicate<Note>, _ location: SourceLocation = #_sourceLocation)
    throws
  {
    #expect(try ids(predicate) == expected, sourceLocation: location)
    #expect(try notes.filter { try predicate.evaluate($0) }.map(\.id) == expected, sourceLocation: location)
  }

  @Test("F-126: x ?? y compared with a value, a property, another ??, and within arithmetic")
  func coalescing() throws {
    let limit = 2
    try check([2, 4, 5], #Predicate { ($0.opt ?? 0) > 1 })
    try check([0, 3], #Predicate { ($0.opt ?? 9) == 9 })
    try check([0, 1, 2, 4, 5], #Predicate { ($0.opt ?? 0) == $0.stars })
    try check([0, 3, 4, 5], #Predicate { limit < ($0.opt ?? 7) })
    try check([0, 1], #Predicate { ($0.mark?.name ?? "") == "" })
    try check([3, 5], #Predicate { ($0.mark?.name ?? "none") == "t1" })
    try check([1, 3, 5], #Predicate { ($0.sub ?? "").starts(with: "s") })
    try check([0, 2, 4], #Predicate { ($0.sub ?? "").isEmpty })
    try check([4, 5], #Predicate { ($0.opt ?? 0) + $0.stars >= 8 })
    try check([1, 4], #Predicate { $0.flag ?? false })
    try check([0, 1, 3, 4], #Predicate { $0.flag ?? true })
    try check([0, 3], #Predicate { [9, 10].contains($0.opt ?? 9) })
    try check([2, 4], #Predicate { (2...4).contains($0.opt ?? 0) })
    try check([0, 2, 4], #Predicate { ($0.sub ?? $0.text) == $0.text })
    try check([0, 2, 3, 4], #Predicate { !(($0.opt ?? 0) > 4) && $0.stars != 1 })
    try check([0, 1, 2, 4], #Predicate { $0.sub?.starts(with: "s1") ?? true })
    try check([1, 2, 4, 5], #Predicate { if let opt = $0.opt { opt > 0 } else { false } })
  }

  @Test("F-126: isEmpty of texts, data, collections and maps")
  func empty() throws {
    try check([3], #Predicate { $0.text.isEmpty })
    try check([0], #Predicate { $0.bytes.isEmpty })
    try check([0, 1], #Predicate { $0.tags.isEmpty })
    try check([1, 3, 5], #Predicate { $0.sub?.isEmpty == false })
    #expect(try ids(#Predicate { $0.scores.isEmpty }) == [0, 1, 2, 3, 4])
  }

  @Test("F-126: a ? b : c of conditions and of values")
  func ternary() throws {
    try check([0, 1, 2, 3, 5], #Predicate { $0.done ? $0.stars == 5 : true })
    try check([2, 4], #Predicate { $0.stars == ($0.done ? 4 : 2) })
    try check([3, 5], #Predicate { ($0.done ? $0.text : $0.sub ?? "") == ($0.done ? "zoo" : "s3") })
    try check([5], #Predicate { ($0.done ? $0.stars : 0) > 4 })
  }

  @Test("F-126: the number of elements that satisfy a condition")
  func filtered() throws {
    try check([3], #Predicate { $0.tags.filter { $0.number > 1 }.count == 1 })
    try check([0, 1, 2], #Predicate { $0.tags.filter { $0.number > 1 }.isEmpty })
    try check([4, 5], #Predicate { $0.tags.filter { $0.name == "t3" && $0.number > 1 }.count > 0 })
  }

  @Test("F-126: what has no translation is an error that names it")
  func refused() throws {
    let error = #expect(throws: Realm.Error.self) { try ids(#Predicate { [1, 2].max() == 2 && $0.done }) }
    #expect(
      error?.message.contains("Maximum") == true && error?.message.contains("cannot be turned into a query") == true)
  }

  @Test("F-128: over an optional link a required property may be nil, in a text and in Swift")
  func nilLinks() throws {
    #expect(try notes.throwing.filter("mark.number == nil").map(\.id) == [0, 1])
    #expect(try notes.throwing.filter("mark.number != nil").map(\.id) == [2, 3, 4, 5])
    #expect(try notes.throwing.filter("mark.number IN {2, nil}").map(\.id) == [0, 1, 2])
    #expect(try notes.throwing.filter("nil == mark.name").map(\.id) == [0, 1])
    try check([0, 1], #Predicate { $0.mark?.number == nil })
    #expect(throws: Realm.Error.self) { try notes.throwing.filter("stars == nil") }
    #expect(throws: Realm.Error.self) { try notes.throwing.filter("ANY tags.number == nil") }
  }
}
