import TestBasics
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
      for id in [id(number), id(random.int(0...number)), id(random.int(0...number))] {
        #expect(alone.position(id) == alone.positions.firstIndex(of: id).map(Int32.init))
        #expect(alone.element(id) == alone.elementIDs.firstIndex(of: id))
      }
    }
  }

  @Test("F-108: A list that one commit changes in many places stays a list of its elements")
  func manyOperations() {
    var tree = ListTree()
    var expected: [OperationID] = []
    var random = SeededRandom.forTest()
    for number in 0..<5_000 {
      let id = id(number)
      switch random.int(0...3) {
      case 0:
        tree.insert(id, at: tree.place(left: expected.last, right: nil), stamp: stamp(number), slot: slot(number))
        expected.append(id)
      case 1:
        tree.insert(id, at: tree.place(left: nil, right: expected.first), stamp: stamp(number), slot: slot(number))
        expected.insert(id, at: 0)
      default:
        let index = random.int(0...expected.count)
        let (left, right) = (index == 0 ? nil : expected[index - 1], index == expected.count ? nil : expected[index])
        tree.insert(id, at: tree.place(left: left, right: right), stamp: stamp(number), slot: slot(number))
        expected.insert(id, at: index)
      }
    }
    #expect(tree.entries(above: .zero).map(\.element) == expected)
  }
}
