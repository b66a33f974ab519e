import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Larder

final class SearchNote: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: .fullText) var body: String
  @Persisted(wrappedValue: "untitled", indexed: .general) var title: String
  @Persisted var stars: Int

  convenience init(id: Int, _ body: String, stars: Int = 0) {
    self.init()
    (self.id, self.body, self.stars) = (id, body, stars)
  }
}

final class BadSearchNote: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: .fullText) var number: Int
}

@Suite("Full-text search of objects")
struct FullTextSearchTests {
  let folder: TemporaryFolder
  let realm: Realm

  init() throws {
    folder = try TemporaryFolder()
    realm = try Realm(configuration: folder.configuration([SearchNote.self]))
    try realm.write {
      realm.add(SearchNote(id: 1, "Swift runs on Linux", stars: 3))
      realm.add(SearchNote(id: 2, "A café in Ångström, and the Swift river", stars: 5))
      realm.add(SearchNote(id: 3, "Linux, Linux, Linux", stars: 1))
      realm.add(SearchNote(id: 4, "to be or not to be"))
    }
  }

  private var notes: Results<SearchNote> { realm.objects(SearchNote.self) }

  @Test("U-15: every front of a query searches words", .notUnder(.rowByRow, "it looks at plans"))
  func fronts() throws {
    #expect(notes.filter("body TEXT %@", "swift").map(\.id) == [1, 2])
    #expect(notes.filter(NSPredicate(format: "body TEXT 'CAFE angstrom'")).map(\.id) == [2])
    #expect(notes.where { $0.body.fullText("lin* -swift") }.map(\.id) == [3])
    #expect(notes.where { $0.body.fullText("\"to be\"") && $0.stars == 0 }.map(\.id) == [4])
    #expect(notes.where { !$0.body.fullText("swift") }.map(\.id) == [3, 4])
    #expect(notes.filter(rql: "body TEXT $0 SORT(stars DESC)", "swift OR linux").map(\.id) == [2, 1, 3])
    #expect(notes.filter("title TEXT 'untitled'").count == 4)
    let plan = try notes.where { $0.body.fullText("linux") }.explain().description
    #expect(plan.contains("TEXT"), "\(plan)")
    #expect(
      notes[0].objectSchema["body"]?.isFullTextIndexed == true && notes[0].objectSchema["title"]?.isIndexed == true)
  }

  @Test("U-15: results by relevance, in chains and with limits; without a search they throw")
  func relevance() throws {
    let found = notes.where { $0.body.fullText("linux") }
    #expect(found.map(\.id) == [1, 3] && found.sortedByRelevance().map(\.id) == [3, 1])
    #expect(found.sortedByRelevance().limit(1).map(\.id) == [3] && found.sortedByRelevance().first?.id == 3)
    #expect(found.sortedByRelevance().count == 2 && found.sortedByRelevance().sum(of: \.stars) == 4)
    #expect(throws: Realm.Error.self) { try notes.throwing.sortedByRelevance() }
    try realm.write {
      notes[0].body = "linux"
      #expect(found.sortedByRelevance().map(\.id) == [3, 1] || found.sortedByRelevance().map(\.id) == [1, 3])
      #expect(found.count == 2)
    }
    let frozen = found.sortedByRelevance().freeze()
    try realm.write { realm.delete(notes.filter("id == 3")) }
    #expect(frozen.count == 2 && found.sortedByRelevance().map(\.id) == [1])
  }

  @Test("U-15 and N-10: observers of a search are notified of what comes, goes and changes")
  func notifications() throws {
    let recorder = Recorder()
    let queue = DispatchQueue(label: "search")
    let token = notes.where { $0.body.fullText("linux") }.observe(on: queue) { change in
      switch change {
      case .initial(let found): recorder.add("initial \(Array(found.map(\.id)))")
      case .update(let found, let deletions, let insertions, let modifications):
        recorder.add("update \(Array(found.map(\.id))) \(deletions) \(insertions) \(modifications)")
      case .error(let error): recorder.add("\(error)")
      }
    }
    let ranked = Recorder()
    let second = notes.where { $0.body.fullText("linux") }.sortedByRelevance().observe(on: queue) { change in
      switch change {
      case .initial(let found): ranked.add("initial \(Array(found.map(\.id)))")
      case .update(let found, let deletions, let insertions, _):
        ranked.add("update \(Array(found.map(\.id))) \(deletions) \(insertions)")
      case .error(let error): ranked.add("\(error)")
      }
    }
    #expect(recorder.wait() && ranked.wait())
    try realm.write {
      notes[0].body = "nothing of the kind"
      notes[2].stars = 9
      realm.add(SearchNote(id: 5, "LINUX"))
    }
    #expect(recorder.wait() && ranked.wait())
    #expect(recorder.all == ["initial [1, 3]", "update [3, 5] [0] [1] [1]"])
    #expect(
      ranked.all.first == "initial [3, 1]" && ranked.all.last?.hasPrefix("update [3, 5] [1] [1]") == true,
      "\(ranked.all)")
    token.invalidate()
    second.invalidate()
  }

  @Test("U-15: a class with the index on another type than String is refused when the Realm is opened")
  func otherTypes() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: Realm.Error.self) {
      try Realm(configuration: folder.configuration([BadSearchNote.self]))
    }
    #expect(error?.localizedDescription.contains("full-text") == true, "\(String(describing: error))")
  }
}
