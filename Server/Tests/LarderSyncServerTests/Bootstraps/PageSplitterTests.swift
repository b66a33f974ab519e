import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite struct PageSplitterTests {
  private let splitter = PageSplitter(
    className: "Item", after: .int(0), through: .int(9), version: 5, ownSiteVersion: 3)

  private func item(_ key: Int, bytes: Int, isSent: Bool = true) -> PageSplitter.Item {
    let name = HubSchema.name(key)
    return PageSplitter.Item(object: name, delta: isSent ? ObjectDelta(name, .gone) : nil, bytes: bytes)
  }

  @Test("MR-5: pages are the whole range, one after the other, and about as large as a frame")
  func split() {
    let items = [
      item(1, bytes: 60), item(2, bytes: 60), item(3, bytes: 500), item(4, bytes: 1, isSent: false), item(5, bytes: 1),
    ]
    let pages = splitter.pages(items, bytes: 100)
    #expect(pages.map { $0.objects.map(\.object) } == [[1, 2], [3], [5]].map { $0.map(HubSchema.name) })
    #expect(pages.map(\.after) == [.int(0), .int(2), .int(3)])
    #expect(pages.map(\.through) == [.int(2), .int(3), .int(9)])
    #expect(pages.allSatisfy { $0.version == 5 && $0.ownSiteVersion == 3 })
  }

  @Test("a range without objects is one page")
  func empty() {
    let pages = splitter.pages([item(4, bytes: 1_000, isSent: false)], bytes: 100)
    #expect(pages.map(\.objects.count) == [0])
    #expect(pages.map(\.after) == [.int(0)] && pages.map(\.through) == [.int(9)])
  }

  @Test(
    "what was touched since a device's stream stopped is what it may have: by its view then or since, and what it wrote itself"
  )
  func touched() throws {
    let queries = [SubscribedQuery(className: "Item", predicate: "q == 1")]
    let old = try SyncView(queries, rules: ["Item": .everything], in: HubSchema.schema)
    let (own, other) = (SiteID(high: 1, low: 1), SiteID(high: 2, low: 2))
    var touched = TouchedObjects(since: 4, old: old, site: own, classes: ["Item"])
    func note(_ version: UInt64, _ site: SiteID, _ key: Int, q: Int64) {
      let before = ObjectSummary(isAlive: true, values: ["q": .int(q)])
      touched.note(
        MergedCommit(
          version: version, site: site, siteVersion: version * 10, nonce: 0, time: SyncTime(rawValue: 1),
          objects: [TouchedObject(object: HubSchema.name(key), before: before, after: before)]))
    }
    note(5, other, 1, q: 1)
    note(6, other, 1, q: 0)
    note(7, other, 2, q: 0)
    note(8, other, 2, q: 1)
    note(9, own, 3, q: 0)
    note(10, other, 4, q: 0)
    note(11, own, 4, q: 0)
    #expect((1...5).map { touched.mayHave(HubSchema.name($0)) } == [true, true, true, true, nil])
    #expect(touched.through == 11 && touched.firstOwn == 90 && touched.count == 4)
    #expect(touched.names(of: "Item", after: .int(1), through: .int(3)).sorted() == [2, 3].map(HubSchema.name))
    #expect(touched.names(of: "Other", after: nil, through: nil).isEmpty)
  }
}
