import TestSupport
import Testing

@testable import LarderStorage

/// Deleting the objects of one long collection one after the other.
@Suite struct ManyDeletionsTests {
  enum Kind: CaseIterable { case list, map, mixed, mixedMap }
  enum Order: CaseIterable { case first, random }

  private func column(_ kind: Kind, _ lists: LinkedLists) -> ColumnID {
    switch kind {
    case .list: lists.list
    case .map: lists.map
    case .mixed: lists.mixed
    case .mixedMap: lists.mixedMap
    }
  }

  /// Elements and filters looked at for each object that is deleted.
  private func cost(_ kind: Kind, _ order: Order, _ count: Int, listLimit: Int = 64 << 20) throws -> Int {
    var random = SeededRandom.forTest("\(kind) \(order) \(count)")
    let lists = try LinkedLists()
    let column = column(kind, lists)
    var keys = try lists.store.write { try lists.fill($0, count, in: column) }
    switch order {
    case .first: break
    case .random: keys.shuffle(using: &random)
    }
    let steps = try lists.store.write { writer in
      writer.listLimit = listLimit
      for key in keys { try writer.delete(lists.item, key) }
      return lists.steps(writer, column)
    }
    let snapshot = try lists.store.snapshot
    #expect(try snapshot.count(of: lists.item) == 0)
    switch kind {
    case .list: #expect(try snapshot.list(lists.owner, column, lists.object).count == 0)
    case .mixed:
      #expect(try snapshot.list(lists.owner, column, lists.object).values() == Array(repeating: .null, count: count))
    case .map, .mixedMap:
      let map = try snapshot.map(lists.owner, column, lists.object)
      #expect(map.count == count)
      for position in stride(from: 0, to: count, by: 97) { #expect(try map.value(at: position) == .null) }
    }
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
    return steps / count
  }

  @Test("F-66: the work for one of them does not grow with their number", arguments: Kind.allCases, Order.allCases)
  func linear(kind: Kind, order: Order) async throws {
    try await LongTest.run {
      for count in [800, 1_600, 3_200, 6_400] {
        let cost = try cost(kind, order, count)
        #expect(cost < 1_500, "\(count)")
      }
    }
  }

  @Test("F-66: nor when there is no memory for the list")
  func closed() async throws {
    try await LongTest.run {
      for count in [1_500, 3_000, 6_000, 12_000] {
        let cost = try cost(.list, .first, count, listLimit: 40_000)
        #expect(cost < 1_500, "\(count)")
      }
    }
  }

  @Test("F-66: an object that a list has several times, deleted between others that are inserted")
  func duplicates() throws {
    var random = SeededRandom.forTest("duplicates")
    let lists = try LinkedLists()
    var model: [ObjectKey] = []
    try lists.store.write { writer in
      var keys = try lists.fill(writer, 2_000, in: lists.list)
      model = keys
      for _ in 0..<900 {
        if Bool.random(using: &random), let key = keys.randomElement(using: &random) {
          let position = Int.random(in: 0...model.count, using: &random)
          try writer.lists.insert(lists.owner, lists.list, lists.object, at: position, [.link(key)])
          model.insert(key, at: position)
        } else {
          let key = keys.remove(at: Int.random(in: keys.indices, using: &random))
          try writer.delete(lists.item, key)
          model.removeAll { $0 == key }
        }
      }
      #expect(try writer.list(lists.owner, lists.list, lists.object).values() == model.map { .link($0) })
    }
    let snapshot = try lists.store.snapshot
    #expect(try snapshot.list(lists.owner, lists.list, lists.object).values() == model.map { .link($0) })
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
  }
}
