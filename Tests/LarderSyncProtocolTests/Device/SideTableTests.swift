import TestBasics
import Testing

@testable import LarderSyncProtocol

@Suite("The names of a list's elements on a device")
struct SideTableTests {
  private func id(_ operation: Int, _ index: Int = 0) -> OperationID {
    OperationID(
      site: SiteID(high: 0, low: 1), siteVersion: 1, operation: UInt32(operation), index: UInt32(index))
  }

  @Test("F-108: Elements that are settled together are as when each is settled alone")
  func settling() {
    var random = SeededRandom.forTest()
    for _ in 1...200 {
      var table = SideTable()
      var places: [OperationID?] = [nil]
      for operation in 0..<random.int(1...5) {
        let (first, count) = (id(operation), random.int(1...6))
        let left = places.randomElement(using: &random)!
        let isBase = Bool.random(using: &random)
        let isInserted = table.insert(first, element: first, count: UInt32(count), isBase: isBase, after: left)
        #expect(isInserted)
        places += (0..<count).map { id(operation, $0) }
      }
      let operation = random.int(0...5)
      let (start, count) = (random.int(0...4), random.int(1...8))
      var alone = table
      for index in start..<(start + count) { alone.settle(id(operation, index), count: 1) }
      let named = Set((start..<(start + count)).map { id(operation, $0) })
      let expected = table.entries.map { entry in
        var entry = entry
        if named.contains(entry.position) { entry.isBase = true }
        return entry
      }
      table.settle(id(operation, start), count: UInt32(count))
      #expect(table.entries == expected)
      #expect(table == alone)
    }
  }

  @Test("F-108: A list of as many elements as a transaction may have is settled as one run", .timeLimit(.minutes(1)))
  func settlingMost() {
    let count = UInt32(SyncLimit.transactionItems.most)
    var table = SideTable()
    let isInserted = table.insert(id(0), element: id(0), count: count, isBase: false, after: nil)
    #expect(isInserted)
    table.settle(id(0), count: count)
    #expect(table.runs == [.init(position: id(0), element: id(0), count: count, isBase: true, isShown: true)])
  }
}
