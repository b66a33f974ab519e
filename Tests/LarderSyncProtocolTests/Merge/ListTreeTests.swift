import TestSupport
import Testing

@testable import LarderSyncProtocol

@Suite("The tree of a list")
struct ListTreeTests {
  private func id(_ number: Int) -> OperationID {
    OperationID(site: SiteID(high: 0, low: 1), siteVersion: 1, operation: UInt32(number))
  }

  private func slot(_ number: Int) -> MergeSlot { MergeSlot(Written(stamp(number), .int(Int64(number)))) }

  private func stamp(_ number: Int) -> Stamp {
    Stamp(time: SyncTime(milliseconds: UInt64(number)), site: SiteID(high: 0, low: 1), operation: 0)
  }

  @Test("F-108: Elements that are inserted together are where they are when each is inserted after the one before")
  func runs() {
    var random = SeededRandom.forTest()
    var (together, alone) = (ListTree(), ListTree())
    var number = 0
    for round in 1...200 {
      // Concurrent edits name neighbours that have others beside them by now, and their stamps come in any order.
      let known = together.positions
      let left = Bool.random(using: &random) ? known.randomElement(using: &random) : nil
      let right = Bool.random(using: &random) ? known.randomElement(using: &random) : nil
      let time = stamp(1_000 + random.int(0...2 * round))
      let count = random.int(0...5)
      let elements = (number..<(number + count)).map { (id($0), slot($0)) }
      number += count
      let first = together.insert(elements, at: together.place(left: left, right: right), stamp: time)
      var place = alone.place(left: left, right: right)
      var firstAlone: Int32?
      for (id, slot) in elements {
        let node = alone.insert(id, at: place, stamp: time, slot: slot)
        firstAlone = firstAlone ?? node
        place = ListTree.Place(parent: node, side: .right)
      }
      #expect(first == firstAlone)
      #expect(together.order == alone.order)
      #expect(together.positions == alone.positions)
      #expect(together.entries(above: .zero) == alone.entries(above: .zero))
    }
  }
}
