import LarderSyncProtocol
import Testing

@Suite("Names of what operations made")
struct OperationIDTests {
  private let id = OperationID(site: SiteID(high: 1, low: 2), siteVersion: 3, operation: 4, index: 5)

  @Test("runs are as long as numbers follow each other, and give the names back")
  func runs() throws {
    let other = OperationID(site: id.site, siteVersion: 4, operation: 4, index: 8)
    let ids = [id, try #require(id.advanced(by: 1)), try #require(id.advanced(by: 2)), other, id]
    let runs = OperationIDRun.runs(of: ids)
    #expect(runs.map(\.count) == [3, 1, 1])
    #expect(runs.flatMap { Array($0.ids) } == ids)
  }

  @Test("there is no name after the last number")
  func last() {
    let last = OperationID(site: id.site, siteVersion: 3, operation: 4, index: .max)
    #expect(last.advanced(by: 1) == nil)
    #expect(OperationIDRun(first: last, count: 2) == nil)
    #expect(OperationIDRun(first: last, count: 0) == nil)
    #expect(OperationIDRun(first: last, count: 1) != nil)
  }

  @Test("stamps are ordered by time, site and operation")
  func stamps() {
    let (low, high) = (SiteID(high: 0, low: 9), SiteID(high: 1, low: 0))
    let stamps = [
      Stamp.zero, Stamp(time: SyncTime(milliseconds: 1), site: high, operation: 7),
      Stamp(time: SyncTime(milliseconds: 1, counter: 1), site: low, operation: 7),
      Stamp(time: SyncTime(milliseconds: 1, counter: 1), site: low, operation: 8),
      Stamp(time: SyncTime(milliseconds: 1, counter: 1), site: high, operation: 0),
    ]
    #expect(stamps.reversed().sorted() == stamps)
  }
}
