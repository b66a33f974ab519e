import Foundation
import Testing

@testable import Larder

/// Key paths to properties of types that refuse the default of what they are stored as.
@Suite("Key paths to refused values") struct RefusedPathTests {
  struct Link: FailableCustomPersistable, Equatable {
    typealias PersistedType = String
    let url: URL
    var notes: [String]
    init?(persistedValue: String) {
      guard persistedValue.hasPrefix("http"), let url = URL(string: persistedValue) else { return nil }
      self.url = url
      notes = [persistedValue, "made of \(persistedValue)"]
    }
    var persistableValue: String { url.absoluteString }
  }
  struct Boxed: FailableCustomPersistable, Equatable {
    typealias PersistedType = Int
    let texts: [String: [Int]]
    let make: @Sendable () -> Int
    var rest: (Int, Int, Int, Int)
    init?(persistedValue: Int) {
      guard persistedValue > 0 else { return nil }
      texts = ["\(persistedValue)": [persistedValue]]
      make = { persistedValue }
      rest = (1, 2, 3, 4)
    }
    var persistableValue: Int { make() }
    static func == (a: Boxed, b: Boxed) -> Bool { a.make() == b.make() }
  }
  final class Counted: FailableCustomPersistable, Equatable {
    typealias PersistedType = Double
    let number: Double
    init?(persistedValue: Double) {
      guard persistedValue != 0 else { return nil }
      number = persistedValue
    }
    var persistableValue: Double { number }
    static func == (a: Counted, b: Counted) -> Bool { a.number == b.number }
  }
  /// Holds existentials of every layout: opaque, with arguments, optional, of classes, errors, in tuples and structures.
  struct Open: FailableCustomPersistable, Equatable {
    typealias PersistedType = Int
    struct Inner {
      var before: UInt8
      var shown: any CustomStringConvertible & Sendable
    }
    let any: Any
    let shown: any CustomStringConvertible
    let numbers: any Collection<Int>
    let maybe: (any Sendable)?
    let object: any AnyObject & CustomStringConvertible
    let error: any Error
    let pair: (Int8, any Hashable)
    let inner: Inner
    let type: Any.Type
    let result: Result<Int, any Error>
    init?(persistedValue: Int) {
      guard persistedValue > 0 else { return nil }
      (any, shown, numbers, maybe) = (persistedValue, "\(persistedValue)", [persistedValue], nil)
      (object, error) = (Described(), CancellationError())
      (pair, inner) = ((1, "x"), Inner(before: 1, shown: persistedValue))
      (type, result) = (Int.self, .success(persistedValue))
    }
    var persistableValue: Int { numbers.first ?? 0 }
    static func == (a: Open, b: Open) -> Bool { a.persistableValue == b.persistableValue }
  }
  final class Described: CustomStringConvertible, Sendable {
    let description = "described"
  }
  class Holder: Object {
    @Persisted var open: Open
    @Persisted var opens: List<Open>
    @Persisted var next: Holder?
  }
  /// Refuses an object without numbers.
  struct Span: FailableCustomPersistable, Equatable {
    typealias PersistedType = Limits
    let names: [String]
    init?(persistedValue: Limits) {
      guard persistedValue.upper > 0 else { return nil }
      names = ["\(persistedValue.upper)"]
    }
    var persistableValue: Limits {
      Limits(value: ["upper": Int(names[0]) ?? 1, "link": "http://span"] as [String: Any])
    }
  }
  class Limits: EmbeddedObject {
    @Persisted var upper: Int
    @Persisted var link: Link
  }
  class Page: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var link: Link
    @Persisted var maybe: Link?
    @Persisted var boxed: Boxed
    @Persisted var counted: Counted
    @Persisted var span: Span
    @Persisted var links: List<Link>
    @Persisted var boxes: List<Boxed>
    @Persisted var set: MutableSet<Link>
    @Persisted var map: Map<String, Link>
    @Persisted var optionals: List<Link?>
    @Persisted var next: Page?
    @Persisted var pages: List<Page>
    @Persisted var limits: Limits?
    @Persisted(originProperty: "next") var before: LinkingObjects<Page>
  }
  final class Shown: Projection<Page> {
    @Projected(\Page.link) var link
    @Projected(\Page.next?.link) var nextLink
  }

  @Test("F-20: key paths are traced to properties of such types, wherever these are") func names() {
    #expect(_name(for: \Page.link) == "link" && _name(for: \Page.maybe) == "maybe")
    #expect(_name(for: \Page.boxed) == "boxed" && _name(for: \Page.counted) == "counted")
    #expect(_name(for: \Page.span) == "span" && _name(for: \Page.links) == "links")
    #expect(_name(for: \Page.links[0]) == "links" && _name(for: \Page.boxes[0]) == "boxes")
    #expect(_name(for: \Page.links.first) == "links" && _name(for: \Page.map["a"]) == "map")
    #expect(_name(for: \Page.set[0]) == "set" && _name(for: \Page.optionals[0]) == "optionals")
    #expect(_name(for: \Page.next?.link) == "next.link" && _name(for: \Page.next?.next?.boxed) == "next.next.boxed")
    #expect(_name(for: \Page.pages[0].counted) == "pages.counted" && _name(for: \Page.limits?.link) == "limits.link")
    #expect(_name(for: \Page.before[0].boxed) == "before.boxed" && _name(for: \Page.pages[0].links[0]) == "pages.links")
    #expect(_name(for: \Page.next?.maybe) == "next.maybe" && _name(for: \Page.pages.first?.span) == "pages.span")
  }

  @Test("F-20: and to properties of types that hold existentials") func existentials() throws {
    #expect(_name(for: \Holder.open) == "open" && _name(for: \Holder.next?.open) == "next.open")
    #expect(_name(for: \Holder.opens) == "opens" && _name(for: \Holder.opens[0]) == "opens")
    let realm = try makeRealm([Holder.self])
    try realm.write {
      for number in [3, 1, 2] { realm.create(Holder.self, value: ["open": number]) }
    }
    let holders = realm.objects(Holder.self)
    #expect(holders.sorted(by: \.open).map(\.open.persistableValue) == [1, 2, 3])
    let two = try #require(Open(persistedValue: 2))
    #expect(holders.where { $0.open == two }.count == 1)
  }

  private func filled() throws -> Realm {
    let realm = try makeRealm([Page.self, Limits.self])
    try realm.write {
      for (id, name) in ["http://b", "http://a", "http://c"].enumerated() {
        realm.create(
          Page.self,
          value: [
            "id": id, "link": name, "boxed": 3 - id, "counted": Double(id + 1), "span": ["upper": 1, "link": name],
            "limits": ["upper": id, "link": name], "links": [name], "map": ["k": name],
          ] as [String: Any])
      }
    }
    return realm
  }

  @Test("F-20: such properties are sorted by, searched, grouped and told apart in sections") func queries() throws {
    let pages = try filled().objects(Page.self)
    let link = try #require(Link(persistedValue: "http://a"))
    #expect(pages.sorted(by: \.link).map(\.id) == [1, 0, 2] && pages.sorted(by: \.boxed).map(\.id) == [2, 1, 0])
    #expect(pages.sorted(by: \.limits?.link).map(\.id) == [1, 0, 2])
    #expect(pages.where { $0.link == link }.map(\.id) == [1] && pages.where { $0.limits.link == link }.count == 1)
    #expect(pages.where { $0.links.contains(link) }.count == 1 && pages.where { $0.map["k"] == link }.count == 1)
    #expect(try pages[0].throwing[\.link] == pages[0].link)
    let projected = pages.map { Shown(projecting: $0) }
    #expect(projected.map { $0.link == link } == [false, true, false] && projected[0].nextLink == nil)
  }

  @Test("F-20: key paths to such properties are observed") func observing() throws {
    try onQueue([Page.self, Limits.self]) { realm in
      let page = Page(
        value: [
          "id": 1, "link": "http://a", "boxed": 1, "counted": 2.0, "span": ["upper": 1, "link": "http://x"],
        ] as [String: Any])
      try realm.write { realm.add(page) }
      var told: [String] = []
      let tokens = [
        page.observe(keyPaths: [\Page.link]) { _ in told.append("object") },
        realm.objects(Page.self).observe(keyPaths: [\Page.link, \Page.next?.link]) { change in
          if case .update = change { told.append("results") }
        },
        Shown(projecting: page).observe(keyPaths: [\Shown.link]) { _ in told.append("projection") },
      ]
      realm.refresh()
      try realm.write { page.counted = try #require(Counted(persistedValue: 8)) }
      realm.refresh()
      #expect(told == [])
      try realm.write { page.link = try #require(Link(persistedValue: "http://z")) }
      realm.refresh()
      #expect(Set(told) == ["object", "results", "projection"])
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test("F-20: a key path that goes on from such a property says so") func through() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(_name(for: \Page.link.url))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("A key path leads through 'link', but Link has no value"), "\(text)")
  }
}
