import Foundation
import TestSupport
import Testing

@testable import Larder

final class PagedEntry: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var rank: Int
  @Persisted var name: String?
  @Persisted var score: Double?
  @Persisted var any: AnyRealmValue
  @Persisted var parent: PagedEntry?
  @Persisted var children: List<PagedEntry>
}

@Suite("Pages of results")
struct PagingTests {
  let folder: TemporaryFolder
  let realm: Realm

  init() throws {
    folder = try TemporaryFolder()
    realm = try Realm(configuration: folder.configuration([PagedEntry.self]))
    try realm.write {
      for id in 0..<2_500 {
        let entry = PagedEntry()
        entry.id = id
        entry.rank = (id * 7919) % 50
        entry.name = id % 11 == 0 ? nil : ["b", "B", "ä", "a"][id % 4]
        entry.score = id % 13 == 0 ? nil : [Double.nan, -1, 0, -0.0, .infinity, 2.5][id % 6]
        entry.any = [.none, .int(id % 3), .string("x"), .double(1)][id % 4]
        realm.add(entry)
        if id % 5 > 0 { entry.parent = realm.object(ofType: PagedEntry.self, forPrimaryKey: id / 100) }
      }
    }
  }

  private var entries: Results<PagedEntry> { realm.objects(PagedEntry.self) }

  /// Every page there is, by objects or by the texts of cursors.
  private func pages(_ results: Results<PagedEntry>, size: Int, byText: Bool) throws -> [Int] {
    var ids: [Int] = []
    var page = results.limit(size)
    while let last = page.last {
      ids += page.map(\.id)
      #expect(ids.count <= results.count)
      if ids.count > results.count { break }
      if byText {
        let text = try results.cursor(behind: last).description
        page = try results.after(try #require(ResultsCursor(text))).limit(size)
      } else {
        page = try results.after(last).limit(size)
      }
    }
    return ids
  }

  /// Paths to sort by; those after a minus fall.
  private static let orders: [[String]] = [
    [], ["rank"], ["-rank", "name"], ["name"], ["-name"], ["score", "-id"], ["-score"], ["any"],
    ["parent.rank", "score"], ["-parent.name"], ["name[c]"], ["children.@count", "rank"],
  ]

  private func descriptor(_ order: String) -> Larder.SortDescriptor {
    if order.hasSuffix("[c]") {
      return Larder.SortDescriptor(keyPath: String(order.dropLast(3)), collation: .caseInsensitive)
    }
    let falls = order.hasPrefix("-")
    return Larder.SortDescriptor(keyPath: falls ? String(order.dropFirst()) : order, ascending: !falls)
  }

  @Test("U-9: pages after objects and cursors are the results, each once, in every order", arguments: orders)
  func wholeResults(_ order: [String]) throws {
    for results in [entries, entries.filter("rank < 20 OR name == nil")] {
      let sorted = results.sorted(by: order.map { descriptor($0) })
      let ids = sorted.map { $0.id }
      #expect(try pages(sorted, size: 190, byText: false) == Array(ids))
      #expect(try pages(sorted, size: 777, byText: true) == Array(ids))
    }
  }

  @Test("U-9: a cursor keeps its place when its object changes or goes; what comes after it is found")
  func placesAreKept() throws {
    let sorted = entries.sorted(byKeyPath: "rank")
    let last = sorted[99]
    let cursor = try sorted.cursor(behind: last)
    let expected = Array(sorted.map(\.id)[100...])
    let live = try sorted.after(cursor)
    #expect(Array(live.map(\.id)) == expected && live.count == 2_400 && live.first?.id == expected.first)
    let frozen = live.freeze()
    try realm.write {
      last.rank = 49
      realm.delete(sorted[0])
      realm.delete(entries.filter("id == %@", expected[0]))
    }
    #expect(live.count == 2_400 && live.first?.id == expected[1] && live.contains { $0.id == last.id })
    #expect(frozen.count == 2_400 && frozen.first?.id == expected[0])
    let again = try JSONDecoder().decode([ResultsCursor].self, from: JSONEncoder().encode([cursor]))
    #expect(again == [cursor] && ResultsCursor(cursor.description) == cursor)
  }

  @Test(
    "U-9: after a cursor an index in the order of the sort is not read from its beginning",
    .notUnder(.rowByRow, "it looks at plans"))
  func nothingBeforeIsRead() throws {
    let sorted = entries.sorted(byKeyPath: "rank", ascending: false)
    let page = try sorted.after(sorted[2_000]).limit(10)
    #expect(page.count == 10)
    let plan = try page.explain().description
    #expect(plan.contains("order of index rank") && plan.contains("74 index entries"), "\(plan)")
  }

  @Test("U-9: what cannot be continued, and cursors of others, are typed errors")
  func mistakes() throws {
    let first = entries[0]
    let cursor = try entries.sorted(byKeyPath: "rank").cursor(behind: first)
    #expect(throws: Realm.Error.self) { try entries.after(cursor) }
    #expect(throws: Realm.Error.self) { try entries.sorted(byKeyPath: "rank", ascending: false).after(cursor) }
    #expect(throws: Realm.Error.self) { try entries.sorted(byKeyPath: "id").after(cursor) }
    for results in [entries.limit(5), entries.offset(1), entries.distinct(by: ["rank"])] {
      #expect(throws: Realm.Error.self) { try results.after(first) }
    }
    #expect(throws: Realm.Error.self) { try first.children.after(first) }
    #expect(throws: Realm.Error.self) { try entries.after(PagedEntry()) }
    for text in ["", "x", "1", "zz.1", "1.1.q", "1.1.i", "1.x.n", "1.1.t5", "1.1.b2"] {
      #expect(ResultsCursor(text) == nil, "\(text)")
    }
  }
}
