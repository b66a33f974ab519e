import LarderSyncProtocol
import Testing

@Suite("Transactions that are sent as several commits")
struct TransactionPartsTests {
  /// A third of what fits, so that two objects go together and three do not.
  private static let third = TransactionWeight(bytes: SyncLimit.transactionBytes.most / 3 + 1, items: 1)

  private func parts(
    _ count: Int, _ links: [(from: Int, to: Int)] = [], weight: TransactionWeight = third, deleted: Range<Int> = 0..<0
  ) -> TransactionParts<Int> {
    var parts = TransactionParts<Int>()
    for object in 0..<count {
      parts.add(
        object, weight, isDeletion: deleted.contains(object), links: links.filter { $0.from == object }.map(\.to))
    }
    return parts
  }

  @Test("F-105: What fits into one commit is one, whatever links there are")
  func whole() throws {
    #expect(try parts(2, [(0, 1), (1, 0)]).split() == [[0, 1]])
    #expect(try parts(2, deleted: 0..<1).split() == [[0, 1]])
    #expect(try TransactionParts<Int>().split() == [[]])
  }

  @Test("F-105: Objects that do not link to each other are sent in parts as large as they may be")
  func independent() throws {
    let split = try parts(5).split()
    #expect(split.map(\.count) == [2, 2, 1])
    #expect(Set(split.joined()) == Set(0..<5))
  }

  @Test("F-105: No part links to an object of a later one, and circles stay together")
  func linked() throws {
    let links = [(0, 4), (4, 3), (3, 2), (2, 3), (1, 0)]
    let split = try parts(5, links).split()
    var place: [Int: Int] = [:]
    for (index, part) in split.enumerated() { for object in part { place[object] = index } }
    #expect(place.count == 5 && split.count == 3)
    for (from, to) in links { #expect(try #require(place[to]) <= #require(place[from])) }
    #expect(place[2] == place[3])
  }

  @Test("F-105: A circle that is too large, and a single object, are named with what is above the limit")
  func circle() throws {
    let error = #expect(throws: TransactionParts<Int>.TooLarge.self) {
      try parts(4, [(1, 2), (2, 3), (3, 1)]).split()
    }
    #expect(error?.exceeded.limit == .transactionBytes && error?.hasDeletions == false)
    let items = TransactionWeight(bytes: 1, items: SyncLimit.transactionItems.most + 1)
    let single = #expect(throws: TransactionParts<Int>.TooLarge.self) { try parts(1, weight: items).split() }
    #expect(single?.largest == 0 && single?.exceeded == SyncLimitExceeded(.transactionItems, found: items.items))
  }

  @Test("F-105: Deletions are sent in parts by themselves, and keep what else is done in their transaction together")
  func deletions() throws {
    #expect(try parts(5, deleted: 0..<5).split().count == 3)
    let error = #expect(throws: TransactionParts<Int>.TooLarge.self) { try parts(5, deleted: 0..<1).split() }
    #expect(error?.hasDeletions == true)
  }

  @Test("F-105: A long chain of links is followed without recursion, from its end on")
  func chain() throws {
    let count = 200_000
    var parts = TransactionParts<Int>()
    let weight = TransactionWeight(bytes: 0, items: SyncLimit.transactionItems.most / count + 1)
    for object in 0..<count { parts.add(object, weight, isDeletion: false, links: [object + 1]) }
    let split = try parts.split()
    #expect(split.count == 2 && split[0].first == count - 1 && split[1].last == 0)
  }
}
