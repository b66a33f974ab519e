import Foundation
import Larder
import Testing

class CaseTag: Object {
  @Persisted var name: String
  @Persisted var weight: Int
}

class CaseNote: Object {
  @Persisted var id: Int
  @Persisted var text: String
  @Persisted var subtitle: String?
  @Persisted var stars: Int
  @Persisted var optional: Int?
  @Persisted var tag: CaseTag?
  @Persisted var tags: List<CaseTag>
  @Persisted var words: List<String>
  @Persisted var date: Date
  @Persisted var done: Bool
}

/// `#Predicate` in the forms that programs for SwiftData have. The answers were written down before the first run.
@Suite("Reported cases: #Predicate") struct SwiftPredicateCaseTests {
  private let notes: Throwing<Results<CaseNote>>

  init() throws {
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [CaseNote.self, CaseTag.self]))
    try realm.write {
      for id in 0..<6 {
        let note = CaseNote()
        note.id = id
        note.text = ["Äpfel", "apfel", "Birne", "", "ZOO", "zoo"][id]
        note.subtitle = id % 2 == 0 ? nil : "s\(id)"
        note.stars = id
        note.optional = id % 3 == 0 ? nil : id
        if id > 1 {
          let tag = CaseTag(value: ["name": "t\(id % 2)", "weight": id] as [String: Any])
          note.tag = tag
          note.tags.append(tag)
        }
        if id == 5 { note.tags.append(CaseTag(value: ["name": "t9"])) }
        note.words.append(objectsIn: ["a", "b", "c"].prefix(id % 4))
        note.date = Date(timeIntervalSince1970: Double(id) * 100)
        note.done = id > 3
        realm.add(note)
      }
    }
    notes = realm.objects(CaseNote.self).throwing
  }

  private func ids(_ predicate: Predicate<CaseNote>) throws -> [Int] { try notes.filter(predicate).map(\.id) }

  @Test("links that may be nil, compared and replaced")
  func links() throws {
    let name = "t1"
    #expect(try ids(#Predicate { $0.tag?.name == name }) == [3, 5])
    #expect(try ids(#Predicate { ($0.tag?.name ?? "") == "" }) == [0, 1])
  }

  @Test("lists of objects: contains, allSatisfy, count, isEmpty, filter")
  func lists() throws {
    #expect(try ids(#Predicate { $0.tags.contains { $0.name == "t0" } }) == [2, 4])
    #expect(try ids(#Predicate { $0.tags.contains { $0.name == "t1" && $0.weight > 4 } }) == [5])
    #expect(try ids(#Predicate { $0.tags.allSatisfy { $0.name != "t9" } }) == [0, 1, 2, 3, 4])
    #expect(try ids(#Predicate { $0.tags.count == 2 }) == [5])
    #expect(try ids(#Predicate { $0.tags.isEmpty }) == [0, 1])
    #expect(try ids(#Predicate { $0.tags.filter { $0.weight > 1 }.count == 1 }) == [2, 3, 4, 5])
    #expect(try ids(#Predicate { $0.words.contains("b") }) == [2, 3])
  }

  @Test("values of the program: arrays, ranges, optionals")
  func captured() throws {
    let wanted = [1, 3, 9]
    let limit: Int? = 2
    let day = Date(timeIntervalSince1970: 250)
    #expect(try ids(#Predicate { wanted.contains($0.stars) }) == [1, 3])
    #expect(try ids(#Predicate { $0.optional == limit }) == [2])
    #expect(try ids(#Predicate { $0.date < day && !$0.done }) == [0, 1, 2])
    #expect(try ids(#Predicate { (2...3).contains($0.stars) }) == [2, 3])
    #expect(try ids(#Predicate { (2..<3).contains($0.stars) }) == [2])
  }

  @Test("optionals: nil, a value instead, if let")
  func optionals() throws {
    #expect(try ids(#Predicate { $0.optional == nil }) == [0, 3])
    #expect(try ids(#Predicate { ($0.optional ?? 0) > 1 }) == [2, 4, 5])
    #expect(try ids(#Predicate { if let value = $0.optional { value > 1 } else { false } }) == [2, 4, 5])
    #expect(try ids(#Predicate { $0.subtitle?.starts(with: "s") ?? false }) == [1, 3, 5])
    #expect(try ids(#Predicate { $0.subtitle == nil || $0.subtitle == "s5" }) == [0, 2, 4, 5])
  }

  @Test("a choice, an empty text, arithmetic")
  func others() throws {
    #expect(try ids(#Predicate { $0.done ? $0.stars == 5 : true }) == [0, 1, 2, 3, 5])
    #expect(try ids(#Predicate { $0.text.isEmpty }) == [3])
    #expect(try ids(#Predicate { $0.stars % 2 == 1 }) == [1, 3, 5])
    #expect(try ids(#Predicate { $0.stars + 1 > 5 }) == [5])
  }
}
